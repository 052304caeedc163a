import Glibc
import InboxLinux
import InboxTestSupport
import Testing

/// A file may have more extended attributes than the kernel lists, 64 KiB of names, on filesystems such as tmpfs and XFS.
@Suite("More extended attributes than can be listed")
struct ManyAttributesTests {
    private static let accessList = TestAccessList([
        (.owner, 6), (.user(4711), 4), (.group, 0), (.mask, 4), (.others, 0),
    ])

    /// Gives a file an access list and that many attributes; false where its filesystem does not take them.
    private func giveMany(_ path: TestPath) throws -> Bool {
        try Self.accessList.set(path)
        let file = try FileDescriptor.reading(path: BytePath("\(path)"))
        do throws(SyscallError) {
            for number in 0..<300 {
                let name = AttributeName("user.\(number)." + String(repeating: "n", count: 240))
                if let name { try file.setAttribute(name, to: [1]) }
            }
        } catch {
            return false
        }
        return true
    }

    private func dropped(_ stage: Stage, from outside: TestPath) async throws -> Bool {
        let path = outside / "letter.txt"
        try Disk.put(Array("letter".utf8), at: path)
        guard try giveMany(path) else { return false }
        try Disk.move(path, to: stage.inbox / "letter.txt")
        try await stage.expectCounters(["seen": 1, "filed": 1])
        let copy = try FileDescriptor.reading(path: BytePath("\(stage.documents / "letter.txt")"))
        #expect(try copy.attribute(.accessList) == Self.accessList.bytes)
        return true
    }

    @Test(
        "A document with so many is copied without them, which is reported, and with its access list",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func copied() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"], inboxOn: try OtherFilesystem())
            defer { stage.close() }
            try await stage.start()
            let outside = stage.inbox.parent / "outside"
            try Disk.makeFolders(outside)
            guard try await dropped(stage, from: outside) else { return }
            let log = Disk.text(stage.daemonLog)
            #expect(log.contains("letter.txt without the extended attributes"), "\(log)")
        }
    }

    @Test(
        "One that is renamed keeps them",
        .enabled(if: FaultStage.folder != nil, "there is no memory to write to"))
    func renamed() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"], below: FaultStage.folder)
            defer { stage.close() }
            try await stage.start()
            _ = try await dropped(stage, from: stage.root / "outside")
        }
    }
}
