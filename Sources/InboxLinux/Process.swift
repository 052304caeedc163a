import Glibc

/// Facts about this process.
public enum Process {
    /// Its number, getpid(2).
    public static var current: Int32 { getpid() }

    /// Its effective user, geteuid(2).
    public static var user: UInt32 { geteuid() }

    /// The value of an environment variable, byte for byte; nil where it is not set.
    public static func environment(_ name: String) -> [UInt8]? {
        guard let value = getenv(name) else { return nil }
        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// The arguments, byte for byte: names need not be UTF-8.
    public static var arguments: [[UInt8]] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    /// Ends the process with this status.
    public static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
