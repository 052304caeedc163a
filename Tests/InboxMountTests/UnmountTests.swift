import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// Disks that go and come back while the daemon runs.
    @Suite("Disks that go")
    struct UnmountTests {
        private static let strange = "another filesystem than before"

        @Test(
            "While the daemon is idle the disks of Inbox and Documents can be unmounted, and work again when they are back",
            Means.loop("ext4"))
        func idle() async throws {
            try await onMounts { stage, mounts in
                let disk = try mounts.device("ext4", size: "16M", options: ["-q", "-F"])
                let other = try mounts.device("ext4", size: "16M", options: ["-q", "-F"])
                let inbox = stage.root / "disk/in"
                try mounts.mountDevice(disk, "ext4", at: stage.root / "disk")
                try mounts.mountDevice(other, "ext4", at: stage.documents)
                try stage.useInbox(inbox)
                try await stage.start()
                try Disk.put([1], at: inbox / "one.txt")
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: inbox / "one.txt")
                try await stage.expectCounters(["waiting": 0])
                try await mounts.unmountWhenIdle(stage.documents)
                try await stage.expectProblem(Self.strange)
                try await mounts.unmountWhenIdle(stage.root / "disk")
                try await eventually {
                    try await stage.status()["inboxes"] == nil ? "no Inboxes" : nil
                }
                try mounts.mountDevice(disk, "ext4", at: stage.root / "disk")
                try mounts.mountDevice(other, "ext4", at: stage.documents)
                try await stage.expectProblem(nil)
                try Disk.put([2], at: inbox / "two.txt")
                try await stage.expectFiled(stage.documents / "two.txt", [2], from: inbox / "two.txt")
                #expect(try Disk.leaves(of: stage.documents, except: [stage.documents / "lost+found"]).count == 2)
            }
        }

        @Test(
            "A copy that a kill has left without a record gets it while the disk of its source is absent, and is filed once though somebody moves it",
            Means.loop("ext4"), arguments: ["write@/history.jsonl:1", "write@/claims-:3"], [false, true])
        func recorded(call: String, isAccepted: Bool) async throws {
            try await onMounts { stage, mounts in
                let disk = try mounts.device("ext4", size: "16M", options: ["-q", "-F"])
                let (place, inbox) = (stage.root / "disk", stage.root / "disk/in")
                try mounts.mountDevice(disk, "ext4", at: place)
                try stage.useInbox(inbox)
                let barrier = try Barrier(at: stage.root / "barrier")
                defer { barrier.open() }
                stage.variables = ["INBOXD_FAULT=\(call):WAIT=\(barrier.path)"]
                try await stage.start()
                try Disk.put([1], at: inbox / "one.txt")
                try await barrier.reached()
                _ = try await stage.end(SIGKILL)
                barrier.open()
                stage.variables = []
                try mounts.unmount(place)
                try await stage.start()
                try await stage.expectFiledRecords(1)
                if isAccepted {
                    try await stage.runControl(["retry"])
                    try await eventually { Disk.exists(inbox) ? nil : "the Inbox is not made" }
                }
                try Disk.move(stage.documents / "one.txt", to: stage.root / "moved.txt")
                try mounts.mountDevice(disk, "ext4", at: place)
                if isAccepted { try await stage.runControl(["retry"]) }
                try await stage.expectProblem(nil)
                try await stage.expectNothingStaged(beneath: place)
                try await stage.expectCounters(["seen": 0])
                try await stage.expectFiledRecords(1)
                #expect(try Disk.leaves(of: inbox).isEmpty && !Disk.exists(stage.documents / "one.txt"))
            }
        }

        @Test(
            "Nothing is filed into the bare mount point of Documents, though nothing was ever filed on its disk",
            Means.needed())
        func bareDocuments() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "tree"
                try Disk.makeFolders(disk)
                try mounts.bind(disk, at: stage.documents)
                try stage.useInbox(stage.root / "in")
                try await stage.start()
                try mounts.unmount(stage.documents, lazily: true)
                try await stage.expectProblem(Self.strange)
                try Disk.makeFolders(stage.root / "in/letters")
                let source = stage.root / "in/letters/one.txt"
                try Disk.put([1], at: source)
                try await stage.expectListed("one.txt", state: "waiting", reasons: ["retrying"])
                #expect(try Disk.leaves(of: stage.documents) == ["Inbox/"])
                try mounts.bind(disk, at: stage.documents)
                try await stage.expectFiled(stage.documents / "letters/one.txt", [1], from: source)
                try await stage.expectProblem(nil)
                #expect(stage.logged(Self.strange) == 3, "the problem, its end, and the document that waits")
            }
        }

        @Test(
            "A reload accepts neither the bare mount point of Documents nor that of the Inbox; a retry does",
            Means.needed())
        func reload() async throws {
            try await onMounts { stage, mounts in
                let (disk, inbox) = (stage.root / "tree", stage.root / "in")
                for folder in [disk / "documents", disk / "in", inbox] { try Disk.makeFolders(folder) }
                try mounts.bind(disk / "documents", at: stage.documents)
                try mounts.bind(disk / "in", at: inbox)
                try stage.useInbox(inbox)
                try await stage.start()
                for place in [stage.documents, inbox] {
                    try mounts.unmount(place, lazily: true)
                    try await stage.expectProblem(Self.strange)
                    try Disk.put([1], at: inbox / "one.txt")
                    #expect(try await stage.control(["reload"]).exit == .status(0))
                    try await stage.expectProblem(Self.strange)
                    try await stage.runControl(["rescan"])
                    #expect(try Disk.leaves(of: stage.documents) == ["Inbox/"])
                    #expect(Disk.exists(inbox / "one.txt"))
                    try await stage.runControl(["retry"])
                    try await stage.expectFiled(stage.documents / "one.txt", [1], from: inbox / "one.txt")
                    try await stage.expectProblem(nil)
                    try Disk.remove(stage.documents / "one.txt")
                }
            }
        }

        @Test(
            "A state folder whose disk has gone from its path is noticed at once, and used again when it is back",
            Means.needed())
        func stateFolder() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "tree"
                try Disk.makeFolders(disk)
                try Disk.makeFolders(stage.state)
                try mounts.bind(disk, at: stage.state)
                try await stage.start()
                // The line that says that it is over has the same words.
                let words = "warning: cannot use the state folder"
                for (number, isThere) in [(1, false), (2, true)] {
                    if isThere {
                        try mounts.bind(disk, at: stage.state)
                    } else {
                        try mounts.unmount(stage.state, lazily: true)
                    }
                    try await eventually { stage.logged(words) == number ? nil : Disk.text(stage.daemonLog) }
                    try Disk.put([1], at: stage.inbox / TestPath("\(number).txt"))
                    try await stage.expectCounters(["filed": number])
                    #expect(Disk.text(stage.state / "history.jsonl").contains("/\(number).txt"))
                }
                try await stage.expectProblem(nil)
            }
        }

        @Test(
            "That the disk of a destination is missing stays a problem until it is back, however often the roots are inspected",
            Means.needed())
        func bareDestination() async throws {
            try await onMounts { stage, mounts in
                let (disk, far) = (stage.root / "disk", stage.root / "disk/far")
                let words = "\(far) is missing, and was on another filesystem than before"
                let text = "[DocumentType Far]\nContentTypes=public.json\nDestination=\(far)\n"
                try Disk.put(Array(text.utf8), at: stage.root / "far.conf")
                let tree = stage.root / "tree"
                try mounts.memory(at: tree)
                try mounts.bind(tree, at: disk)
                try await stage.start(["--config", stage.root / "far.conf"])
                try Disk.put(Array("{}".utf8), at: stage.inbox / "one.json")
                try await stage.expectFiled(far / "one.json", Array("{}".utf8), from: stage.inbox / "one.json")
                try mounts.unmount(disk, lazily: true)
                // Nothing waits for it.
                try await stage.expectProblem(words)
                try Disk.put(Array("{}".utf8), at: stage.inbox / "two.json")
                try await stage.expectListed("two.json", state: "waiting", reasons: ["retrying"])
                // Each of these mounts has the roots inspected.
                for name: TestPath in ["a", "b", "c"] {
                    try mounts.memory(at: stage.documents / name)
                    try Disk.makeFolders(stage.inbox / name)
                    try Disk.put([1], at: stage.inbox / name / "x.txt")
                    let source = stage.inbox / name / "x.txt"
                    try await stage.expectFiled(stage.documents / name / "x.txt", [1], from: source)
                }
                try await stage.expectProblem(words)
                #expect(stage.logged("over: nothing is filed into \(far)") == 0, "\(Disk.text(stage.daemonLog))")
                #expect(stage.logged("warning: nothing is filed into \(far)") == 1, "\(Disk.text(stage.daemonLog))")
                try mounts.bind(tree, at: disk)
                try await stage.expectFiled(far / "two.json", Array("{}".utf8), from: stage.inbox / "two.json")
                try await stage.expectProblem(nil)
            }
        }

        @Test("Nothing is filed beneath a mount inside Documents that has gone", Means.needed())
        func bareArchive() async throws {
            try await onMounts { stage, mounts in
                let archive = stage.documents / "archive"
                try mounts.memory(at: archive)
                try await stage.start()
                try Disk.makeFolders(stage.inbox / "archive")
                try Disk.put([1], at: stage.inbox / "archive/one.txt")
                try await stage.expectFiled(archive / "one.txt", [1], from: stage.inbox / "archive/one.txt")
                try await mounts.unmountWhenIdle(archive)
                try Disk.put([2], at: stage.inbox / "archive/two.txt")
                try Disk.put([3], at: stage.inbox / "three.txt")
                try await stage.expectFiled(stage.documents / "three.txt", [3], from: stage.inbox / "three.txt")
                try await stage.expectListed("two.txt", state: "waiting", reasons: ["retrying"])
                try await stage.expectProblem(Self.strange)
                #expect(try Disk.leaves(of: archive).isEmpty)
                // Another disk is not the one that was there: somebody has to say that it will do.
                try mounts.memory(at: archive)
                pause(.milliseconds(300))
                #expect(try Disk.leaves(of: archive).isEmpty)
                try await stage.runControl(["retry"])
                try await stage.expectFiled(archive / "two.txt", [2], from: stage.inbox / "archive/two.txt")
                try await stage.expectProblem(nil)
            }
        }

        @Test(
            "An Inbox whose disk has gone is reported, its bare mount point is left alone, and it comes back by itself",
            Means.needed())
        func bareInbox() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "tree"
                try Disk.makeFolders(disk)
                try mounts.bind(disk, at: stage.inbox)
                try await stage.start()
                for round in 1...2 {
                    let name = TestPath("\(round).txt")
                    if round == 1 { try await mounts.unmountWhenIdle(stage.inbox) }
                    if round == 2 { try mounts.unmount(stage.inbox, lazily: true) }
                    try await stage.expectProblem(Self.strange)
                    try Disk.put([7], at: stage.inbox / name)
                    #expect(try await stage.status()["inboxes"]?.array?.first?["watching"]?.string == "missing")
                    #expect(Disk.exists(stage.inbox / name))
                    try Disk.remove(stage.inbox / name)
                    try mounts.bind(disk, at: stage.inbox)
                    try await stage.expectProblem(nil)
                    try Disk.put([1], at: stage.inbox / name)
                    try await stage.expectFiled(stage.documents / name, [1], from: stage.inbox / name)
                }
            }
        }

        @Test(
            "A disk that is mounted over the Inbox hides it, which is reported, until the disk has gone or is accepted",
            Means.needed())
        func over() async throws {
            try await onMounts { stage, mounts in
                try await stage.start()
                try mounts.memory(at: stage.inbox)
                try await stage.expectProblem(Self.strange)
                try Disk.put([1], at: stage.inbox / "on the disk.txt")
                try await mounts.unmountWhenIdle(stage.inbox)
                try await stage.expectProblem(nil)
                try Disk.put([2], at: stage.inbox / "below.txt")
                try await stage.expectFiled(stage.documents / "below.txt", [2], from: stage.inbox / "below.txt")
                try mounts.memory(at: stage.inbox)
                try await stage.expectProblem(Self.strange)
                try Disk.put([3], at: stage.inbox / "accepted.txt")
                try await stage.runControl(["retry"])
                try await stage.expectFiled(stage.documents / "accepted.txt", [3], from: stage.inbox / "accepted.txt")
                try await stage.expectProblem(nil)
            }
        }

        @Test("A tree is never built on the bare mount point above the Inbox", Means.needed())
        func bareParent() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "disk"
                try mounts.memory(at: disk)
                try stage.useInbox(disk / "in")
                try await stage.start()
                try mounts.unmount(disk, lazily: true)
                try await stage.expectProblem("is missing")
                // Longer than a missing Inbox is waited for.
                pause(.milliseconds(2500))
                #expect(try Disk.names(in: disk).isEmpty)
                try mounts.memory(at: disk)
                try Disk.makeFolders(disk / "in")
                try Disk.put([1], at: disk / "in/one.txt")
                try await stage.expectProblem(Self.strange)
                try await stage.runControl(["retry"])
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: disk / "in/one.txt")
            }
        }

        @Test(
            "A disk that is taken away lazily in the middle of a copy gets the whole document, or the Inbox keeps it",
            Means.needed())
        func midway() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "disk"
                try mounts.memory(at: disk)
                try mounts.bind(disk, at: stage.documents)
                try stage.useInbox(stage.root / "in")
                stage.variables = ["INBOXD_FAULT=openat(O_TMPFILE):1:STOP"]
                try await stage.start()
                let source = stage.root / "in/one.txt"
                try Disk.put([1], at: source)
                let process = try #require(stage.daemon?.processID)
                try await eventually {
                    Disk.text(TestPath("/proc/\(process)/stat")).contains(") T ") ? nil : "it has not stopped"
                }
                try mounts.unmount(stage.documents, lazily: true)
                stage.daemon?.signal(SIGCONT)
                // The folder was open: what is copied there is on the disk, wherever that is mounted.
                #expect(!Disk.exists(source), "it is claimed")
                try await eventually { Disk.exists(disk / "one.txt") ? nil : "it has no name yet" }
                #expect(try Disk.read(disk / "one.txt") == [1])
                try await stage.expectNothingStaged(beneath: stage.root / "in")
                #expect(try Disk.leaves(of: stage.documents) == ["Inbox/"])
                try await stage.expectProblem(Self.strange)
                try mounts.bind(disk, at: stage.documents)
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: source)
                try await stage.expectProblem(nil)
            }
        }
    }
}
