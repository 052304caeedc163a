import InboxLinux

/// A program that is to be started, with its arguments and its environment, none of which a shell reads.
struct ProgramPlan: Sendable, Hashable {
    /// The program's path.
    let program: BytePath
    /// The program and its arguments, the program's path first.
    let arguments: [[UInt8]]
    /// Each `NAME=VALUE`.
    private(set) var environment: [[UInt8]] = []

    /// The variables of the daemon that a program needs to find its way; all others are its own business, and some would
    /// have a program take itself for the daemon (`NOTIFY_SOCKET`, `LISTEN_FDS`).
    static let inherited = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LC_TIME", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"]
    private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    /// A program of these arguments, with what it needs of the daemon's environment.
    /// - Parameter variable: the daemon's own environment.
    init(_ program: BytePath, _ arguments: [[UInt8]], variable: (String) -> [UInt8]?) {
        self.program = program
        self.arguments = arguments
        for name in Self.inherited {
            if let value = variable(name) ?? (name == "PATH" ? Array(Self.usualPath.utf8) : nil) { add(name, value) }
        }
    }

    /// Adds a variable to the environment. One that has a NUL is left out: it would end there, and half a value is another.
    mutating func add(_ name: String, _ value: [UInt8]) {
        if value.contains(0) { return }
        environment.append(Array(name.utf8) + [UInt8(ascii: "=")] + value)
    }

    /// Adds a variable of text to the environment.
    mutating func add(_ name: String, _ value: String) { add(name, Array(value.utf8)) }
}
