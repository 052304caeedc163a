import InboxConfiguration
import InboxLinux
import InboxVarlink

/// Decides who may do what over the control socket, and logs who is refused: `[Control]` of inboxd.conf(5).
final class AccessControl {
    /// The users and groups that have a right.
    private struct Permitted {
        let users: Set<UInt32>
        let groups: Set<UInt32>

        func includes(_ caller: UnixSocket.Peer) -> Bool { users.contains(caller.user) || caller.belongs(to: groups) }
    }

    /// The number of a user's consecutive refusals that are logged; more would let that user fill the log.
    private static let mostRefusals = 10
    /// The time until a user's refusals are logged again.
    private static let refusalSpan = Duration.seconds(60)

    private let log: Log
    private var changing = Permitted(users: [], groups: [])
    private var putting = Permitted(users: [], groups: [])
    private var refusals: [UInt32: (since: Instant, count: Int)] = [:]

    /// Permits what the settings say, besides root and this process's user, who may do everything.
    init(_ settings: ControlSettings, log: Log) {
        self.log = log
        adopt(settings)
    }

    /// Permits what these settings say from now on. Names are looked up once, here.
    func adopt(_ settings: ControlSettings) {
        changing = permitted(
            settings.allowUsers, settings.allowGroups, keys: ("AllowUsers", "AllowGroups"))
        putting = permitted(
            settings.putAllowUsers, settings.putAllowGroups, keys: ("PutAllowUsers", "PutAllowGroups"))
    }

    private func permitted(
        _ users: [[UInt8]], _ groups: [[UInt8]], keys: (users: String, groups: String)
    ) -> Permitted {
        func numbers(_ names: [[UInt8]], _ key: String, _ what: String, _ find: ([UInt8]) -> UInt32?) -> Set<UInt32> {
            var found: Set<UInt32> = []
            for name in names {
                if let number = find(name) {
                    found.insert(number)
                } else {
                    log.write(.warning, "\(key)=\(EscapedBytes.printable(name)): there is no such \(what)")
                }
            }
            return found
        }
        return Permitted(
            users: numbers(users, keys.users, "user", AccountNames.user),
            groups: numbers(groups, keys.groups, "group", AccountNames.group))
    }

    /// Returns true if somebody is root or this process's own user.
    static func isTrusted(_ user: UInt32) -> Bool { user == 0 || user == Process.user }

    /// Returns true if the caller has the right, and logs a refusal.
    func permits(_ right: Right, to method: String, _ caller: UnixSocket.Peer) -> Bool {
        let permitted =
            switch right {
            case .change: changing
            case .put: putting
            }
        if Self.isTrusted(caller.user) || permitted.includes(caller) { return true }
        noteRefusal(of: method, caller)
        return false
    }

    /// Returns true if the caller may deliver through the daemon; nothing is logged.
    func mayPut(_ caller: UnixSocket.Peer) -> Bool { Self.isTrusted(caller.user) || putting.includes(caller) }

    private func noteRefusal(of method: String, _ caller: UnixSocket.Peer) {
        let now = Instant.now()
        refusals = refusals.filter { now < $0.value.since + Self.refusalSpan }
        var record = refusals[caller.user] ?? (now, 0)
        record.count += 1
        refusals[caller.user] = record
        guard record.count <= Self.mostRefusals else { return }
        let rest =
            record.count == Self.mostRefusals ? "; further refusals of this user are not logged for a minute" : ""
        log.write(
            LogEntry(
                .refused, .warning,
                "refused \(method) to the user \(AccountNames.name(ofUser: caller.user)), process \(caller.process)\(rest)",
                [
                    ("INBOX_METHOD", Array(method.utf8)), ("INBOX_CALLER_UID", Array("\(caller.user)".utf8)),
                    ("INBOX_CALLER_PID", Array("\(caller.process)".utf8)),
                ]))
    }
}
