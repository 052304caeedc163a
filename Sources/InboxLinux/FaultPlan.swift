#if DEBUG
    import CInboxLinux
    import Glibc
    import Synchronization

    /// Fails or kills at the Nth system call, in debug builds: the tests' way to be everywhere a disaster can be.
    ///
    /// SQLite's discipline: N = 1, 2, … until a run completes untouched. A release build has none of this.
    public struct FaultPlan: Sendable {
        /// What happens at the Nth call.
        public enum Action: Sendable {
            /// The call does not happen and fails so.
            case fail(Errno)
            /// The process gets SIGKILL in place of the call.
            case kill
        }

        private struct State {
            var plan: FaultPlan?
            var counted = 0
        }

        private static let state = Mutex(State())

        /// Which call strikes, counted from 1; 0 only counts.
        public var nth: Int
        /// What it does.
        public var action: Action
        /// Counts this call alone; nil counts every call.
        public var only: SystemCall?
        /// Counts this thread alone (gettid(2)); nil counts every thread.
        public var thread: Int64?

        /// A plan that strikes once.
        public init(nth: Int, action: Action, only: SystemCall? = nil, thread: Int64? = nil) {
            self.nth = nth
            self.action = action
            self.only = only
            self.thread = thread
        }

        /// Reads `CALL:N:WHAT`, where CALL is a call's name or `*` and WHAT is `KILL` or an error's number.
        public init?(text: String) {
            let parts = text.split(separator: ":")
            guard parts.count == 3, let nth = Int(parts[1]) else { return nil }
            let only = SystemCall(rawValue: String(parts[0]))
            guard only != nil || parts[0] == "*" else { return nil }
            if parts[2] == "KILL" {
                self.init(nth: nth, action: .kill, only: only)
            } else if let code = Int32(parts[2]) {
                self.init(nth: nth, action: .fail(Errno(rawValue: code)), only: only)
            } else {
                return nil
            }
        }

        /// Puts the plan in force for the whole process and counts from nought.
        public static func arm(_ plan: FaultPlan) {
            state.withLock { $0 = State(plan: plan) }
        }

        /// Ends the plan; answers how many calls it counted.
        @discardableResult
        public static func disarm() -> Int {
            state.withLock { state in
                defer { state = State() }
                return state.counted
            }
        }

        /// The plan that strikes at this call, counted: nil lets the call happen.
        static func strike(_ call: SystemCall) -> Errno? {
            let action: Action? = state.withLock { state in
                guard let plan = state.plan, plan.only == nil || plan.only == call,
                    plan.thread == nil || plan.thread == inbox_thread_id()
                else { return nil }
                state.counted += 1
                return state.counted == plan.nth ? plan.action : nil
            }
            switch action {
            case nil: return nil
            case .fail(let code): return code
            case .kill:
                kill(getpid(), SIGKILL)
                return nil
            }
        }
    }
#endif
