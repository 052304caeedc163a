import Glibc
import InboxTestSupport
import Testing

@Suite(
    "Handlers of several users' documents",
    .enabled(if: geteuid() == 0, "only root gives files away"))
struct HandlerShareTests {
    private static let (busy, other): (uid_t, uid_t) = (4711, 4712)

    @Test("One user's many slow documents do not delay another's by more than one of them, also after a restart")
    func turns() async throws {
        let stage = try Stage(settings: ["Inbox.Settle=0", "DocumentType Texts.ContentTypes=public.plain-text"])
        defer { stage.close() }
        let handler = "until [ -e \(stage.root)/go ]; do sleep 0.01; done; echo {name} >> \(stage.root)/seen"
        stage.settings.append(TestPath("DocumentType Texts.Run=/bin/sh -c '\(handler)'"))
        try await stage.start()
        for number in 1...20 { try moveIn("busy", number, of: Self.busy, stage) }
        try await stage.expectCounters(["filed": 20])
        try moveIn("other", 1, of: Self.other, stage)
        try await stage.expectCounters(["filed": 21])
        try moveIn("other", 2, of: Self.other, stage)
        try await stage.expectCounters(["filed": 22])
        #expect(try await stage.end(SIGTERM) == .status(0))
        try await stage.start()
        for number in 21...40 { try moveIn("busy", number, of: Self.busy, stage) }
        try await stage.expectCounters(["filed": 20])
        try moveIn("other", 3, of: Self.other, stage)
        try await stage.expectCounters(["filed": 21])
        try Disk.put([], at: stage.root / "go")
        let seen = stage.root / "seen"
        try await eventually { Disk.text(seen).split(separator: "\n").count == 43 ? nil : Disk.text(seen) }
        let users = Disk.text(seen).split(separator: "\n").map { $0.prefix { $0 != " " } }
        let places = users.indices.filter { users[$0] == "other" }
        // The one that the daemon begins with may be of either.
        #expect(places == [1, 3, 5] || places == [0, 2, 4], "\(users)")
    }

    private func moveIn(_ user: String, _ number: Int, of owner: uid_t, _ stage: Stage) throws {
        let name = TestPath("\(user) \(number).txt")
        let file = stage.root / "outside" / name
        try Disk.put(Array("text\n".utf8), at: file)
        try Disk.check("chown", file, file.withCString { chown($0, owner, owner) })
        try Disk.move(file, to: stage.inbox / name)
    }
}
