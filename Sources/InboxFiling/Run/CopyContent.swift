import InboxLinux

/// Copies what a file holds into another one: shared where the filesystem can, inside the kernel where that can, else
/// by reading and writing; holes stay holes.
struct CopyContent {
    /// Bytes: how much is copied between two checks whether to go on.
    static let portion = 4 << 20
    /// Bytes: how much room is taken between two such checks.
    static let room: Int64 = 256 << 20
    /// Bytes: how much may be on its way to the disk.
    static let unwritten = Syncing.portion

    let source: OpenFile
    let copy: OpenFile
    let size: Int64
    /// The number of bytes allocated for it on the source's filesystem.
    private var allocated: UInt64
    /// The room is taken beforehand; else the copy is a beginning of the source at each moment, which shows after
    /// an interruption what it is.
    let takesRoom: Bool
    let progress: CopyProgress
    /// The number of the document's bytes that were done before this file.
    let base: UInt64
    /// Called before each portion: throws why not to go on.
    let goOn: () throws(CopyFailure) -> Void

    private var copiedBytes: UInt64 = 0
    /// The same in whole blocks, as a filesystem allocates them.
    private var copiedBlocks: UInt64 = 0
    /// Up to where the copy was waited for.
    private var written: Int64 = 0
    private var isInKernel = true
    private var buffer: [UInt8] = []

    /// A copy of a document's file into a new one.
    init(
        of source: OpenFile, _ status: FileStatus, into copy: OpenFile, _ progress: CopyProgress,
        takesRoom: Bool = true, goOn: @escaping () throws(CopyFailure) -> Void
    ) {
        self.source = source
        self.copy = copy
        size = Int64(clamping: status.size)
        allocated = status.allocated
        self.takesRoom = takesRoom
        self.progress = progress
        base = progress.done
        self.goOn = goOn
    }

    /// Copies all of it; the source must not change meanwhile, which its status shows afterwards.
    ///
    /// Holes are searched only where fewer blocks are allocated than the size needs, after a sync of the source: some
    /// filesystems report data as a hole while it is not on the disk. The report is not trusted: unless what was copied
    /// has as many blocks as the source, what was passed over is read, and has to be zeros.
    mutating func run() throws(CopyFailure) {
        // Shared content is there at once, and takes no room.
        if size > 0, try attempt(copy.descriptor.clone(source.descriptor)) == nil {
            if allocated >= UInt64(size) {
                // So that a full disk shows before the work, and the copy lies in one piece.
                if takesRoom { try takeRoom() }
                try copyAll()
            } else {
                try CopyFailure.ofSource(source.descriptor.sync())
                // Only now all of it has its blocks.
                allocated = try CopyFailure.ofSource(source.descriptor.status()).allocated
                if try !copyParts() { try copyAll() }
                // A hole at the end has no bytes that would make the file so long.
                try CopyFailure.ofCopy(copy.descriptor.truncate(to: size))
            }
        }
        // That the source still has the size that was read is shown when all of it is proved again.
        guard try CopyFailure.ofCopy(copy.descriptor.end()) == size else { throw .refused(Refusal(.changed)) }
        progress.done = base &+ UInt64(size)
    }

    /// Bytes: the holes of a file that is larger are not read, which could take hours; there only the number of its
    /// blocks shows whether data is missing.
    private static let readable: Int64 = 64 << 30
    /// Bytes: what a filesystem may allocate for its own lists of blocks.
    private static let slack: UInt64 = 1 << 20

    /// Takes the room part by part, since some filesystems fill it with zeros, which takes as long as a copy does.
    private func takeRoom() throws(CopyFailure) {
        var taken: Int64 = 0
        while taken < size {
            if taken > 0 { try goOn() }
            let part = min(Self.room, size - taken)
            guard try attempt(copy.descriptor.reserve(from: taken, count: part)) != nil else { return }
            taken += part
        }
    }

    private mutating func copyAll() throws(CopyFailure) {
        (copiedBytes, written) = (0, 0)
        try copyPart(from: 0, to: size)
        guard copiedBytes == UInt64(size) else { throw .refused(Refusal(.changed)) }
    }

    /// Makes a call without which the copy is made as well; nil where the filesystem does not offer it.
    private func attempt<Value>(_ call: @autoclosure () throws(SyscallError) -> Value) throws(CopyFailure) -> Value? {
        do throws(SyscallError) { return try call() } catch {
            if error.errno.hasCopyFallback { return nil }
            throw .copy(error)
        }
    }

