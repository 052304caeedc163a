import Glibc
import InboxLinux
import InboxTestSupport
import Testing

extension ServerTests {
    /// Anybody may mount FUSE filesystems on folders that he owns, and stop the server: nobody else is to wait for that.
    @Suite("A mount of somebody who is not trusted")
    struct StrangerMountTests {
        static let means = Means.needed(.fuse, .program("bindfs"), .program("setpriv"), .program("perl"))
        /// `nobody`, on every Linux.
        static let other: TestPath = "65534"
        static let settings: [TestPath] = ["Inbox.Settle=0", "Control.SocketMode=0666"]

        /// Mounts a tree as the kernel does for a user: the mount is his.
        private func serve(at point: TestPath, _ stage: Stage, _ mounts: Mounts) throws -> Program {
            let tree = stage.root / "tree"
            try Disk.makeFolders(tree)
            return try mounts.serve(
                "setpriv", ["--ruid=4711", Tool.path(of: "bindfs") ?? "", "-f", "-o", "allow_other", tree, point],
                at: point)
        }

        private func onStopped(
            at names: [TestPath], begin: (Stage) async throws -> Void = { try await $0.start() },
            _ body: (Stage, Mounts, [Program]) async throws -> Void
        ) async throws {
            try await onMounts(in: .servers, settings: Self.settings) { stage, mounts in
                try await begin(stage)
                let servers = try names.map { try serve(at: stage.documents / $0, stage, mounts) }
                // A report of a failure walks there too, and so does the removal of the stage.
                defer { for server in servers { server.signal(SIGCONT) } }
                for server in servers { server.signal(SIGSTOP) }
                try await body(stage, mounts, servers)
            }
        }

        @Test("As a destination it is not entered: what goes there is held, what is beside it is filed", means)
        func destination() async throws {
            try await onStopped(at: ["taken"]) { stage, mounts, servers in
                try Disk.makeFolders(stage.inbox / "taken")
                for round in 0..<3 {
                    let (inside, beside) = (TestPath("taken/\(round).txt"), TestPath("\(round).txt"))
                    try Disk.put([1], at: stage.inbox / inside)
                    try Disk.put([2], at: stage.inbox / beside)
                    try await stage.expectFiled(stage.documents / beside, [2], from: stage.inbox / beside)
                }
                try await expectDenied("taken/0.txt", stage)
                #expect(try await stage.status()["state"]?.string == "watching")
                servers[0].signal(SIGCONT)
                try mounts.unmount(stage.documents / "taken", lazily: true)
                try await stage.expectFiled(stage.documents / "taken/0.txt", [1], from: stage.inbox / "taken/0.txt")
            }
        }

        @Test("In an Inbox it is held, and what is in it is filed once it is gone", means)
        func inbox() async throws {
            try await onStopped(at: ["Inbox/taken"]) { stage, mounts, servers in
                try await eventually {
                    let arrival = try await stage.arrival("taken")
                    let (state, reason) = (arrival["state"]?.string, arrival["reason"]?.string)
                    return state == "held" && reason == "permission" ? nil : "it is \(arrival)"
                }
                try Disk.put([1], at: stage.inbox / "beside.txt")
                try await stage.expectFiled(stage.documents / "beside.txt", [1], from: stage.inbox / "beside.txt")
                try await stage.expectCounters(["held": 1, "filed": 1, "waiting": 0])
                servers[0].signal(SIGCONT)
                try mounts.unmount(stage.inbox / "taken", lazily: true)
                try Disk.put([2], at: stage.inbox / "taken/inside.txt")
                try await stage.expectFiled(
                    stage.documents / "taken/inside.txt", [2], from: stage.inbox / "taken/inside.txt")
                try await stage.expectCounters(["held": 0, "filed": 2, "waiting": 0])
            }
        }

