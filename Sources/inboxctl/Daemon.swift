import InboxConfiguration
import InboxLinux
import InboxVarlink

/// The way to a daemon: which sockets are tried, and what is said when nobody answers.
struct Daemon {
    /// The sockets, in the order in which they are tried.
    let sockets: [BytePath]
    private let instance: String?
    /// The user named the socket, which may be the wrong one.
    private let isNamed: Bool
    private let surroundings: Surroundings

    /// The daemon that the command line and the environment name.
    init(_ invocation: Invocation) throws(CommandFailure) {
        let instance = try invocation.arguments.text("instance")
        let socket = invocation.arguments.value("socket")
        if let instance {
            guard socket == nil else { throw .usage("--socket and --instance name two daemons: give one of them") }
            guard StandardPlaces.isValidInstance(instance) else {
                throw .usage("\"\(printable(instance.utf8))\" cannot be the name of an instance")
            }
        }
        self.instance = instance
        let variable = invocation.surroundings.variable("INBOXD_SOCKET") ?? []
        isNamed = socket != nil || (instance == nil && !variable.isEmpty)
        surroundings = invocation.surroundings
        if let socket {
            guard !socket.isEmpty, let path = BytePath(bytes: socket) else { throw .usage("--socket needs a path") }
            sockets = [path]
        } else {
            let environment = invocation.surroundings.environment
            sockets = StandardPlaces(environment: environment, instance: instance).clientSockets
        }
    }

    /// The reason why no daemon was reached.
    struct Unreachable: Error {
        /// The failure to report.
        let failure: CommandFailure
        /// A certain daemon was meant, or there is one that does not serve this person. That is worth reporting,
        /// while it is quite usual that none runs.
        let isNews: Bool
    }

    /// Connects to the first daemon that answers.
    /// - Parameter timeout: how long each answer may take.
    func connect(timeout: Duration = .seconds(10)) throws(CommandFailure) -> Client {
        do throws(Unreachable) { return try reach(timeout: timeout) } catch { throw error.failure }
    }

    /// The same, for who can do without a daemon.
    func reach(timeout: Duration) throws(Unreachable) -> Client {
        var failures: [(path: BytePath, reason: String)] = []
        for path in sockets {
            do throws(ClientError) {
                return try Client(path: path, timeout: timeout)
            } catch {
                failures.append((path, Daemon.words(for: error)))
            }
        }
        let isThere = failures.contains { [Daemon.denied, Daemon.busy].contains($0.reason) }
        throw Unreachable(failure: .failed(unreachable(failures)), isNews: isNamed || isThere)
    }

    /// One line: what was tried, why it failed, what to do.
    func unreachable(_ failures: [(path: BytePath, reason: String)]) -> String {
        let reasons = Set(failures.map(\.reason))
        let tried =
            reasons.count == 1
            ? failures.map(\.path.displayText).joined(separator: ", ") + " (\(failures[0].reason))"
            : failures.map { "\($0.path.displayText) (\($0.reason))" }.joined(separator: ", ")
        let denied = failures.first { $0.reason == Daemon.denied }
        return "no daemon answers at \(tried): \(denied.map { Daemon.remedy(forDenied: $0.path) } ?? advice(reasons))"
    }

    /// Returns advice to a person who may not open the socket.
    static func remedy(forDenied path: BytePath) -> String {
        do throws(SyscallError) {
            let mode = try FileStatus(target: path).permissions & 0o777
            if mode & 0o060 == 0 {
                return "its mode is 0\(String(mode, radix: 8)), which admits no group: "
                    + "ask for SocketMode=0660 in the daemon's configuration"
            }
        } catch {
            // The folder is closed too; the group's members may enter it.
        }
        return "ask to become a member of the socket's group"
    }

    private func advice(_ reasons: Set<String>) -> String {
        if reasons.contains(Daemon.busy) { return "try again in a moment" }
        if let instance {
            return "start it with \"systemctl start inboxd@\(printable(instance.utf8))\""
        }
        let doubt = isNamed ? "if that is its socket, " : ""
        return doubt
            + (isOfMachine
                ? "start it with \"systemctl start inboxd\""
                : "start one with \"systemctl --user start inboxd\" or \"inboxd\"")
    }

