import Glibc
import InboxTestSupport
import Testing

extension ControlRightsTests {
    @Test(
        "Learns nothing of the private folder that a document came from, nor of what was inside one that is gone",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func origins() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=0", "Inbox.Folders=flatten"]) { stage in
            try await stage.start()
            func mode(_ path: TestPath, _ mode: mode_t) { _ = path.withCString { chmod($0, mode) } }
            mode(stage.documents, 0o755)
            mode(stage.inbox, 0o755)
            let (follower, events) = try await follow(stage, "other.events")
            defer { follower.signal(SIGKILL) }
            let folder = stage.root / "outside/merger"
            try Disk.makeFolder(folder)
            try Disk.put([65], at: folder / "notes.txt")
            mode(folder, 0o700)
            try Disk.move(folder, to: stage.inbox / "merger")
            try Disk.put([66], at: stage.root / "ill.txt")
            let put = try await stage.control(["put", "--annotate=diagnosis=grave", stage.root / "ill.txt"])
            #expect(put.exit == .status(0), "\(put)")
            try await stage.expectFiledRecords(2)
            try Disk.remove(stage.documents / "ill.txt")
            let (own, other) = (
                try await stage.control(["history", "--json"]), try await asOther(["history", "--json"], on: stage)
            )
            for word in ["notes.txt", "ill.txt", "merger", "grave"] {
                #expect(own.output.contains(word), "\(own)")
                #expect(other.output.contains(word) == word.hasSuffix(".txt"), "\(word): \(other)")
            }
            // A guess does not reveal a hidden source either.
            for guess in ["merger", "notes.txt"] {
                let found = try await asOther(["history", "--json", TestPath(guess)], on: stage)
                #expect(found.output.contains("notes.txt") == (guess == "notes.txt"), "\(found)")
            }
            if Disk.exists(stage.inbox / "merger") { try Disk.removeTree(stage.inbox / "merger") }
            #expect(try await stage.control(["explain", stage.inbox / "merger"]).output.contains("notes.txt"))
            for guess: TestPath in ["merger", "merger/notes.txt"] {
                let explained = try await asOther(["explain", stage.inbox / guess], on: stage)
                #expect(explained.exit == .status(1) && explained.output.isEmpty, "\(explained)")
            }
            try await eventually {
                let filed = try events().filter { $0["kind"]?.string == "filed" }
                return filed.count == 2 ? nil : "\(filed)"
            }
            #expect(try !events().contains { "\($0)".contains("merger") })
        }
    }
}
