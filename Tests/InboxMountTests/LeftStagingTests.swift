import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// Staging folders on mounts inside a root, which an interruption has left and no journal names.
    @Suite("Staging folders that are left on mounts")
    struct LeftStagingTests {
        private static let kill = "INBOXD_FAULT=flistxattr@source-:1:KILL"

        @Test(
            "Without the state folder a document claimed on a mount in the Inbox is filed by the next start",
            Means.needed(), arguments: ["usb", "usb/x/y"] as [TestPath])
        func stateLost(place: TestPath) async throws {
            try await onMounts(in: .servers) { stage, mounts in
                try mounts.memory(at: stage.inbox / "usb")
                let source = stage.inbox / place / "letter.txt"
                try Disk.makeFolders(source.parent)
                try Disk.put([65], at: source)
                stage.variables = [Self.kill]
                try await stage.runDaemon([])
                #expect(stage.lastRun?.exit == .signal(SIGKILL) && !Disk.exists(source))
                try Disk.removeTree(stage.state)
                stage.variables = []
                try await stage.start()
                try await stage.expectFiled(stage.documents / place / "letter.txt", [65], from: source)
                try await stage.expectNothingStaged(beneath: stage.inbox)
                #expect(try stage.filedRecords().count == 1)
            }
        }

        @Test(
            "A document on a stick that was given up while the stick was away is filed when it is back, by itself",
            Means.needed())
        func away() async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let (stick, place) = (stage.root / "stick", stage.inbox / "usb")
                try mounts.memory(at: stick)
                try mounts.bind(stick, at: place)
                try Disk.put([65], at: place / "letter.txt")
                stage.variables = [Self.kill]
                try await stage.runDaemon([])
                #expect(stage.lastRun?.exit == .signal(SIGKILL))
                stage.variables = []
                try mounts.unmount(place)
                try await stage.start()
                #expect(try await stage.control(["retry"]).exit == .status(0))
                try await eventually {
                    Disk.text(stage.state / "journal").isEmpty ? nil : "the claim is not given up"
                }
                try mounts.bind(stick, at: place)
                try await stage.expectFiled(
                    stage.documents / "usb/letter.txt", [65], from: place / "letter.txt")
                try await stage.expectNothingStaged(beneath: place)
            }
        }

        @Test(
            "Without the state folder a document claimed for its return from a mount in Documents is where it was",
            Means.needed())
        func undone() async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let archive = stage.documents / "archive"
                try mounts.memory(at: archive)
                try Disk.makeFolders(stage.inbox / "archive/2024")
                try await stage.start()
                try Disk.put([65], at: stage.inbox / "archive/2024/letter.txt")
                let place = archive / "2024/letter.txt"
                try await stage.expectFiled(place, [65], from: stage.inbox / "archive/2024/letter.txt")
                let id = try #require(try stage.filedRecords().first?["id"]?.string)
                #expect(try await stage.end(SIGTERM) == .status(0))
                stage.variables = [Self.kill]
                try await stage.start()
                _ = try await stage.control(["undo", TestPath(id)])
                #expect(try await stage.daemon?.ended() == .signal(SIGKILL))
                #expect(!Disk.exists(place))
                try Disk.removeTree(stage.state)
                stage.variables = []
                try await stage.start()
                try await eventually { Disk.exists(place) ? nil : "it is not back" }
                #expect(try Disk.read(place) == [65])
                try await stage.expectNothingStaged(beneath: archive)
            }
        }
    }
}
