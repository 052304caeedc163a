import Glibc
import InboxCore
import InboxLinux

/// What the process knows of its surroundings; handed in, so that every rule can be tested.
struct Surroundings {
    /// The environment and the user, as far as the sockets' places depend on them.
    var environment: ConfigurationEnvironment
    /// The wall clock.
    var now: () -> Timestamp
    /// Lets so much time pass.
    var pause: (Duration) -> Void

    /// The value of a variable, byte for byte.
    func variable(_ name: String) -> [UInt8]? { environment.variables[Array(name.utf8)] }

    /// Those of this process.
    static func ofThisProcess() -> Surroundings {
        var variables: [[UInt8]: [UInt8]] = [:]
        for name in [
            "HOME", "INBOXD_SOCKET", "NO_COLOR", "TERM", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
        ] {
            guard let value = getenv(name) else { continue }
            variables[Array(name.utf8)] = bytes(of: value)
        }
        return Surroundings(
            environment: ConfigurationEnvironment(userID: geteuid(), variables: variables), now: Timestamp.now
        ) { duration in
            let nanoseconds = max(0, duration.wholeNanoseconds)
            var left = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
            // A signal that is handled ends the pause early, which harms nobody.
            nanosleep(&left, nil)
        }
    }

    /// The words of this process's command line, less the program's name: bytes, since names are not text.
    static func words() -> [[UInt8]] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { CommandLine.unsafeArgv[$0].map { bytes(of: $0) } }
    }

    /// Columns and lines of the terminal on standard output, 0 where it does not tell; nil where there is none.
    static func sizeOfStandardOutput() -> (width: Int, height: Int)? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return (0, 0) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
}
