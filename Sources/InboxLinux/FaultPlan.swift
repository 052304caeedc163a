#if DEBUG
    import CInboxLinux
    import Glibc

    /// Fails, kills, stops, waits, leaks or lies at chosen system calls, in debug builds: the tests' way to be everywhere a disaster can be.
    ///
    /// SQLite's discipline: N = 1, 2, … until a run completes untouched. A release build has none of this.
    package struct FaultPlan: Sendable {
        /// The action that the plan takes at a call.
        package enum Action: Hashable, Sendable {
            /// The call does not happen and fails so.
            case fail(Errno)
            /// The call happens and fails so all the same: what a server does whose reply is lost. For calls that change
            /// names.
            case failLate(Errno)
            /// The process gets SIGKILL in place of the call.
            case kill
            /// The process stops (SIGSTOP) before the call, which happens when somebody lets it go on: what a test does
            /// meanwhile falls between two calls that nothing else could part.
            case stop
            /// The thread waits before the call, which happens once somebody has opened the FIFO at this path for
            /// writing and closed it again: as long as it is open the other threads go on and this one does not. Where
            /// there is no FIFO the call does not wait.
            case wait(String)
            /// The call happens, and a descriptor and 16 KiB of memory are lost: what a leak test has to see.
            case leak
            /// The call does not happen and succeeds with 0: a disk that says it keeps what it does not. For syncs.
            case skip
        }

        /// Which of the calls that it counts the plan strikes.
        package enum Occasion: Hashable, Sendable {
            /// One of them, counted from 1; 0 strikes none and only counts.
            case nth(Int)
            /// This call, counted from 1, and all later ones: a full disk stays full.
            case from(Int)
            /// Each of them.
            case every

            /// Returns whether the plan strikes at the call of this number.
            func includes(_ number: Int) -> Bool {
                switch self {
                case .nth(let wanted): number == wanted
                case .from(let first): number >= first
                case .every: true
                }
            }
        }

        /// When it strikes.
        package var occasion: Occasion
        /// The action that the plan takes.
        package var action: Action
        /// Counts this call alone; nil counts every call.
        package var only: SystemCall?
        /// Counts calls alone whose subject's text has this part, such as `/journal`; nil counts every subject.
        package var part: String?
        /// Counts this thread alone (gettid(2)); nil counts every thread.
        package var thread: Int64?

        /// A plan for these calls.
        package init(
            at occasion: Occasion, action: Action, only: SystemCall? = nil, part: String? = nil, thread: Int64? = nil
        ) {
            self.occasion = occasion
            self.action = action
            self.only = only
            self.part = part
            self.thread = thread
        }

        /// A plan that strikes once.
        package init(nth: Int, action: Action, only: SystemCall? = nil, thread: Int64? = nil) {
            self.init(at: .nth(nth), action: action, only: only, thread: thread)
        }

        /// Reads `CALL:WHEN:WHAT` or `CALL@PART:WHEN:WHAT`.
        ///
        /// CALL is a call's name as ``SystemCall`` has it, or `*` for any; PART a part of its subject (a path without
        /// `:` and `;`); WHEN the number of the call that fails, followed by `+` the number of the first that fails, or `*`
        /// for each; WHAT is `KILL`, `STOP`, `LEAK`, `SKIP`, `WAIT=PATH`, `DONE=` and an error's number or
        /// that number alone.
        package init?(text: some StringProtocol) {
            let fields = text.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 3, let occasion = Self.occasion(fields[1]), let action = Self.action(fields[2])
            else { return nil }
            let calls = fields[0].split(separator: "@", maxSplits: 1)
            guard let name = calls.first else { return nil }
            let only = SystemCall(rawValue: String(name))
            guard only != nil || name == "*" else { return nil }
            self.init(at: occasion, action: action, only: only, part: calls.count == 2 ? String(calls[1]) : nil)
        }

        /// Reads plans that are joined by `;`: each counts for itself. Nil where one of them cannot be read.
        package static func plans(text: String) -> [FaultPlan]? {
            let parts = text.split(separator: ";")
            let plans = parts.compactMap { FaultPlan(text: $0) }
            return plans.isEmpty || plans.count < parts.count ? nil : plans
        }

        private static func occasion(_ text: some StringProtocol) -> Occasion? {
            switch text {
            case "*": .every
            case _ where text.hasSuffix("+"): Int(text.dropLast()).map { .from($0) }
            default: Int(text).map { .nth($0) }
            }
        }

        private static func action(_ text: some StringProtocol) -> Action? {
            switch text {
            case "KILL": .kill
            case "STOP": .stop
            case "LEAK": .leak
            case "SKIP": .skip
            case _ where text.hasPrefix("DONE="):
                if case .fail(let code) = action(text.dropFirst("DONE=".count)) { .failLate(code) } else { nil }
            case _ where text.hasPrefix("WAIT=/"): .wait(String(text.dropFirst("WAIT=".count)))
            default: Int32(text).map { .fail(Errno(rawValue: $0)) }
            }
        }

        /// Puts the plan in force for the whole process and counts from zero.
        package static func arm(_ plan: FaultPlan) { arm([plan]) }

        /// Puts plans in force for the whole process, in place of those before. Where several strike the same call,
        /// the first one does.
        package static func arm(_ plans: [FaultPlan]) { CallObserver.arm(plans) }

        /// Ends the plans; returns how many calls the first one counted.
        @discardableResult
        package static func disarm() -> Int { CallObserver.disarm() }

        /// Returns whether the plan needs the subject of such a call, which takes a call of its own to find out.
        func asksForSubject(of call: SystemCall) -> Bool { part != nil && concerns(call) }

        func counts(_ call: SystemCall, _ subject: () -> String) -> Bool {
            concerns(call) && (thread == nil || thread == inbox_thread_id())
                && (part.map { subject().contains($0) } ?? true)
        }

        private func concerns(_ call: SystemCall) -> Bool { only == nil || only == call }
    }
#endif
