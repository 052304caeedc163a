import Glibc
import InboxLinux
import InboxTestSupport
import Testing

/// Others at work in the same places at the same time.
@Suite("A crowd", .serialized)
struct CrowdTests {
    @Test("Four daemons on one Inbox file each of many documents once, without a complaint")
    func fourDaemons() async throws {
        let count = Extent.times(2_000, part: 300)
        try await Gate.daemons.pass {
            let first = try Stage(settings: ["Inbox.Settle=0"])
            defer { first.close() }
            let crew = [first] + (try (0..<3).map { _ in try Stage(settings: ["Inbox.Settle=0"]) })
            defer { for stage in crew.dropFirst() { stage.close() } }
            for stage in crew { try await stage.start(["--documents", first.documents, "--log-level", "warning"]) }
            for index in 0..<count {
                let name = TestPath("\(index % (count / 2)).txt")
                try Disk.put(Array("content \(index)".utf8), at: first.root / "outside/next")
                try await moveWhenFree(first.root / "outside/next", to: first.inbox / name)
            }
            try await eventually(every: .milliseconds(100)) {
                let left = try Disk.names(in: first.inbox).count
                return left == 0 ? nil : "\(left) documents are still in the Inbox"
            }
            for stage in crew {
                // Each status that is read is held to the equation of guarantee 6.
                try await stage.expectCounters(["waiting": 0])
                #expect(try await stage.end(SIGTERM) == .status(0))
                #expect(Disk.text(stage.daemonLog) == "")
            }
            let contents = try Disk.leaves(of: first.documents, except: [first.inbox])
                .map { Disk.text(first.documents / $0) }
            #expect(contents.sorted() == (0..<count).map { "content \($0)" }.sorted())
            let destinations = try crew.flatMap { try $0.filedRecords() }.compactMap { $0["destination"]?.string }
            #expect(destinations.count == count)
            #expect(Set(destinations).count == count)
        }
    }

    @Test(
        "Four daemons on one Inbox whose documents have to be copied file each once, without a complaint",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func fourDaemonsAcross() async throws {
        let count = Extent.times(600, part: 120)
        try await Gate.daemons.pass {
            let other = try OtherFilesystem()
            defer { try? Disk.removeTree(other.path) }
            let inbox = other.path / "Inbox"
            try Disk.makeFolder(inbox)
            let crew = try (0..<4).map { _ in try Stage(settings: ["Inbox.Settle=0"]) }
            defer { for stage in crew { stage.close() } }
            let documents = crew[0].documents
            for stage in crew {
                try await stage.start(["--documents", documents, "--inbox", inbox, "--log-level", "warning"])
            }
            // Some are large enough that the others inspect them while one of them copies.
            let contents = (0..<count).map { number in
                "content \(number)" + String(repeating: "x", count: number % 20 == 0 ? 2 << 20 : 9)
            }
            for (index, content) in contents.enumerated() {
                try Disk.put(Array(content.utf8), at: other.path / "next")
                try await moveWhenFree(other.path / "next", to: inbox / TestPath("\(index % (count / 6)).txt"))
            }
            try await eventually(within: .seconds(120), every: .milliseconds(100)) {
                let left = try Disk.names(in: inbox).count
                return left == 0 ? nil : "\(left) documents are still in the Inbox"
            }
            for stage in crew {
                // Each status that is read is held to the equation of guarantee 6.
                try await stage.expectCounters(["waiting": 0])
                #expect(try await stage.end(SIGTERM) == .status(0))
                #expect(Disk.text(stage.daemonLog) == "")
                #expect(Disk.text(stage.state / "journal") == "")
            }
            let found = try Disk.leaves(of: documents, except: [crew[0].inbox]).map { Disk.text(documents / $0) }
            #expect(found.sorted() == contents.sorted(), "\(found.count) of \(count) stand there")
            let destinations = try crew.flatMap { try $0.filedRecords() }.compactMap { $0["destination"]?.string }
            #expect(destinations.count == count && Set(destinations).count == count)
        }
    }

    @Test("Six writers and three other movers on the same names: nothing is overwritten and nothing is lost")
    func writersAndMovers() async throws {
        let seconds = Extent.times(30, part: 3)
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0", "Inbox.Folders=flatten"])
            defer { stage.close() }
            try await stage.start()
            let end = ContinuousClock.now + .seconds(seconds)
            let (inbox, documents, root) = (stage.inbox, stage.documents, stage.root)
            let contents = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<6 {
                    group.addTask { try await onOwnThread { try Self.write(number, into: inbox, until: end) } }
                }
                for number in 6..<9 {
                    group.addTask {
                        try await onOwnThread { try Self.move(number, root: root, into: documents, until: end) }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try await eventually(every: .milliseconds(100)) {
                let left = try Disk.leaves(of: inbox).filter { $0.bytes.last != 0x2F }.count
                return left == 0 ? nil : "\(left) documents are still in the Inbox"
            }
            #expect(try await stage.end(SIGTERM) == .status(0))
            let found = try Disk.leaves(of: documents, except: [inbox]).map { Disk.text(documents / $0) }
            #expect(contents.count > 50)
            #expect(found.sorted() == contents.sorted(), "\(found.count) of \(contents.count) stand there")
        }
    }

    /// Drops documents under ever the same two names, each from a folder of its own.
    private static func write(
        _ number: Int, into inbox: TestPath, until end: ContinuousClock.Instant
    ) throws -> [String] {
        let folder = inbox / TestPath("writer \(number)")
        var contents: [String] = []
        while ContinuousClock.now < end {
            try Disk.makeFolders(folder)
            let path = folder / (contents.count % 2 == 0 ? "scan.pdf" : "scan-1.pdf")
            let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
            guard descriptor >= 0 else {
                pause(.milliseconds(1))
                continue
            }
            defer { close(descriptor) }
            let content = "writer \(number), document \(contents.count)"
            try Disk.write(Array(content.utf8), to: descriptor, path)
            contents.append(content)
        }
        return contents
    }

    /// Moves files of its own to the names that the daemon wants, as another program that replaces nothing.
    private static func move(
        _ number: Int, root: TestPath, into documents: TestPath, until end: ContinuousClock.Instant
    ) throws -> [String] {
        let path = root / TestPath("outside/mover \(number)")
        var contents: [String] = []
        var row = 0
        while ContinuousClock.now < end {
            let content = "mover \(number), document \(contents.count)"
            try Disk.put(Array(content.utf8), at: path)
            while !(try rename(path, into: documents, as: row == 0 ? "scan.pdf" : "scan-\(row).pdf")) { row += 1 }
            contents.append(content)
            pause(.milliseconds(2))
        }
        return contents
    }

    private static func rename(_ path: TestPath, into folder: TestPath, as name: String) throws -> Bool {
        guard let old = FileName(path.components.last?.bytes ?? []), let new = FileName(name) else { return false }
        do throws(SyscallError) {
            try Directory.open(path: BytePath(path.parent))
                .rename(old, to: try Directory.open(path: BytePath(folder)), as: new)
            return true
        } catch {
            guard error.errno == .exists else { throw error }
            return false
        }
    }

    private func moveWhenFree(_ path: TestPath, to target: TestPath) async throws {
        try await eventually(every: .milliseconds(1)) {
            try Self.rename(path, into: target.parent, as: target.components.last?.description ?? "")
                ? nil : "\(target) is not filed"
        }
    }
}

/// Does what blocks on a thread that nobody else needs.
func onOwnThread<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
    try await withTaskExecutorPreference(OwnThread()) { try body() }
}
