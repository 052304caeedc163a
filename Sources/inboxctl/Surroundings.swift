import InboxConfiguration
import InboxDetection
import InboxLinux

/// The process's view of its surroundings; passed in, so that every rule can be tested.
struct Surroundings {
    /// The environment and the user, as far as the sockets' places and the colours depend on them.
    var environment: ConfigurationEnvironment
    /// The wall clock.
    var now: () -> Timestamp
    /// The clock by which time that passes is measured.
    var clock: () -> Instant = Instant.now
    /// Lets so much time pass, or less where the terminal gets another size.
    var pause: (Duration) -> Void
    /// Columns and lines of the terminal on standard output, as they are now; nil where there is none.
    var terminalSize: () -> (width: Int, height: Int)?

    /// The disk, as far as the configuration needs it.
    var files: ConfigurationFiles
    /// Where the MIME database is.
    var database: MIMEDatabasePlaces
    /// The descriptor that results go to, to see whether somebody reads them.
    var output: Int32
    /// Takes lines for standard error.
    var complain: (String) -> Void
    /// Returns true if something is at a path: of the units, to say how a daemon is started here.
    var exists: (BytePath) -> Bool = { _ in false }
    /// Returns true if it is certain that nothing is at a path.
    var isGone: (BytePath) -> Bool = { _ in false }
    /// Finds the processes that write to files.
    var writers: ([BytePath]) -> [BytePath: [WritingProcess]] = { _ in [:] }

    /// The value of a variable, byte for byte.
    func variable(_ name: String) -> [UInt8]? { environment.variables[Array(name.utf8)] }

    /// Those of this process.
    static func ofThisProcess() -> Surroundings {
        var environment = ConfigurationEnvironment.ofThisProcess()
        for name in ["INBOXD_SOCKET", "NO_COLOR", "TERM"] {
            environment.variables[Array(name.utf8)] = Process.environment(name)
        }
        return Surroundings(
            environment: environment, now: Timestamp.now, pause: Terminal.pause(for:),
            terminalSize: Terminal.sizeOnStandardOutput, files: .disk, database: .ofThisProcess, output: 1,
            complain: complain, exists: FileStatus.exists, isGone: isGone, writers: writers)
    }

    /// This process is left out: what a shell has open for writing is inherited by what it starts.
    private static func writers(_ paths: [BytePath]) -> [BytePath: [WritingProcess]] {
        WriterSearch.writers(of: paths, leavingOut: Process.current)
    }

    private static func isGone(_ path: BytePath) -> Bool {
        do throws(SyscallError) {
            _ = try FileStatus(path: path)
            return false
        } catch {
            return error.errno == .noEntry || error.errno == .notDirectory
        }
    }

    private static func complain(_ text: String) {
        do throws(SyscallError) {
            try FileDescriptor.standardError().write(Array(text.utf8))
        } catch {
            // Nobody would read it: the exit status says it.
        }
    }
}
