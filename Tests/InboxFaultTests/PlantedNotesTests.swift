import Glibc
import InboxLinux
import InboxTestSupport
import Testing

/// A staging folder that no daemon has made: it came with an archive that was unpacked, say, and belongs to the daemon's
/// user.
@Suite("Notes that no daemon has written")
struct PlantedNotesTests {
    private let stage: Stage
    private let staging: TestPath
    /// Where programs are that a session starts, say.
    private let target: TestPath

    init() throws {
        stage = try Stage(settings: ["Inbox.Settle=0"])
        staging = stage.documents / ".inboxd-0123456789abcdef"
        target = stage.root / "outside/autostart"
        try Disk.makeFolders(staging / "source-0000000000000001")
        for folder in [staging, staging / "source-0000000000000001"] { chmod("\(folder)", 0o700) }
        try Disk.put([1], at: staging / "source-0000000000000001/run.desktop")
    }

    private func list(_ texts: [String]) -> String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    /// - Parameter isSealed: whether the notes name the lock of the folder that they are in, as only those of a daemon can.
    private func plant(isSealed: Bool, _ claim: String) throws {
        try Disk.put([], at: staging / "lock")
        let lock = try FileStatus(path: BytePath("\(staging / "lock")"))
        let change = lock.changed
        let seal = ["\(lock.identity.file.inode)", "\(change.seconds)", "\(change.nanoseconds)\(isSealed ? "" : "0")"]
        let device = lock.identity.file.device
        let rest = """
            "identity":["\(device)","1","1","1","0"],"staging":"\(stage.documents)","stagingDevice":\(device),\
            "making":"\(stage.documents)","device":\(device),"name":"run.desktop"
            """
        let lines = """
            {"seal":\(list(seal)),"state":"another"}
            {"claim":"0000000000000001",\(claim),\(rest)}

            """
        try Disk.put(Array(lines.utf8), at: staging / "claims-0000000000000001")
    }

    @Test("A source returns to no place outside the roots of the daemon", arguments: [false, true])
    func outside(isSealed: Bool) async throws {
        defer { stage.close() }
        for source in ["\(target)/run.desktop", "\(stage.documents)/../outside/autostart/run.desktop"] {
            try plant(
                isSealed: isSealed,
                """
                "source":"\(source)","inbox":"\(stage.root)/outside","destination":"\(stage.documents)"
                """)
            try await stage.runDaemon(["--once"])
            #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
            #expect(!Disk.exists(target), "\(source)")
            let left = try Disk.leaves(of: stage.documents, except: [stage.inbox])
            #expect(left.filter { $0.bytes.contains(UInt8(ascii: "r")) }.count == 1, "\(left)")
            for name in left { try Disk.removeTree(stage.documents / name) }
            try Disk.makeFolders(staging / "source-0000000000000001")
            for folder in [staging, staging / "source-0000000000000001"] { chmod("\(folder)", 0o700) }
            try Disk.put([1], at: staging / "source-0000000000000001/run.desktop")
        }
    }

    @Test("Notes with another seal than that of their folder are not believed, and the source is filed")
    func unsealed() async throws {
        defer { stage.close() }
        // Sealed, this says that the source is recorded, and its copy has its name: it would be removed.
        let victim = stage.documents / "run.desktop"
        try Disk.put([1], at: victim)
        let copy = try FileDescriptor.reading(path: BytePath("\(victim)")).status().identity
        let birth = try #require(copy.file.birth)
        let marks = [
            "\(copy.file.device)", "\(copy.file.inode)", "1", "0", "0", "\(birth.seconds)", "\(birth.nanoseconds)",
        ]
        try plant(
            isSealed: false,
            """
            "source":"\(stage.inbox)/run.desktop","inbox":"\(stage.inbox)","destination":"\(stage.documents)",\
            "copy":\(list(marks)),"claimed":\(list(marks)),"claimedChanged":["1","0"]
            """)
        try await stage.runDaemon(["--once"])
        #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
        let names = try Disk.names(in: stage.documents)
        #expect(names == ["Inbox", "run-1.desktop", "run.desktop"], "\(names)")
        #expect(try stage.filedRecords().count == 1)
    }

    @Test("What is no file, too long or nothing but lines under the name of notes keeps no source from returning")
    func odd() async throws {
        defer { stage.close() }
        try Disk.put([UInt8](repeating: 0x0A, count: 3 << 20), at: staging / "claims-0000000000000002")
        try Disk.put([UInt8](repeating: 0x0A, count: 5 << 20), at: staging / "claims-0000000000000003")
        #expect(mkfifo("\(staging / "claims-0000000000000004")", 0o600) == 0)
        try Disk.makeFolder(staging / "claims-0000000000000005")
        try await stage.runDaemon(["--once"])
        #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
        #expect(try Disk.read(stage.documents / "run.desktop") == [1])
        #expect(!Disk.exists(staging / "claims-0000000000000002") && !Disk.exists(staging / "claims-0000000000000003"))
    }

    @Test(
        "A folder of another user under the name of a staging folder is left alone, and others are swept",
        .enabled(if: geteuid() == 0, "needs root"))
    func another() async throws {
        defer { stage.close() }
        let other = stage.documents / ".inboxd-0000000000000000"
        try Disk.makeFolders(other / "source-0000000000000001")
        try Disk.put([2], at: other / "source-0000000000000001/theirs.txt")
        chown("\(other)", 4001, 4001)
        chmod("\(other)", 0o700)
        try await stage.runDaemon(["--once"])
        #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
        #expect(try Disk.read(stage.documents / "run.desktop") == [1])
        #expect(try Disk.read(other / "source-0000000000000001/theirs.txt") == [2])
    }
}