        @Test("While it is there, a recovery that takes long is alone at what it ends", means)
        func recovery() async throws {
            var barrier: Barrier?
            defer { barrier?.open() }
            try await onStopped(
                at: ["Inbox/taken"],
                begin: { stage in
                    stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:KILL"]
                    try await stage.start()
                    try Disk.put([1], at: stage.inbox / "letter.txt")
                    #expect(try await stage.ended() == .signal(SIGKILL))
                    let made = try Barrier(at: stage.root / "barrier")
                    barrier = made
                    stage.variables = ["INBOXD_FAULT=fsync@/Documents:1:WAIT=\(made.path)"]
                    try await stage.start()
                    try await made.reached()
                }
            ) { stage, _, _ in
                // Long enough for the worker to be thought to hang, and for another recovery to end.
                for _ in 0..<3 {
                    try await Task.sleep(for: .seconds(1))
                    #expect(try await stage.control(["retry"]).exit == .status(0))
                }
                #expect(try stage.history().isEmpty)
                barrier?.open()
                try await stage.expectFiledRecords(1)
            }
        }

        @Test("One that has just come is not asked for anything, though its server never says a word", means)
        func sudden() async throws {
            try await onMounts(in: .servers, settings: Self.settings) { stage, mounts in
                try await stage.start()
                for round in 0..<5 {
                    let point = stage.inbox / TestPath("taken-\(round)")
                    let server = try mounts.silentServer(of: 4711, at: point)
                    defer { close(server) }
                    let name = TestPath("\(round).txt")
                    try Disk.put([1], at: stage.inbox / name)
                    try await stage.expectFiled(stage.documents / name, [1], from: stage.inbox / name)
                    try await stage.expectCounters(["held": round + 1])
                }
            }
        }

        @Test("A package with one in it is held, and filed whole once that is gone", means)
        func package() async throws {
            try await onMounts(in: .servers, settings: Self.settings) { stage, mounts in
                try await expectPackageHeld(with: "taken", stage, mounts) { point in
                    _ = try serve(at: point, stage, mounts)
                    try Disk.put([2], at: stage.root / "tree/inside.txt")
                }
            }
        }

        /// Expects that a package is held as long as something is mounted in it, and filed afterwards.
        private func expectPackageHeld(
            with name: TestPath, _ stage: Stage, _ mounts: Mounts, mount: (_ point: TestPath) throws -> Void
        ) async throws {
            let package = stage.inbox / "letter.rtfd"
            try Disk.makeFolders(package)
            try Disk.put([1], at: package / "TXT.rtf")
            try mount(package / name)
            try await stage.start()
            try await expectDenied("letter.rtfd", stage)
            try mounts.unmount(package / name, lazily: true)
            try await stage.runControl(["retry"])
            try await stage.expectRecord([("destination", stage.documents / "letter.rtfd")])
            #expect(try Disk.read(stage.documents / "letter.rtfd/TXT.rtf") == [1])
        }

        private func expectDenied(_ name: TestPath, _ stage: Stage) async throws {
            try await eventually {
                let arrival = try await stage.arrival(name)
                return arrival["reason"]?.string == "permission" ? nil : "it is \(arrival)"
            }
        }

        @Test(
            "On a document that is being filed one is not asked for anything, and what comes next is filed", means,
            arguments: ["openat2@/Inbox/a.txt:1", "fcntl(F_SETLEASE)@/Inbox/a.txt:3"])
        func late(call: String) async throws {
            try await onMounts(in: .servers, settings: Self.settings) { stage, mounts in
                let barrier = try Barrier(at: stage.root / "barrier")
                stage.variables = ["INBOXD_FAULT=\(call):WAIT=\(barrier.path)"]
                try await stage.start()
                try Disk.put([1], at: stage.inbox / "a.txt")
                try await barrier.reached()
                let server = try mounts.silentServer(of: 4711, at: stage.inbox / "a.txt")
                defer { close(server) }
                barrier.open()
                try Disk.put([2], at: stage.inbox / "b.txt")
                try await stage.expectFiled(stage.documents / "b.txt", [2], from: stage.inbox / "b.txt")
                try await expectDenied("a.txt", stage)
                try mounts.unmount(stage.inbox / "a.txt", lazily: true)
                try await stage.expectFiled(stage.documents / "a.txt", [1], from: stage.inbox / "a.txt")
            }
        }

        @Test("A package with a file that is a mount is held too", means)
        func mountedFile() async throws {
            try await onMounts(in: .servers, settings: Self.settings) { stage, mounts in
                let other = stage.root / "other.txt"
                try Disk.put([2], at: other)
                try await expectPackageHeld(with: "TXT.rtf", stage, mounts) { try mounts.bind(other, at: $0) }
            }
        }

