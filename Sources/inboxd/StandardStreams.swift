import InboxCore
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
            // There is nobody left to tell: the exit status says it.
        }
    }
}

/// The tests' fault plan, which only a debug build has.
enum FaultPlanSetting {
    /// Arms the plan of `INBOXD_FAULT`, if there is one.
    static func apply() {
        #if DEBUG
            if let text = Process.environment("INBOXD_FAULT"),
                let plan = FaultPlan(text: String(decoding: text, as: UTF8.self))
            {
                FaultPlan.arm(plan)
            }
        #endif
    }
}
