/// How the program ends (section 3 of the contract).
enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    /// EX_USAGE of sysexits.h: the command line makes no sense.
    case usage = 64
}

/// Why a command ends without its result: one line for standard error.
struct CommandFailure: Error, Hashable {
    let status: ExitStatus
    /// What failed and why, printable, without the program's name.
    let message: String

    static func failed(_ message: String) -> CommandFailure { CommandFailure(status: .failed, message: message) }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(status: .usage, message: message) }
}
