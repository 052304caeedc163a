import Glibc
import InboxConfiguration
import InboxLinux
import InboxVarlink
import Testing

@testable import InboxDaemon

@Suite("Who may do what")
struct AccessControlTests {
    /// A log whose lines go to a file without a name, and that file.
    private func log() throws -> (log: Log, number: Int32) {
        var name = Array("/tmp/inboxd-access-XXXXXX".utf8CString)
        let number = mkstemp(&name)
        try #require(number >= 0)
        unlink(name)
        let copy = dup(number)
        return (Log(level: .info, stream: FileDescriptor(owning: copy), journal: nil), number)
    }

    private func text(_ number: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = pread(number, &bytes, bytes.count, 0)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    private func settings(users: [String] = [], groups: [String] = []) -> ControlSettings {
        var settings = ControlSettings()
        settings.allowUsers = users.map { Array($0.utf8) }
        settings.allowGroups = groups.map { Array($0.utf8) }
        return settings
    }

    private static let stranger = UnixSocket.Peer(user: 4_000_000, group: 4_000_001, groups: [4_000_002])

    @Test("Root and the daemon's user may do everything; others what the settings say, by user or by any group")
    func permitted() throws {
        let (log, number) = try log()
        defer { close(number) }
        let access = AccessControl(settings(), log: log)
        for user in [0, Process.user] {
            #expect(access.permits(.change, to: "Pause", UnixSocket.Peer(user: user, group: 1)))
            #expect(access.permits(.put, to: "Put", UnixSocket.Peer(user: user, group: 1)))
        }
        #expect(!access.permits(.change, to: "Pause", Self.stranger))
        for allowed in [settings(users: ["4000000"]), settings(groups: ["4000001"]), settings(groups: ["4000002"])] {
            access.adopt(allowed)
            #expect(access.permits(.change, to: "Pause", Self.stranger))
            #expect(!access.permits(.put, to: "Put", Self.stranger), "another right")
        }
        access.adopt(settings(users: ["4000001"], groups: ["4000000"]))
        #expect(!access.permits(.change, to: "Pause", Self.stranger))
    }

    @Test("Names are looked up, and one that does not exist is reported")
    func names() throws {
        let (log, number) = try log()
        defer { close(number) }
        let access = AccessControl(settings(users: ["root", "no-such\nuser"], groups: ["no-such-group"]), log: log)
        #expect(!access.permits(.change, to: "Pause", Self.stranger))
        let text = text(number)
        #expect(text.contains("AllowUsers=no-such\\x0auser: there is no such user"))
        #expect(text.contains("AllowGroups=no-such-group: there is no such group"))
        #expect(!text.contains("AllowUsers=root"))
        #expect(AccountNames.user(named: Array("root".utf8)) == 0)
        #expect(AccountNames.group(named: Array("root".utf8)) == 0)
    }

    @Test("A refusal is logged with user and process, and nobody fills the log with them")
    func refusals() throws {
        let (log, number) = try log()
        defer { close(number) }
        let access = AccessControl(settings(), log: log)
        for _ in 0..<1000 { #expect(!access.permits(.change, to: "Pause", Self.stranger)) }
        let lines = text(number).split(separator: "\n")
        #expect(lines.first == "inboxd: warning: refused Pause to the user 4000000, process 0")
        #expect(lines.count == 10)
        #expect(lines.last?.hasSuffix("not logged for a minute") == true)
        #expect(!access.permits(.change, to: "Pause", UnixSocket.Peer(user: 4_000_009, group: 1)))
        #expect(text(number).contains("the user 4000009"))
    }
}
