#if DEBUG
    import CInboxLinux
    import Glibc
    import Synchronization

    /// Stands at the choke point of a debug build: strikes by the fault plans, and writes the trace.
    ///
    /// A line of the trace is `BEGIN END CALL SUBJECT RESULT THREAD`, separated by tabs. BEGIN and END are moments that grow
    /// with each call's beginning and end in any thread, so that one call came wholly before another where its END is
    /// less than the other's BEGIN. RESULT is `ok`, an error's number, or `struck` for a call that did not happen.
    package enum CallObserver {
        private struct State {
            var plans: [(plan: FaultPlan, counted: Int)] = []
            var trace: Int32?
            var moment = 0
            /// The memory that was lost last.
            var lost: UInt = 0
        }

        /// One call under observation.
        struct Observation {
            let call: SystemCall
            /// The plan's action that strikes it.
            var action: FaultPlan.Action?
            fileprivate var begin = 0
            /// The subject of the call; nil if nobody traces.
            fileprivate var subject: String?
        }

        private static let state = Mutex(State())

        /// Appends a trace of all calls to the file at the path from now on.
        package static func trace(to path: [UInt8]) throws(SyscallError) {
            let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC
            let number = (path + [0]).withUnsafeBytes {
                inbox_openat(AT_FDCWD, $0.baseAddress?.assumingMemoryBound(to: CChar.self), flags, 0o600)
            }
            guard number >= 0 else { throw SyscallError(.openat, Errno(rawValue: errno)) }
            state.withLock { $0.trace = number }
        }

        static func arm(_ plans: [FaultPlan]) {
            state.withLock { $0.plans = plans.map { ($0, 0) } }
        }

        static func disarm() -> Int {
            state.withLock { state in
                defer { state.plans = [] }
                return state.plans.first?.counted ?? 0
            }
        }

        /// Counts a call that begins and returns what the fault plans do to it. Does not return where a plan kills.
        static func begin(_ call: SystemCall, _ about: () -> CallSubject) -> Observation {
            let isIdle = state.withLock { $0.plans.isEmpty && $0.trace == nil }
            var observation = Observation(call: call)
            if isIdle { return observation }
            // Asked for at most once, and outside the lock: it may be a call of its own.
            let needsSubject = state.withLock { state in
                state.trace != nil || state.plans.contains { $0.plan.asksForSubject(of: call) }
            }
            let subject = needsSubject ? about().text : ""
            state.withLock { state in
                for index in state.plans.indices where state.plans[index].plan.counts(call, { subject }) {
                    state.plans[index].counted += 1
                    let (plan, counted) = state.plans[index]
                    if plan.occasion.includes(counted), observation.action == nil { observation.action = plan.action }
                }
                state.moment += 1
                observation.begin = state.moment
                if state.trace != nil { observation.subject = subject }
            }
            if observation.action == .kill {
                write(observation, "struck")
                kill(getpid(), SIGKILL)
                // Another thread may be the one that dies first: this one makes no further call.
                while true { pause() }
            }
            // Sent to this thread, so that it stops here and not a few instructions later.
            if observation.action == .stop { raise(SIGSTOP) }
            if case .wait(let path) = observation.action { wait(for: path) }
            return observation
        }

        /// The call has ended: without an error, with one, or without having happened.
        static func end(_ observation: Observation, _ failure: Int32?) {
            switch observation.action {
            case .fail, .skip: write(observation, "struck")
            case .leak:
                if failure == nil { leak() }
                fallthrough
            default: write(observation, failure.map { String($0) } ?? "ok")
            }
        }

        private static func write(_ observation: Observation, _ result: String) {
            guard let subject = observation.subject else { return }
            state.withLock { state in
                guard let trace = state.trace else { return }
                state.moment += 1
                var line = "\(observation.begin)\t\(state.moment)\t\(observation.call.rawValue)\t\(subject)"
                line += "\t\(result)\t\(inbox_thread_id())\n"
                // A trace that is cut off fails the test that reads it.
                _ = line.withUTF8 { Glibc.write(trace, $0.baseAddress, $0.count) }
            }
        }

        /// Opening a FIFO waits for a writer, and reading from it for the writer's end: fifo(7).
        private static func wait(for path: String) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
            let fifo = open(path, O_RDONLY | O_CLOEXEC)
            guard fifo >= 0 else { return }
            var byte: UInt8 = 0
            while read(fifo, &byte, 1) > 0 {}
            close(fifo)
        }

        private static func leak() {
            _ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
            guard let lost = malloc(16384) else { return }
            memset(lost, 1, 16384)
            // Known to somebody, so that an optimizer does not leave it out.
            state.withLock { $0.lost = UInt(bitPattern: lost) }
        }
    }
#endif
