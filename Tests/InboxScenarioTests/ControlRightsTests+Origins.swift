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

    @Test(
        "Learns nothing of the private folder that a document was filed into, once it is put back",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func pastDestinations() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=0"]) { stage in
            func mode(_ path: TestPath, _ mode: mode_t) { _ = path.withCString { chmod($0, mode) } }
            try Disk.makeFolders(stage.documents / "merger")
            mode(stage.documents / "merger", 0o700)
            try await stage.start()
            mode(stage.documents, 0o755)
            mode(stage.inbox, 0o755)
            try Disk.makeFolders(stage.inbox / "merger")
            try Disk.put([65], at: stage.inbox / "merger/a.txt")
            try await stage.expectFiledRecords(1)
            let id = try #require(try stage.filedRecords()[0]["id"]?.string)
            #expect(try await stage.control(["undo", TestPath(id)]).exit == .status(0))
            let (own, other) = (
                try await stage.control(["history", "--json"]), try await asOther(["history", "--json"], on: stage)
            )
            let past = "\(stage.documents)/merger/a.txt"
            #expect(own.output.contains(past) && other.output.contains("undone"), "\(own)\n\(other)")
            #expect(!other.output.contains(past), "\(other)")
            let guess = try await asOther(["history", "--json", TestPath(past)], on: stage)
            #expect(guess.output.isEmpty, "\(guess)")
            let explained = try await asOther(["explain", TestPath(past)], on: stage)
            #expect(explained.exit == .status(1) && explained.output.isEmpty, "\(explained)")
        }
    }

    @Test(
        "Learns by access lists what he may see by them, and nothing of what they keep from him",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func accessLists() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=0"]) { stage in
            func mode(_ path: TestPath, _ mode: mode_t) { _ = path.withCString { chmod($0, mode) } }
            try await stage.start()
            _ = try await asOther(["status"], on: stage)
            mode(stage.documents, 0o755)
            let denied = TestAccessList([(.owner, 7), (.user(65534), 0), (.group, 5), (.mask, 7), (.others, 5)])
            let granted = TestAccessList([(.owner, 7), (.user(65534), 5), (.group, 0), (.mask, 5), (.others, 0)])
            for (folder, list) in [("closed", denied), ("opened", granted)] {
                try Disk.makeFolders(stage.documents / TestPath(folder))
                try list.set(stage.documents / TestPath(folder))
            }
            for (document, list) in [("withheld", denied), ("shown", granted)] {
                let file = stage.root / "outside" / TestPath("\(document).txt")
                try Disk.put([65], at: file)
                try list.set(file)
                try Disk.move(file, to: stage.inbox / TestPath("\(document).txt"))
            }
            try await stage.expectFiledRecords(2)
            let history = try await asOther(["history", "--json"], on: stage)
            #expect(history.output.contains("shown") && !history.output.contains("withheld"), "\(history)")
            for folder in ["closed", "opened"] {
                try Disk.put(Array("%PDF-1.4".utf8), at: stage.documents / TestPath(folder) / "there.pdf")
                mode(stage.documents / TestPath(folder) / "there.pdf", 0o644)
                let run = try await asOther(["explain", stage.documents / TestPath(folder) / "there.pdf"], on: stage)
                #expect(run.output.contains("com.adobe.pdf") == (folder == "opened"), "\(folder): \(run)")
            }
        }
    }
}