    /// The machine's daemon is meant: by root, and by a person who has no unit where the machine has one.
    private var isOfMachine: Bool {
        let environment = surroundings.environment
        if environment.userID == 0 { return true }
        let own = [environment.home?.appending(".local/share"), environment.home?.appending(".config")].compactMap {
            $0?.appending("systemd/user/inboxd.service")
        }
        let machine = ["/etc", "/usr/local/lib", "/usr/lib", "/lib"].map {
            BytePath($0).appending("systemd/system/inboxd.service")
        }
        return !own.contains(where: surroundings.exists) && machine.contains(where: surroundings.exists)
    }

    private static let denied = "permission denied"
    private static let busy = "too many connections wait"

    /// Describes to a person why a call got no answer.
    static func words(for error: ClientError) -> String {
        switch error {
        case .noAddress: "the path is too long for a socket"
        case .unreachable(let failure):
            switch failure.errno {
            case .noEntry, .notDirectory: "no such socket"
            case .connectionRefused: "nobody listens there"
            case .again: busy
            case let code where code.isDenied: denied
            case let code: "\(code)"
            }
        case .failed(let failure):
            failure.errno.isHangUp ? hungUp : "\(failure.errno)"
        case .timedOut(let span): "it is there, but gave no answer in \(spanInWords(seconds: span.components.seconds))"
        case .closed: hungUp
        case .malformedReply: "its answer is not understood"
        case .refused(let name, let parameters): refusal(name, parameters)
        }
    }

    private static let hungUp = "it hung up before it answered"

    private static func refusal(_ name: String, _ parameters: [String: JSONValue]) -> String {
        switch name.split(separator: ".").last {
        case "MethodNotFound", "MethodNotImplemented", "InterfaceNotFound":
            return "it does not know this request: is it older than inboxctl?"
        case "PermissionDenied": return "permission denied: [Control] of its configuration does not name you"
        case "TooManyConnections":
            return "as many clients are connected as it serves at a time; try again in a moment"
        case "TooManyOpenFiles":
            return "it has too many files open to serve you; try again in a moment, or raise LimitNOFILE="
        case "InvalidParameter" where parameters["parameter"]?.string == "message":
            return "the request is longer than it reads, which is 64 KiB"
        case "NotUndone": return printableWords(parameters["detail"]?.string ?? "it gave no reason")
        case "NotDelivered", "ForeignFile", "UnreadableHistory":
            return printableWords(parameters["reason"]?.string ?? "it gave no reason")
        case "UnreachablePath":
            let path = printablePath(parameters["path"]?.string ?? "")
            return "\(path): \(printableWords(parameters["reason"]?.string ?? "it cannot be inspected"))"
        default:
            let details = parameters.isEmpty ? "" : " " + JSONValue.object(parameters).text
            return "it refused: " + printableWords(name + details)
        }
    }
}

extension Daemon {
    /// Calls a method that has one reply.
    /// - Parameter subject: what a refusal is about, where that is something that was typed.
    func call(
        _ method: String, _ parameters: [String: JSONValue] = [:], timeout: Duration = .seconds(10),
        about subject: String? = nil
    ) throws(CommandFailure) -> [String: JSONValue] {
        var client = try connect(timeout: timeout)
        do throws(ClientError) {
            return try client.call("io.inboxd.Inbox." + method, parameters)
        } catch {
            if let subject, case .refused("io.inboxd.Inbox.NotUndone", _) = error {
                throw .failed("\(subject): \(Daemon.words(for: error))")
            }
            throw Daemon.failure(of: error)
        }
    }

    /// The failure of a command whose call got this error.
    static func failure(of error: ClientError) -> CommandFailure {
        if case .refused("io.inboxd.Inbox.BrokenConfiguration", let parameters) = error,
            case .array(let problems)? = parameters["problems"]
        {
            let first = problems.first?.string.map(printableWords) ?? "the configuration is broken"
            return CommandFailure(status: .configuration, message: first + otherProblems(problems.count - 1))
        }
        return .failed("the daemon: " + words(for: error))
    }

    /// Hands over the arrivals, or those in one state, as they come; false from `body` ends it.
    func arrivals(_ state: String?, _ body: (JSONValue) -> Bool) throws(CommandFailure) {
        var client = try connect()
        do throws(ClientError) {
            let parameters = state.map { ["state": JSONValue.string($0)] } ?? [:]
            try client.call("io.inboxd.Inbox.ListArrivals", parameters) { reply in reply["arrival"].map(body) ?? true }
        } catch {
            throw Daemon.failure(of: error)
        }
    }
}
