import Glibc
import InboxLinux
import InboxTestSupport
import Testing

extension ServerTests {
    /// A server that hangs blocks whoever calls it, without an error: here one that is stopped before the daemon starts.
    @Suite("A mount that does not answer")
    struct SilentMountTests {
        static let means = Means.needed(.fuse, .program("bindfs"))

        private func onStoppedServer(
            at point: @escaping (Stage) -> TestPath, _ body: @escaping (Stage, Program, TestPath) async throws -> Void
        ) async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree)
                let server = try mounts.serve("bindfs", ["-f", tree, point(stage)], at: point(stage))
                // A report of a failure walks there too, and so does the removal of the stage.
                defer { server.signal(SIGCONT) }
                try await body(stage, server, tree)
            }
        }

        @Test("Inside an Inbox it is a problem until it answers, and what is beside it is filed", means)
        func inside() async throws {
            try await onStoppedServer(at: { $0.inbox / "hung" }) { stage, server, tree in
                try Disk.put([2], at: tree / "inside.txt")
                server.signal(SIGSTOP)
                try await stage.start()
                try Disk.put([1], at: stage.inbox / "beside.txt")
                try await stage.expectFiled(stage.documents / "beside.txt", [1], from: stage.inbox / "beside.txt")
                try await stage.expectProblem("hung does not answer")
                server.signal(SIGCONT)
                try await stage.expectProblem(nil)
                try await stage.expectFiled(stage.documents / "hung/inside.txt", [2], from: tree / "inside.txt")
            }
        }

        @Test(
            "As an Inbox or as Documents it does not keep the daemon from starting, and is used once it answers", means,
            arguments: [true, false])
        func root(isInbox: Bool) async throws {
            try await onStoppedServer(at: { isInbox ? $0.root / "in" : $0.documents }) { stage, server, _ in
                server.signal(SIGSTOP)
                if isInbox {
                    stage.settings += ["Inbox.Inbox=", TestPath("Inbox.Inbox=\(stage.root)/in")]
                } else {
                    try stage.useInbox(stage.root / "in")
                }
                try await stage.start()
                try await stage.expectProblem("does not answer")
                server.signal(SIGCONT)
                try await stage.expectProblem(nil)
                try Disk.put([1], at: stage.root / "in/a.txt")
                try await stage.expectFiled(stage.documents / "a.txt", [1], from: stage.root / "in/a.txt")
            }
        }

        @Test("A file on it that somebody passes with a call, whose close(2) waits for it, keeps nobody waiting", means)
        func passedFile() async throws {
            try await onStoppedServer(at: { $0.root / "hung" }) { stage, server, tree in
                try Disk.put([1], at: tree / "file")
                try await stage.start()
                let file = FileDescriptor(owning: try Disk.open(stage.root / "hung/file", O_RDWR | O_CLOEXEC))
                let address = try #require(SocketAddress(BytePath("\(stage.socket)")))
                let call = Array("{\"method\":\"io.inboxd.Inbox.GetStatus\"}".utf8) + [0]
                server.signal(SIGSTOP)
                // No program is started meanwhile: it would inherit the file, and wait for the server before it begins.
                defer { server.signal(SIGCONT) }
                for _ in 0..<3 {
                    let client = try UnixSocket.connect(to: address)
                    // More than are taken of one user; the call is whole each time.
                    for _ in 0..<PassedFile.mostPerUser { _ = try client.send(call[...], with: file) }
                    #expect(try client.wait(for: .seconds(10)), "a call with a file is not answered")
                }
                let client = try UnixSocket.connect(to: address)
                _ = try client.send(call[...])
                #expect(try client.wait(for: .seconds(10)), "a call without a file is not answered")
                server.signal(SIGCONT)
                try file.close()
                try await eventually {
                    let open = try Disk.names(in: TestPath("/proc/\(stage.daemon?.processID ?? 0)/fd")).count {
                        (try? Disk.linkTarget(TestPath("/proc/\(stage.daemon?.processID ?? 0)/fd") / $0))?
                            .ends(with: "hung/file") == true
                    }
                    return open == 0 ? nil : "\(open) passed files are open"
                }
            }
        }

        @Test("A file on it that a process has open does not hide who writes to another file", means)
        func openedFile() async throws {
            try await onMounts(in: .servers, settings: ["Inbox.Settle=0"]) { stage, mounts in
                let (tree, point) = (stage.root / "tree", stage.root / "hung")
                try Disk.makeFolders(tree)
                // With no attributes cached, every stat(2) asks the server.
                let options: [TestPath] = ["-f", "-o", "attr_timeout=0", tree, point]
                let server = try mounts.serve("bindfs", options, at: point)
                func sleeper(writing file: TestPath) throws -> Program {
                    try Program(
                        "/bin/sleep", ["1000"], environment: stage.environment, output: file,
                        errors: stage.root / "errors")
                }
                let first = try sleeper(writing: point / "file")
                defer { first.signal(SIGKILL) }
                try stage.moveIn([1], as: "slow.txt")
                let writer = try sleeper(writing: stage.inbox / "slow.txt")
                defer { writer.signal(SIGKILL) }
                try await stage.start()
                try await stage.expectListed("slow.txt", state: "waiting", reasons: ["writing"])
                server.signal(SIGSTOP)
                defer { server.signal(SIGCONT) }
                try await eventually {
                    let listed = try await stage.control(["list"])
                    return listed.output.contains("sleep (\(writer.processID))") ? nil : "\(listed)"
                }
            }
        }
    }
}
