import InboxConfiguration
import InboxLinux
import InboxVarlink

/// Questions about paths that people typed: finds the name that the daemon knows each by.
struct DaemonPaths {
    /// The answer about one path.
    enum Answer {
        /// The daemon's reply, and the path that it was asked about.
        case reply(BytePath, [String: JSONValue])
        /// The daemon refuses the path, and why in words. `isForeign`: it lies below no root that the daemon names.
        case refused(String, isForeign: Bool)
    }

    let daemon: Daemon
    private let workingDirectory: BytePath
    /// Says that an answer takes long.
    private let remark: () -> Void
    private let roots: [(name: BytePath, real: BytePath)]

    /// Asks the daemon for its roots.
    init(_ invocation: Invocation) throws(CommandFailure) {
        daemon = try Daemon(invocation)
        workingDirectory = invocation.surroundings.environment.workingDirectory ?? BytePath("")
        remark = { invocation.complain("the daemon is still searching, the history perhaps: Ctrl-C ends that") }
        let status = try daemon.call("GetStatus")
        var names = [status["documents"]?.string]
        if case .array(let inboxes)? = status["inboxes"] { names += inboxes.map { $0["path"]?.string } }
        roots = names.compactMap { $0.flatMap(BytePath.init(escapedText:)) }.map { name in
            // A root that is missing now, or that this person may not reach, still has its own name.
            do throws(SyscallError) { return (name, try RealPath.ofFolder(name) ?? name) } catch { return (name, name) }
        }
    }

    /// Returns whether a path is one of an Inbox or of Documents, of which a retry accepts the disk.
    func isRoot(_ path: BytePath) -> Bool { roots.contains { $0.name == path || $0.real == path } }

    /// The path that was typed by the daemon's own name of it; nil where a folder on the way does not exist.
    func named(_ typed: [UInt8]) -> BytePath? {
        guard !typed.isEmpty, let given = BytePath(bytes: typed) else { return nil }
        return TypedPath(given, workingDirectory: workingDirectory).named(by: roots)
    }

    /// The Inbox that was typed: by its path, or as the configuration names it, beneath Documents.
    func inbox(_ typed: [UInt8]) -> BytePath? {
        let path = named(typed)
        if path.map(isRoot) == true { return path }
        guard let given = BytePath(bytes: typed), !given.isAbsolute, let documents = roots.first?.name else {
            return path
        }
        return documents.appending(given).normalized.flatMap { isRoot($0) ? $0 : nil } ?? path
    }

    /// Calls a method about a path, for each reading of what was typed until one is answered. The reason why the first is
    /// refused counts: nearly always there is no other.
    func call(_ method: String, _ typed: [UInt8]) throws(CommandFailure) -> Answer {
        let first = try ask(method, typed)
        guard case .refused = first else { return first }
        for reading in TypedPath.readings(of: typed).dropFirst() {
            let answer = try ask(method, reading)
            if case .reply = answer { return answer }
        }
        return first
    }

    /// Calls a method with the parameter `path`: with the daemon's own name of the path first, then as it was typed.
    private func ask(_ method: String, _ typed: [UInt8]) throws(CommandFailure) -> Answer {
        guard !typed.isEmpty, let given = BytePath(bytes: typed) else {
            return .refused("an empty path leads nowhere", isForeign: false)
        }
        let path = TypedPath(given, workingDirectory: workingDirectory)
        guard let named = path.named(by: roots) else {
            return .refused("\(printable(typed)): there is no such folder on the way", isForeign: false)
        }
        var refusal = ""
        for candidate in named == path.literal ? [named] : [named, path.literal] {
            switch try daemon.answer(method, ["path": .string(candidate.escapedText)], remark) {
            case .reply(let reply): return .reply(candidate, reply)
            // The first candidate is the better one, and so is the reason why it is refused.
            case .refused(let reason): if refusal.isEmpty { refusal = reason }
            }
        }
        // A root itself is refused like what lies elsewhere: it is a folder, and nothing is ever filed as it.
        let isForeign = roots.contains { $0.name == named } || !roots.contains { named.isInside($0.name) }
        return .refused(refusal, isForeign: isForeign)
    }
}

extension Daemon {
    /// The result of a call about one path.
    enum PathAnswer {
        /// The output.
        case reply([String: JSONValue])
        /// The path is refused, and why in words; another path may be answered.
        case refused(String)
    }

    /// The time that an answer may take before that is remarked.
    static let patience = Duration.seconds(3)

    /// Calls a method about a path, which may take as long as a search of the history does. Only a refusal of that path is an
    /// answer; all else ends the command.
    /// - Parameter remark: says that it takes long.
    func answer(
        _ method: String, _ parameters: [String: JSONValue], _ remark: () -> Void = {}
    ) throws(CommandFailure) -> PathAnswer {
        var client = try connect()
        do throws(ClientError) {
            return .reply(
                try client.call("io.inboxd.Inbox." + method, parameters, after: Self.patience, remark: remark))
        } catch {
            if case .refused("io.inboxd.Inbox.UnreachablePath", _) = error { return .refused(Daemon.words(for: error)) }
            throw .failed("the daemon: " + Daemon.words(for: error))
        }
    }
}
