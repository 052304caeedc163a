import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// Filesystems that are full to the last byte.
    @Suite("Full disks")
    struct FullDiskTests {
        private static let content = [UInt8](repeating: 0x61, count: 100_000)

        @Test(
            "A full destination is reported once, keeps nothing of the copy, and gets it when there is room",
            Means.needed())
        func destination() async throws {
            try await onMounts { stage, mounts in
                try mounts.memory(at: stage.documents, "size=1m")
                try stage.useInbox(stage.root / "in")
                try fill(stage.documents / "filler")
                try await stage.start()
                let source = stage.root / "in/scan.pdf"
                try Disk.put(Self.content, at: source)
                try await stage.expectListed("scan.pdf", state: "waiting", reasons: ["retrying"])
                // So that a second line would be seen.
                try await stage.expectAnotherTry(of: "scan.pdf")
                try await stage.expectProblem(
                    "nothing more can be written to \(stage.documents) (No space left on device)")
                #expect(stage.logged("No space left on device") == 1, "\(Disk.text(stage.daemonLog))")
                #expect(try Disk.leaves(of: stage.documents) == ["filler"])
                #expect(try Disk.read(source) == Self.content)
                #expect(try stage.filedRecords().isEmpty)
                try Disk.remove(stage.documents / "filler")
                try await stage.expectFiled(stage.documents / "scan.pdf", Self.content, from: source)
                #expect(try Disk.leaves(of: stage.documents) == ["scan.pdf"])
                try await stage.expectProblem(nil)
                try await eventually { stage.logged("scan.pdf") == 1 ? nil : "\(Disk.text(stage.daemonLog))" }
                #expect(stage.logged("No space left on device") == 2, "once when it begins, once when it ends")
                try await stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0])
            }
        }

        @Test(
            "A destination without a free inode keeps nothing of a mirrored folder, and gets it later", Means.needed())
        func inodes() async throws {
            try await onMounts { stage, mounts in
                try mounts.memory(at: stage.documents, "size=1m,nr_inodes=4")
                try stage.useInbox(stage.root / "in")
                for name: TestPath in ["a", "b"] { try Disk.put([], at: stage.documents / name) }
                try await stage.start()
                try Disk.makeFolders(stage.root / "in/letters")
                let source = stage.root / "in/letters/one.txt"
                try Disk.put([1], at: source)
                try await stage.expectListed("one.txt", state: "waiting", reasons: ["retrying"])
                for name: TestPath in ["a", "b"] { try Disk.remove(stage.documents / name) }
                try await stage.expectFiled(stage.documents / "letters/one.txt", [1], from: source)
            }
        }

        /// Hands over once a document is filed and then the state folder is filled.
        private func onFullState(_ body: (Stage) async throws -> Void) async throws {
            try await onMounts { stage, mounts in
                try mounts.memory(at: stage.state, "size=64k")
                try await stage.start()
                try Disk.put([1], at: stage.inbox / "first.txt")
                try await stage.expectFiled(stage.documents / "first.txt", [1], from: stage.inbox / "first.txt")
                try fill(stage.state / "filler")
                try await body(stage)
            }
        }

        @Test("While the state folder is full nothing is filed, and it goes on by itself", Means.needed())
        func state() async throws {
            try await onFullState { stage in
                // The history's last page may have room for one more record, the journal's has none.
                try Disk.put([2], at: stage.inbox / "second.txt")
                try await stage.expectProblem("No space left on device")
                #expect(Disk.exists(stage.inbox / "second.txt"))
                #expect(!Disk.exists(stage.documents / "second.txt"))
                #expect(try stage.filedRecords().count == 1)
                try Disk.remove(stage.state / "filler")
                try await stage.expectFiled(stage.documents / "second.txt", [2], from: stage.inbox / "second.txt")
                try await stage.expectProblem(nil)
                #expect(stage.logged("cannot write") == 2, "once when it begins, once when it ends")
            }
        }

        @Test(
            "In status, events and systemctl another user sees no name in a folder that he may not enter, though nothing can be written there",
            Means.needed(.program("setpriv")))
        func privateFolder() async throws {
            try await onMounts(settings: ["Control.SocketMode=0666", "Inbox.Settle=0"]) { stage, mounts in
                let secret = stage.documents / "private/merger"
                try mounts.memory(at: secret, "size=16k")
                for path in [stage.root.parent, stage.root, stage.documents] {
                    _ = path.withCString { chmod($0, 0o755) }
                }
                _ = secret.parent.withCString { chmod($0, 0o700) }
                try fill(secret / "filler")
                let manager = try ServiceManager()
                stage.variables.append("NOTIFY_SOCKET=\(manager.path)")
                try await stage.start()
                try Disk.makeFolders(stage.inbox / "private/merger")
                _ = (stage.inbox / "private").withCString { chmod($0, 0o700) }
                try Disk.put([1], at: stage.inbox / "private/merger/letter.txt")
                try await stage.expectProblem("nothing more can be written to \(secret)")
                let program = stage.root / "inboxctl"
                try Disk.put(try Disk.read(stage.controlProgram), at: program)
                _ = program.withCString { chmod($0, 0o755) }
                let setpriv = Tool.path(of: "setpriv") ?? ""
                let asOther = ["--reuid=65534", "--regid=65534", "--clear-groups", program, "--socket", stage.socket]
                let events = stage.root / "log/other.events"
                let follower = try Program(
                    setpriv, asOther + ["events", "--since=0"], environment: stage.environment, output: events,
                    errors: stage.root / "log/other.err")
                defer { follower.signal(SIGKILL) }
                let run = try await stage.run(setpriv, asOther + ["status"])
                #expect(run.errors.isEmpty && !run.output.contains("merger"), "\(run)")
                #expect(run.output.contains("in \(secret.parent), whose path is not shown to you"), "\(run)")
                var notes: [String] = []
                try await eventually {
                    notes += manager.messages()
                    return notes.last?.contains("degraded") == true ? nil : "\(notes)"
                }
                let text = "something in \(stage.documents), whose path \"inboxctl status\" shows"
                #expect(notes.last?.hasSuffix(text) == true && !notes.contains { $0.contains("merger") }, "\(notes)")
                try Disk.remove(secret / "filler")
                try await stage.expectFiled(
                    secret / "letter.txt", [1], from: stage.inbox / "private/merger/letter.txt")
                let hidden = "nothing more can be written to something in \(secret.parent), whose path is not shown"
                try await eventually {
                    let lines = Disk.text(events).split(separator: "\n").filter { $0.contains(hidden) }
                    let isTold = ["problem", "over"].allSatisfy { word in lines.contains { $0.contains(word) } }
                    return isTold ? nil : Disk.text(events)
                }
                #expect(!Disk.text(events).contains("merger"))
            }
        }

        @Test("A full state folder is not blamed on the folder that a document needs", Means.needed())
        func stateAndFolder() async throws {
            try await onFullState { stage in
                let source = stage.inbox / "letters/one.txt"
                try Disk.makeFolders(source.parent)
                try Disk.put([2], at: source)
                try await stage.expectProblem(
                    "cannot write the journal, so nothing is filed: No space left on device in \(stage.state)")
                #expect(stage.logged("nothing more can be written") == 0, "\(Disk.text(stage.daemonLog))")
                try Disk.remove(stage.state / "filler")
                try await stage.expectFiled(stage.documents / "letters/one.txt", [2], from: source)
                try await stage.expectProblem(nil)
            }
        }

        @Test(
            "An Inbox's disk that is full to the last block is reported, and drained as soon as it has room to stage in",
            Means.loop("ext4"))
        func inbox() async throws {
            try await onMounts { stage, mounts in
                try mounts.loop("ext4", at: stage.root / "in", size: "16M", make: ["-m", "0"])
                try stage.useInbox(stage.root / "in")
                let sources = (1...3).map { stage.root / TestPath("in/\($0).pdf") }
                for source in sources { try Disk.put(Self.content, at: source) }
                try fill(stage.root / "in/.filler")
                try await stage.start()
                try await stage.expectProblem("nothing more can be written to \(stage.root)/in")
                try await stage.expectListed("lost+found", state: "ignored", reasons: ["repairs"])
                for source in sources { #expect(try Disk.read(source) == Self.content) }
                #expect(try stage.staged(beneath: stage.root / "in").isEmpty, "what could not be finished is left")
                try Disk.remove(stage.root / "in/.filler")
                for (number, source) in sources.enumerated() {
                    try await stage.expectFiled(
                        stage.documents / TestPath("\(number + 1).pdf"), Self.content, from: source)
                }
                try await stage.expectProblem(nil)
                try await stage.expectNothingStaged(beneath: stage.root / "in")
            }
        }

        @Test("A document that does not fit its disk takes no room from those that do", Means.loop("ext4"))
        func tooLarge() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.documents / "disk"
                try mounts.loop("ext4", at: disk, size: "4M", make: ["-m", "0"])
                try await stage.start()
                try await stage.runControl(["pause"])
                try Disk.makeFolders(stage.inbox / "disk")
                try Disk.put([UInt8](repeating: 0x61, count: 6 << 20), at: stage.inbox / "disk/large.bin")
                let names = (1...8).map { TestPath("\($0).pdf") }
                for name in names { try Disk.put(Self.content, at: stage.inbox / "disk" / name) }
                try await stage.expectCounters(["seen": 9, "waiting": 9])
                try await stage.runControl(["resume"])
                for name in names {
                    try await stage.expectFiled(disk / name, Self.content, from: stage.inbox / "disk" / name)
                }
                try await stage.expectListed("large.bin", state: "waiting", reasons: ["retrying"])
            }
        }

        @Test("A state folder that is full at the start is degraded, and taken when there is room", Means.needed())
        func stateAtStart() async throws {
            try await onMounts { stage, mounts in
                try mounts.memory(at: stage.state, "size=64k")
                try fill(stage.state / "filler")
                try Disk.put([1], at: stage.inbox / "first.txt")
                try await stage.start()
                try await stage.expectProblem("No space left on device")
                #expect(Disk.exists(stage.inbox / "first.txt"))
                try Disk.remove(stage.state / "filler")
                try await stage.expectFiled(stage.documents / "first.txt", [1], from: stage.inbox / "first.txt")
                try await stage.expectProblem(nil)
            }
        }

        @Test("A file that is all hole takes no room, and a full destination gets it at once", Means.needed())
        func hole() async throws {
            try await onMounts { stage, mounts in
                try mounts.memory(at: stage.documents, "size=1m")
                try stage.useInbox(stage.root / "in")
                try fill(stage.documents / "filler")
                let source = stage.root / "outside/hole.bin"
                try Disk.put([], at: source)
                try Disk.check("truncate", source, source.withCString { truncate($0, 50_000_000) })
                try Disk.move(source, to: stage.root / "in/hole.bin")
                try await stage.start()
                try await eventually { Disk.exists(stage.documents / "hole.bin") ? nil : "it is not filed" }
                #expect(try Disk.status(stage.documents / "hole.bin").st_size == 50_000_000)
                #expect(try Disk.status(stage.documents / "hole.bin").st_blocks == 0)
            }
        }
    }
}

/// Writes until not one byte more fits.
func fill(_ path: TestPath) throws {
    let descriptor = try Disk.open(path, O_WRONLY | O_CREAT | O_APPEND)
    defer { close(descriptor) }
    for size in [65536, 4096, 512, 1, 1] {
        let bytes = [UInt8](repeating: 0, count: size)
        var written = size
        while written == size { written = write(descriptor, bytes, size) }
        // Less than asked for is the last that fitted.
        guard written >= 0 || errno == ENOSPC || errno == EDQUOT else {
            throw DiskError(call: "write", path: path, code: errno)
        }
    }
}

extension Disk {
    /// All that stat(2) reports.
    static func status(_ path: TestPath) throws -> stat {
        var reported = stat()
        try check("lstat", path, path.withCString { lstat($0, &reported) })
        return reported
    }
}