        @Test("Explaining what is on many of them keeps nobody waiting", means)
        func explain() async throws {
            let names = (0..<10).map { TestPath("taken-\($0)") }
            try await onStopped(at: names) { stage, _, _ in
                let clock = ContinuousClock()
                let start = clock.now
                for name in names {
                    let reply = try explanation(of: stage.documents / name / "a.txt", from: stage)
                    #expect(reply.contains("Permission denied"), "\(reply)")
                }
                #expect(clock.now - start < .seconds(2))
            }
        }

        /// What the daemon says of a path that its client does not touch.
        private func explanation(of path: TestPath, from stage: Stage) throws -> String {
            let address = try #require(SocketAddress(BytePath("\(stage.socket)")))
            let socket = try UnixSocket.connect(to: address)
            let call = "{\"method\":\"io.inboxd.Inbox.Explain\",\"parameters\":{\"path\":\"\(path)\"}}\0"
            _ = try socket.send(Array(call.utf8)[...])
            var (reply, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
            while reply.last != 0, try socket.wait(for: .seconds(20)) {
                guard case .bytes(let count) = try socket.receive(into: &buffer) else { break }
                reply += buffer[..<count]
            }
            return String(decoding: reply, as: UTF8.self)
        }

        /// Starts the daemon and files a document into a folder, and one beside it that everybody may read.
        private func file(into folder: TestPath, _ stage: Stage) async throws {
            try await stage.start()
            try Disk.makeFolders(stage.inbox / folder)
            for name in [folder / "inside.txt", "beside.txt"] {
                try Disk.put([1], at: stage.inbox / name)
                try await stage.expectFiled(stage.documents / name, [1], from: stage.inbox / name)
            }
            try Disk.put(try Disk.read(stage.controlProgram), at: stage.root / "inboxctl")
            for path in [stage.root.parent, stage.root, stage.documents, stage.root / "inboxctl"] {
                _ = path.withCString { chmod($0, 0o755) }
            }
            _ = (stage.documents / "beside.txt").withCString { chmod($0, 0o644) }
        }

        /// Runs a program as another user.
        private func asOther(_ words: [TestPath], on stage: Stage) async throws -> Stage.Run {
            let identity = ["--reuid=\(Self.other)", "--regid=\(Self.other)", "--clear-groups"].map { TestPath($0) }
            return try await stage.run(Tool.path(of: "setpriv") ?? "", identity + words)
        }

        private func expectHistory(_ stage: Stage) async throws {
            for _ in 0..<3 {
                let run = try await asOther([stage.root / "inboxctl", "--socket", stage.socket, "history"], on: stage)
                #expect(run.output.contains("beside.txt") && !run.output.contains("inside.txt"), "\(run)")
            }
        }

        @Test("The history of what was filed there keeps nobody waiting, and shows the rest", means)
        func history() async throws {
            try await onStopped(at: ["taken"], begin: { try await file(into: "taken", $0) }) { stage, _, _ in
                try await expectHistory(stage)
            }
        }

        @Test("A link of his that leads there is followed for nobody", means)
        func link() async throws {
            try await onMounts(in: .servers, settings: Self.settings) { stage, mounts in
                try await file(into: "lead", stage)
                let server = try serve(at: stage.root / "outside/mount", stage, mounts)
                defer { server.signal(SIGCONT) }
                let link = stage.documents / "lead"
                try Disk.removeTree(link)
                try Disk.makeLink(link, to: stage.root / "outside/mount/sub")
                _ = link.withCString { lchown($0, 4711, 4711) }
                server.signal(SIGSTOP)
                let script = """
                    use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[0])) or die;
                    syswrite($s, qq({"method":"io.inboxd.Inbox.Explain","parameters":{"path":"$ARGV[1]"}}\\0));
                    alarm(5); sysread($s, my $reply, 65536); print $reply;
                    """
                let run = try await asOther(
                    ["/usr/bin/perl", "-e", TestPath(script), stage.socket, link / "inside.txt"], on: stage)
                #expect(run.output.contains("UnreachablePath"), "\(run)")
                #expect(try await stage.status()["state"]?.string == "watching")
                try await expectHistory(stage)
            }
        }
    }
}