    /// Copies the data extents, skipping holes.
    /// - Returns: false where something that was reported as a hole is none.
    private mutating func copyParts() throws(CopyFailure) -> Bool {
        var holes: [Range<Int64>] = []
        var offset: Int64 = 0
        while offset < size {
            let (start, end) = try nextPart(from: offset) ?? (size, size)
            if start > offset, holes.count < Self.mostHoles { holes.append(offset..<start) }
            try copyPart(from: start, to: end)
            // The last block is allocated as a whole.
            let blocksEnd = end == size ? (end &+ (Self.block - 1)) / Self.block * Self.block : end
            if end > start { copiedBlocks &+= UInt64(clamping: blocksEnd - start) }
            offset = end
        }
        // Every block of the source is one that was copied. Where blocks are packed, or lists take some, that shows nothing.
        if copiedBlocks == allocated { return true }
        guard size <= Self.readable else { return copiedBytes &+ Self.slack >= allocated }
        guard holes.count < Self.mostHoles else { return false }
        for hole in holes { guard try isHole(hole) else { return false } }
        return true
    }

    /// Bytes: what every filesystem allocates at least, as far as it has holes at all.
    private static let block: Int64 = 4096
    /// Of a file with more holes than these all is read.
    private static let mostHoles = 100_000

    private func isHole(_ range: Range<Int64>) throws(CopyFailure) -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            try goOn()
            let part = offset..<min(offset + Int64(Self.portion), range.upperBound)
            guard try CopyFailure.ofSource(source.descriptor.hasOnlyZeros(in: part)) else { return false }
            offset = part.upperBound
            progress.done = base &+ UInt64(offset)
        }
        return true
    }

    private mutating func copyPart(from start: Int64, to end: Int64) throws(CopyFailure) {
        var offset = start
        while offset < end {
            try goOn()
            let count = Int(min(Int64(Self.portion), end - offset))
            let copied = try copyPortion(at: offset, count)
            // The file is shorter than it was: it has changed.
            if copied == 0 { throw .refused(Refusal(.changed)) }
            try write(from: offset, to: offset + Int64(copied))
            offset += Int64(copied)
            copiedBytes &+= UInt64(copied)
            progress.done = base &+ UInt64(offset)
        }
    }

    /// The next data extent; nil if only a hole follows.
    private func nextPart(from offset: Int64) throws(CopyFailure) -> (Int64, Int64)? {
        do throws(SyscallError) {
            guard let start = try source.descriptor.nextData(from: offset), start < size else { return nil }
            let end = try source.descriptor.nextHole(from: start)
            // The data was punched out between the two calls by another process; reading yields zeros.
            return (start, end > start ? min(end, size) : size)
        } catch {
            if error.errno.hasCopyFallback { return (offset, size) }
            throw .source(error)
        }
    }

    private mutating func copyPortion(at offset: Int64, _ count: Int) throws(CopyFailure) -> Int {
        if isInKernel {
            let copied = try attempt(copy.descriptor.copyRange(of: source.descriptor, at: offset, count: count))
            // Some filesystems say 0 without being at the end; reading shows it.
            if let copied, copied > 0 { return copied }
            isInKernel = copied != nil
        }
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 1 << 20) }
        let copied = min(try CopyFailure.ofSource(source.descriptor.read(into: &buffer, at: offset)), count)
        try CopyFailure.ofCopy(copy.descriptor.write(buffer[..<copied], at: offset))
        return copied
    }

    /// Lets the disk begin, and waits for what is far behind: the sync at the end is short then, and so is the way out of
    /// the copy, for which a writer or the daemon's end may wait.
    private mutating func write(from start: Int64, to end: Int64) throws(CopyFailure) {
        do throws(SyscallError) { try copy.descriptor.startWriting(from: start, count: end - start) } catch {
            // It is a hint; the sync at the end shows whether the content reached the disk.
        }
        guard end - written > Self.unwritten else { return }
        // Not a hint: a failure that was reported here is not reported by the sync again.
        _ = try attempt(copy.descriptor.finishWriting(from: written, count: end - Self.unwritten - written))
        written = end - Self.unwritten
    }
}
