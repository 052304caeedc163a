import Glibc
import InboxTestSupport
import Testing

/// A document type whose documents are filed into a folder, and whose handler waits until it may run.
private struct FarHandler {
    let stage: Stage
    let far: TestPath

    /// The handler notes each document that it has run for.
    private var seen: TestPath { stage.root / "seen" }

    init(_ stage: Stage, filing far: TestPath, _ settings: String = "") throws {
        (self.stage, self.far) = (stage, far)
        let run = "/bin/sh -c 'until [ -e \(stage.root)/go ]; do sleep 0.01; done; echo {name} >> \(stage.root)/seen'"
        let text = "[DocumentType Far]\nContentTypes=public.json\nDestination=\(far)\nRun=\(run)\n\(settings)"
        try Disk.put(Array(text.utf8), at: stage.root / "far.conf")
    }

    func start() async throws { try await stage.start(["--config", stage.root / "far.conf"]) }

    /// Files documents of these names.
    func file(_ names: TestPath...) async throws {
        for name in names {
            try Disk.put(Array("{}".utf8), at: stage.inbox / name)
            try await stage.expectFiled(far / name, Array("{}".utf8), from: stage.inbox / name)
        }
    }

    /// Lets the handlers run.
    func go() throws { try Disk.put([], at: stage.root / "go") }

    func expectLogged(_ words: String) async throws {
        try await eventually { stage.logged(words) > 0 ? nil : "not logged: \(Disk.text(stage.daemonLog))" }
    }

    /// Waits until the handler has run for these, and for nothing else.
    func expectSeen(_ names: String...) async throws {
        try await eventually {
            let text = Disk.exists(seen) ? Disk.text(seen) : ""
            return text.split(separator: "\n").map(String.init) == names ? nil : "seen: \(text)"
        }
    }
}

extension MountTests {
    /// Handlers of documents whose disk goes and comes back.
    @Suite("Handlers and disks that go")
    struct HandlerMountTests {
        private static let words = "wait, and begin when it can be reached"

        @Test(
            "What waits for its handler when its disk goes, or when the daemon starts before its disk is mounted, is handled once it is back",
            Means.needed())
        func late() async throws {
            try await onMounts { stage, mounts in
                let (tree, far) = (stage.root / "tree", stage.root / "far")
                try mounts.memory(at: tree)
                try mounts.bind(tree, at: far)
                let handler = try FarHandler(stage, filing: far)
                try await handler.start()
                try await handler.file("1.json", "2.json", "3.json")
                try mounts.unmount(far, lazily: true)
                try handler.go()
                try await handler.expectSeen("1.json")
                try await handler.expectLogged(Self.words)
                #expect(try await stage.end(SIGTERM) == .status(0))
                try await handler.start()
                try await eventually { stage.logged(Self.words) == 2 ? nil : Disk.text(stage.daemonLog) }
                try mounts.bind(tree, at: far)
                try await handler.expectSeen("1.json", "2.json", "3.json")
                #expect(!Disk.text(stage.state / "history.jsonl").contains("\"gone\""))
            }
        }

        @Test("A missing disk that holds the whole destination is waited for as well", Means.needed())
        func missing() async throws {
            try await onMounts { stage, mounts in
                let (disk, far) = (stage.root / "disk", stage.root / "disk/far")
                let tree = stage.root / "tree"
                try mounts.memory(at: tree)
                try mounts.bind(tree, at: disk)
                let handler = try FarHandler(stage, filing: far)
                try await handler.start()
                try await handler.file("1.json", "2.json")
                try mounts.unmount(disk, lazily: true)
                try handler.go()
                try await handler.expectLogged(Self.words)
                try mounts.bind(tree, at: disk)
                try await handler.expectSeen("1.json", "2.json")
            }
        }
    }
}

extension ServerTests {
    /// Handlers of documents on a server that stops.
    @Suite("Handlers and servers that stop")
    struct HandlerServerTests {
        @Test(
            "A try that hangs there is given up, keeps no other document waiting, and no SIGTERM either",
            Means.needed(.fuse, .program("bindfs")), arguments: [true, false])
        func hanging(isKnown: Bool) async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let (tree, far) = (stage.root / "tree", stage.root / "far")
                try Disk.makeFolders(tree)
                let server = try mounts.serve("bindfs", ["-f", tree, far], at: far)
                defer { server.signal(SIGCONT) }
                // The first try fails once the server has stopped, so that the next one begins a second later.
                let wait = "echo >> \(stage.root)/begun; until [ -e \(stage.root)/go ]; do sleep 0.05; done"
                let run = "/bin/sh -c '\(wait); [ -e \(stage.root)/again ] && echo {name} >> \(stage.root)/seen'"
                let handler = try FarHandler(stage, filing: far, "Run=\nRun=\(run)\nRunRetries=9\n")
                try await handler.start()
                try await handler.file("1.json")
                try await eventually { Disk.exists(stage.root / "begun") ? nil : "the first try has not begun" }
                server.signal(SIGSTOP)
                try handler.go()
                try await handler.expectLogged("tried again in 1s")
                try Disk.put([], at: stage.root / "again")
                if isKnown {
                    try await handler.expectLogged("wait, and begin when it can be reached: its server does not answer")
                } else {
                    pause(.milliseconds(1500))
                }
                stage.daemon?.signal(SIGTERM)
                // The kernel keeps a process that has ended as long as the server owes an answer to one of its threads.
                try await eventually { stage.daemon?.hasExited != false ? nil : "it still runs" }
                server.signal(SIGCONT)
                #expect(try await stage.ended() == .status(0))
                try await handler.start()
                try await handler.expectSeen("1.json")
            }
        }
    }
}
