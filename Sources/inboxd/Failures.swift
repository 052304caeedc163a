import InboxConfiguration
import InboxCore
import InboxDaemon
import InboxLinux
import UniformTypeIdentifiers

extension CommandFailure {
    /// The line and the status that a daemon which could not begin ends with.
    init(_ error: DaemonError, _ configuration: Configuration) {
        switch error {
        case .start(let failure): self.init(failure, configuration)
        case .socket(.taken(let path)):
            self = .failed(
                "cannot listen at \(path): another inboxd answers there; \(Self.otherSocket(configuration))")
        case .socket(.occupied(let path)):
            self = .failed(
                "cannot listen at \(path): something that is no socket is there; remove it, or "
                    + Self.otherSocket(configuration))
        case .socket(.failed(let path, let error)): self = Self.socket(path, error, configuration)
        case .socket(.passed(let text)):
            self = .failed("cannot use the control socket that systemd passed: \(text)")
        case .interface(let error): self = .failed("the interface's definition is malformed: \(error)")
        case .types(let error): self.init(error)
        case .configuration(let problems):
            self.init(status: .configuration, message: problems.map(\.description).joined(separator: "\ninboxd: "))
        case .processes(let path, let error):
            self = .failed("cannot read \(path): \(error.errno): mount proc(5) at /proc")
        case .kernel(let error): self = .failed("cannot go on: \(error)")
        }
    }

    /// The same for own types that cannot be declared.
    init(_ error: UTTypeDeclarationError) {
        self.init(status: .configuration, message: error.description)
    }

    /// The same for work that could not begin.
    init(_ failure: StartFailure, _ configuration: Configuration) {
        switch failure {
        case .taken(let state, let process):
            let owner = process.map { "process \($0)" } ?? "another process"
            self.init(
                status: .unfinished,
                message: "cannot use the state folder \(state): \(owner) works on it; --state names another")
        case .folder(let path, let error):
            let isDefault = path == configuration.documents && configuration.documentsOrigin == .builtIn
            let remedy = Sandbox.remedy(for: path, error.errno, isDefault: isDefault)
            guard let remedy, Process.environment("NOTIFY_SOCKET") != nil else {
                self = .failed("cannot use the folder \(path): \(error.errno)\(Self.advice(error))")
                return
            }
            // Not a failure that the next start mends: the status keeps the service from being started for ever.
            self.init(
                status: .configuration, message: "cannot use the folder \(path): \(error.errno); \(remedy)")
        case .path(let path, let error): self = .failed("cannot inspect \(path): \(error.errno)")
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

    /// A socket that cannot be made. A path of a file that cannot be is a mistake in the configuration, which the next
    /// start would make again.
    private static func socket(
        _ path: BytePath, _ error: SyscallError, _ configuration: Configuration
    ) -> CommandFailure {
        let code = error.errno
        var advice = code.isAbsent ? "make the folder around it first, or " : ""
        if let remedy = Sandbox.remedy(for: path, code), Process.environment("NOTIFY_SOCKET") != nil {
            advice += remedy + ", or "
        }
        let message = "cannot listen at \(path): \(code); \(advice)\(otherSocket(configuration))"
        guard case .file? = configuration.socketOrigin, code.isAbsent || code.isReadOnly else {
            return .failed(message)
        }
        return CommandFailure(status: .configuration, message: message)
    }

    /// Returns advice on naming another place for the socket: where the present one was named.
    private static func otherSocket(_ configuration: Configuration) -> String {
        guard let origin = configuration.socketOrigin, origin != .commandLine else {
            return "name another place with --socket"
        }
        return "name another place in Socket= (\(origin))"
    }
}
