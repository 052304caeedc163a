import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// What a caller may know of a record is asked where its document is, which may be on a server.
    @Suite("Records of documents on a slow server")
    struct SlowRecordTests {
        @Test(
            "While the server is slow to say whose a document is, everything else is answered",
            Means.needed(.fuse, .program("bindfs"), .program("setpriv")))
        func owner() async throws {
            try await onMounts(
                in: .servers, settings: ["Inbox.Settle=0", "Inbox.FolderSettle=1h", "Control.SocketMode=0666"]
            ) { stage, mounts in
                let (tree, far) = (stage.root / "tree", stage.root / "far")
                try Disk.makeFolders(tree)
                try mounts.serve("bindfs", ["-f", tree, far], at: far)
                let text = "[DocumentType Far]\nContentTypes=public.json\nDestination=\(far)\n"
                try Disk.put(Array(text.utf8), at: stage.root / "home/inboxd.conf")
                try Disk.makeFolders(stage.inbox / "private")
                try Disk.put(Array("{}".utf8), at: stage.inbox / "private/served.json")
                try await stage.start(["--config", stage.root / "home/inboxd.conf"])
                try await stage.expectFiledRecords(1)
                #expect(try await stage.end(SIGTERM) == .status(0))
                func mode(_ path: TestPath, _ mode: mode_t) { _ = path.withCString { chmod($0, mode) } }
                for path in [stage.root.parent, stage.root, stage.documents, stage.inbox, tree, tree / "private"] {
                    mode(path, 0o755)
                }
                mode(stage.inbox / "private", 0o700)
                mode(tree / "private/served.json", 0o644)
                let barrier = try Barrier(at: stage.root / "barrier")
                // The first two calls find out that he may know the record, and that the document is there.
                stage.variables = ["INBOXD_FAULT=openat2@/served.json:3:WAIT=\(barrier.path)"]
                try await stage.start(["--config", stage.root / "home/inboxd.conf"])
                let program = stage.root / "inboxctl"
                try Disk.put(try Disk.read(stage.controlProgram), at: program)
                mode(program, 0o755)
                let reader = try Program(
                    Tool.path(of: "setpriv") ?? "",
                    ["--reuid=65534", "--regid=65534", "--clear-groups", program, "--socket", stage.socket, "history"],
                    environment: stage.environment, output: stage.root / "log/other.out",
                    errors: stage.root / "log/other.err")
                try await barrier.reached()
                _ = try await stage.status()
                barrier.open()
                #expect(try await reader.ended() == .status(0))
                let told = Disk.text(stage.root / "log/other.out")
                #expect(told.contains("far/private/served.json") && !told.contains("Inbox"), "\(told)")
            }
        }
    }
}
