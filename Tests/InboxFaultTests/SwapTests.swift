import Glibc
import InboxLinux
import InboxTestSupport
import Synchronization
import Testing

/// A folder that becomes a symbolic link at the worst moment, again and again.
@Suite("Folders swapped for links")
struct SwapTests {
    private static let seconds = Extent.times(20, part: 2)
    /// So many swaps, and documents filed meanwhile, make a race; a busy machine takes longer for them.
    private static let least = 100

    @Test("A folder in the Inbox that becomes a link to another place takes nothing from there")
    func source() async throws {
        try await onStage { stage in
            let outside = stage.root / "outside"
            for name in Self.names { try Disk.put(Array("outside".utf8), at: outside / name) }
            try await swapping(stage.inbox / "sub", with: outside, on: stage) { round in
                for name in Self.names {
                    // Through a descriptor: the drop goes into the folder wherever it is called.
                    try Self.drop("\(round)", as: name, in: stage.root / "hidden", or: stage.inbox / "sub")
                }
            }
            for name in Self.names { #expect(Disk.text(outside / name) == "outside") }
            #expect(try Disk.names(in: outside).count == Self.names.count)
            #expect(try filed(stage).allSatisfy { Disk.text($0) != "outside" })
        }
    }

    @Test(
        "A destination that becomes somebody else's link to another place gets nothing written there",
        .enabled(if: geteuid() == 0, "only root makes links for others"))
    func destination() async throws {
        try await onStage { stage in
            let outside = stage.root / "outside"
            try await swapping(stage.documents / "sub", with: outside, on: stage) { round in
                for name in Self.names {
                    let path = stage.inbox / "sub" / name
                    try Disk.makeFolders(path.parent)
                    if !Disk.exists(path) { try Disk.put(Array("\(round)".utf8), at: path) }
                }
            }
            #expect(try Disk.names(in: outside).isEmpty)
        }
    }

    private static let names: [TestPath] = (0..<5).map { TestPath("\($0).txt") }

    /// Swaps the folder for a link and back on a thread of its own while `body` drops documents.
    private func swapping(
        _ folder: TestPath, with outside: TestPath, on stage: Stage, _ body: (Int) throws -> Void
    ) async throws {
        try Disk.makeFolders(folder)
        let hidden = stage.root / "hidden"
        let race = Race()
        try await stage.start()
        // A thread of its own from the start: a task could wait for one that other tests keep busy.
        let swapper = try Worker<Int, Result<Void, any Error>> { _ in
            Result { try Self.swap(folder, hidden, outside, in: race) }
        }
        swapper.begin(0)
        var round = 0
        let (start, clock) = (ContinuousClock.now, ContinuousClock())
        var isEnough = false
        while !isEnough {
            let next = clock.now + .milliseconds(200)
            while clock.now < next {
                try body(round)
                round += 1
                pause(.milliseconds(1))
            }
            let passed = clock.now - start
            let filed = try filed(stage).count
            isEnough = passed >= .seconds(Self.seconds) && race.swaps >= Self.least && filed >= Self.least
            guard passed < .seconds(Self.seconds) + Deadline.usual * 3 else {
                race.end()
                throw Failure("\(race.swaps) swaps and \(filed) filed documents after \(passed)")
            }
        }
        race.end()
        var ended: [Result<Void, any Error>] = []
        while ended.isEmpty {
            pause(.milliseconds(1))
            ended = try swapper.finished()
        }
        swapper.end()
        try ended[0].get()
        guard stage.daemon?.poll() == nil else { throw Failure("the daemon ended") }
        _ = try await stage.status()
        #expect(try await stage.end(SIGTERM) == .status(0))
    }

    private static func swap(
        _ folder: TestPath, _ hidden: TestPath, _ outside: TestPath, in race: Race
    ) throws {
        while !race.isOver {
            let swaps = race.swaps
            try Disk.move(folder, to: hidden)
            let made = try link(to: outside, at: folder, by: TestPath(hidden.bytes + Array(".link".utf8)))
            pause(.microseconds(swaps % 7 * 100))
            if made == 0 { try Disk.remove(folder) }
            try putBack(hidden, to: folder, swaps)
            pause(.microseconds(swaps % 5 * 100))
            race.count()
        }
    }

    /// Somebody else's link where that can be had: one that the owner has made would be followed.
    private static func link(to outside: TestPath, at folder: TestPath, by way: TestPath) throws -> Int32 {
        let made = way.withCString { way in
            guard outside.withCString({ symlink($0, way) }) == 0 else { return Int32(-1) }
            if geteuid() == 0, lchown(way, 12_345, 12_345) != 0 { return -1 }
            return folder.withCString { rename(way, $0) }
        }
        if made != 0 { try Disk.remove(way) }
        return made
    }

    /// The daemon may make a folder there meanwhile, at any moment: its documents stay under another name.
    private static func putBack(_ hidden: TestPath, to folder: TestPath, _ swap: Int) throws {
        var tries = 0
        while true {
            if Disk.exists(folder) {
                try Disk.move(folder, to: TestPath(folder.bytes + Array(" \(swap) \(tries)".utf8)))
            }
            do {
                return try Disk.move(hidden, to: folder)
            } catch  where Disk.exists(folder) {
                tries += 1
            }
        }
    }

    private static func drop(_ text: String, as name: TestPath, in folders: TestPath, or other: TestPath) throws {
        for folder in [folders, other] {
            let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            let file = name.withCString { openat(descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
            guard file >= 0 else { return }
            defer { close(file) }
            return try Disk.write(Array(text.utf8), to: file, name)
        }
    }

    private func filed(_ stage: Stage) throws -> [TestPath] {
        try Disk.leaves(of: stage.documents, except: [stage.inbox]).map { stage.documents / $0 }
    }
}

/// How often the swapping thread has swapped, and whether it is to stop.
private final class Race: Sendable {
    private let state = Mutex((swaps: 0, isOver: false))

    var swaps: Int { state.withLock { $0.swaps } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func count() { state.withLock { $0.swaps += 1 } }

    func end() { state.withLock { $0.isOver = true } }
}
