import Glibc
import InboxTestSupport
import Testing

@Suite("A package that arrives behind many documents")
struct LatePackageTests {
    @Test("Its quiet time begins when the daemon first sees it: a file that follows then is filed with it")
    func late() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
            daemon.signal(SIGSTOP)
            defer { daemon.signal(SIGCONT) }
            for number in 0..<1_500 { try Disk.put([1], at: stage.inbox / TestPath("\(number).txt")) }
            let package = stage.inbox / "note.rtfd"
            try Disk.makeFolder(package)
            try Disk.put([1], at: package / "TXT.rtf")
            // Longer than the quiet time of a package, which nobody has seen yet.
            pause(.seconds(6))
            daemon.signal(SIGCONT)
            // The documents before it are under way.
            try await eventually {
                try Disk.names(in: stage.documents).count > 1 ? nil : "nothing is filed"
            }
            try Disk.put([2], at: package / "picture.png")
            try await stage.expectCounters(["seen": 1_501, "filed": 1_501, "waiting": 0])
            #expect(try Disk.names(in: stage.documents / "note.rtfd") == ["TXT.rtf", "picture.png"])
            let names = try Disk.names(in: stage.documents)
            #expect(!names.contains("note-1.rtfd"))
        }
    }
}
