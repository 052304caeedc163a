import Glibc
import InboxTestSupport
import Testing

@Suite("Changes in Documents")
struct ContentEventsTests {
    @Test("What others add, remove and rename at the top level is reported, and what the daemon files is not")
    func reported() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            let follower = try await Follower(stage, "f")
            func changes() throws -> [String] {
                try follower.all().compactMap { event in
                    guard let kind = event["kind"]?.string, kind.hasPrefix("content") else { return nil }
                    let path = TestPath(pathBytes(fromJSON: event["path"]?.string ?? "-"))
                    let from = event["from"]?.string.map { " from \(TestPath(pathBytes(fromJSON: $0)))" } ?? ""
                    return "\(kind) \(path)\(from)".replacing("\(stage.documents)/", with: "")
                }
            }
            try stage.moveIn(Array("hello".utf8), as: "filed.txt")
            try await follower.expect("the filing") { $0.last?["kind"]?.string == "filed" }
            try Disk.put([65], at: stage.documents / "a.txt")
            try Disk.makeFolders(stage.documents / "folder/inner")
            try await follower.expect("two additions") { _ in try changes().count == 2 }
            try Disk.move(stage.documents / "a.txt", to: stage.documents / "b.txt")
            try await follower.expect("a rename") { _ in try changes().count == 3 }
            try Disk.remove(stage.documents / "b.txt")
            try Disk.move(stage.documents / "folder", to: stage.root / "outside/folder")
            try await follower.expect("two removals") { _ in try changes().count == 5 }
            try stage.moveIn(Array("again".utf8), as: "filed too.txt")
            try await follower.expect("the filing") { $0.last?["kind"]?.string == "filed" }
            try Disk.put([65], at: stage.documents / "last.txt")
            try await follower.expect("an addition") { _ in try changes().count >= 6 }
            #expect(
                try changes() == [
                    "contentAdded a.txt", "contentAdded folder", "contentRenamed b.txt from a.txt",
                    "contentRemoved b.txt", "contentRemoved folder", "contentAdded last.txt",
                ])
        }
    }

    @Test("A folder that the daemon makes for what it files is no change by others; one that others make is")
    func ownFolders() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            let follower = try await Follower(stage, "f")
            try Disk.makeFolders(stage.inbox / "own")
            try Disk.put([65], at: stage.inbox / "own/a.txt")
            try await follower.expect("the filing") { $0.last?["kind"]?.string == "filed" }
            try Disk.makeFolders(stage.documents / "theirs")
            try await follower.expect("an addition") { $0.last?["kind"]?.string == "contentAdded" }
            let added = try follower.all().filter { $0["kind"]?.string == "contentAdded" }
            #expect(added.compactMap { $0["path"]?.string } == ["\(stage.documents / "theirs")"])
        }
    }

    @Test("Without a follower nothing is watched or reported")
    func unwatched() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            try Disk.put([65], at: stage.documents / "a.txt")
            let follower = try await Follower(stage, "f", ["--since", "0"])
            try stage.moveIn(Array("hello".utf8), as: "filed.txt")
            try await follower.expect("the filing") { $0.last?["kind"]?.string == "filed" }
            #expect(try !follower.all().contains { $0["kind"]?.string?.hasPrefix("content") == true })
        }
    }
}
