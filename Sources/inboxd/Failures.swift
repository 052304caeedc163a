import InboxConfiguration
import InboxCore
import InboxDaemon
import InboxLinux
import UniformTypeIdentifiers

extension CommandFailure {
    /// The line and the status that a daemon which could not begin ends with.
    init(_ error: DaemonError) {
        switch error {
        case .start(let failure): self.init(failure)
        case .socket(.taken(let path)):
            self = .failed("cannot listen at \(path): another inboxd answers there; --socket names another place")
        case .socket(.occupied(let path)):
            self = .failed(
                "cannot listen at \(path): something that is no socket is there; remove it, or use --socket")
        case .socket(.failed(let path, let error)):
            let advice = error.errno == .noEntry ? "make the folder around it first, or use --socket" : "use --socket"
            self = .failed("cannot listen at \(path): \(error.errno); \(advice)")
        case .socket(.passed(let text)):
            self = .failed("cannot use the control socket that systemd passed: \(text)")
        case .interface(let error): self = .failed("the interface's definition is malformed: \(error)")
        case .types(let error): self.init(error)
        case .kernel(let error): self = .failed("cannot go on: \(error)")
        }
    }

    /// The same for own types that cannot be declared.
    init(_ error: UTTypeDeclarationError) {
        self.init(status: .configuration, message: error.description)
    }

    /// The same for work that could not begin.
    init(_ failure: StartFailure) {
        switch failure {
        case .taken(let state, let process):
            let owner = process.map { "process \($0)" } ?? "another process"
            self.init(
                status: .unfinished,
                message: "cannot use the state folder \(state): \(owner) works on it; --state names another")
        case .folder(let path, let error) where error.errno.isReadOnly && Process.environment("NOTIFY_SOCKET") != nil:
            // Not a failure that the next start mends: the status keeps the service from being started for ever.
            self.init(
                status: .configuration,
                message: "cannot use the folder \(path): \(error.errno); where the unit's sandbox is the reason, "
                    + "add ReadWritePaths= for it, or for a folder around it, by \"systemctl edit\" and start again")
        case .folder(let path, let error):
            self = .failed("cannot use the folder \(path): \(error.errno)\(Self.advice(error))")
        case .kernel(let error): self = .failed("cannot go on: \(error)")
        }
    }

    private static func advice(_ error: SyscallError) -> String {
        switch error.errno {
        case .noEntry: "; make the folder around it first"
        case let code where code.isDenied: "; let the daemon's user read and write it"
        default: ""
        }
    }
}
