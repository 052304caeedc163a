import InboxLinux

/// Where results go.
final class StandardOutput {
    private let descriptor: FileDescriptor

    init() throws(SyscallError) {
        descriptor = try FileDescriptor.standardOutput()
    }

    /// Writes all of the bytes.
    func write(_ bytes: [UInt8]) throws(SyscallError) { try descriptor.write(bytes) }
}

/// Where failures go.
enum StandardError {
    /// Writes a line to standard error.
    static func complain(_ text: String) {
        do throws(SyscallError) { try FileDescriptor.standardError().write(Array(text.utf8)) } catch {
            // Nobody would read it: the exit status says it.
        }
    }
}

/// The tests' fault plan and trace, which only a debug build has.
enum FaultPlanSetting {
    /// Arms the plans of `INBOXD_FAULT` (``FaultPlan``) and begins the trace of `INBOXD_TRACE`, if they are set. What
    /// cannot be read ends the process with status 64, since a test would otherwise pass untouched.
    static func apply() {
        #if DEBUG
            if let path = Process.environment("INBOXD_TRACE") {
                do throws(SyscallError) { try CallObserver.trace(to: path) } catch {
                    refuse("INBOXD_TRACE: \(error)")
                }
            }
            if let text = Process.environment("INBOXD_FAULT") {
                let text = String(decoding: text, as: UTF8.self)
                guard let plans = FaultPlan.plans(text: text) else { return refuse("INBOXD_FAULT: no plan: \(text)") }
                FaultPlan.arm(plans)
            }
        #endif
    }

    #if DEBUG
        private static func refuse(_ reason: String) {
            StandardError.complain("inboxd: \(reason)\n")
            Process.exit(64)
        }
    #endif
}
