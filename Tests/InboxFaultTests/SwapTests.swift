import Glibc
import InboxLinux
import InboxTestSupport
import Synchronization
import Testing

/// A folder that becomes a symbolic link at the worst moment, again and again.
@Suite("Folders swapped for links")
struct SwapTests {
    private static let seconds = setting("INBOX_SWAP_SECONDS", default: 4)

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

    @Test("A destination that becomes a link to another place gets nothing written there")
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
            #expect(try filed(stage).count > 100)
        }
    }

    private static let names: [BytePath] = (0..<5).map { BytePath("\($0).txt") }

    /// Swaps the folder for a link and back on a thread of its own while `body` drops documents.
    private func swapping(
        _ folder: BytePath, with outside: BytePath, on stage: Stage, _ body: (Int) throws -> Void
    ) async throws {
        try Disk.makeFolders(folder)
        let hidden = stage.root / "hidden"
        let isDone = Flag()
        try await stage.start()
        // A thread of its own from the start: a task could wait for one that other tests keep busy.
        let swapper = try Worker<Int, Result<Int, any Error>> { _ in
            Result { try Self.swap(folder, hidden, outside, until: isDone) }
        }
        try swapper.begin(0)
        var round = 0
        let end = ContinuousClock.now + .seconds(Self.seconds)
        while ContinuousClock.now < end {
            try body(round)
            round += 1
            pause(.milliseconds(1))
        }
        isDone.raise()
        var ended: [Result<Int, any Error>] = []
        while ended.isEmpty {
            pause(.milliseconds(1))
            ended = try swapper.finished()
        }
        try swapper.end()
        #expect(try ended[0].get() > 100)
        guard stage.daemon?.poll() == nil else { throw Failure("the daemon ended") }
        _ = try await stage.status()
        #expect(try await stage.end(SIGTERM) == .status(0))
    }

    private static func swap(
        _ folder: BytePath, _ hidden: BytePath, _ outside: BytePath, until isDone: Flag
    ) throws -> Int {
        var swaps = 0
        while !isDone.isRaised {
            try Disk.move(folder, to: hidden)
            let made = outside.withCString { target in folder.withCString { symlink(target, $0) } }
            pause(.microseconds(swaps % 7 * 100))
            if made == 0 { try Disk.remove(folder) }
            try putBack(hidden, to: folder, swaps)
            pause(.microseconds(swaps % 5 * 100))
            swaps += 1
        }
        return swaps
    }

    /// The daemon may make a folder there meanwhile, at any moment: its documents stay under another name.
    private static func putBack(_ hidden: BytePath, to folder: BytePath, _ swap: Int) throws {
        var tries = 0
        while true {
            if Disk.exists(folder) {
                try Disk.move(folder, to: BytePath(folder.bytes + Array(" \(swap) \(tries)".utf8)))
            }
            do {
                return try Disk.move(hidden, to: folder)
            } catch  where Disk.exists(folder) {
                tries += 1
            }
        }
    }

    private static func drop(_ text: String, as name: BytePath, in folders: BytePath, or other: BytePath) throws {
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

    private func filed(_ stage: Stage) throws -> [BytePath] {
        try Disk.leaves(of: stage.documents, except: [stage.inbox]).map { stage.documents / $0 }
    }
}

/// Tells another thread to stop.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}
