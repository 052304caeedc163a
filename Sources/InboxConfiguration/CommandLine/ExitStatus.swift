/// The exit status of a program (section 3 of the contract).
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// All went well.
    case done = 0
    /// Something failed.
    case failed = 1
    /// EX_USAGE of sysexits.h: the command line makes no sense.
    case usage = 64
    /// EX_TEMPFAIL: something still waits or is held, or another daemon has the work.
    case unfinished = 75
    /// EX_CONFIG: the configuration is broken.
    case configuration = 78
}

/// The reason why a command ends without its result: one line for standard error.
package struct CommandFailure: Error, Hashable {
    /// The exit status of the program.
    package let status: ExitStatus
    /// The failure and its reason, printable, without the program's name.
    package let message: String

    /// A failure with this status.
    package init(status: ExitStatus, message: String) {
        self.status = status
        self.message = message
    }

    /// Creates a failure to do what was requested.
    package static func failed(_ message: String) -> CommandFailure {
        CommandFailure(status: .failed, message: message)
    }

    /// The command line makes no sense.
    package static func usage(_ message: String) -> CommandFailure { CommandFailure(status: .usage, message: message) }
}
