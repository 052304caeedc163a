import FoundationEssentials
import InboxFiling
import InboxLinux
import Synchronization

/// Where the history has the documents of each size: what may be a document that was filed before.
///
/// It is read once from the beginning, in the background, and from then on as far as the history has grown. An entry has 16
/// bytes; of more documents than there is room for the oldest are forgotten.
final class FiledSizes: FiledDocuments, Sendable {
    private struct Entry {
        let size: UInt64
        /// The number of the file in the upper 16 bits, where the line begins in the lower ones.
        let place: UInt64
    }

    private struct Table {
        /// Each sorted by size but the last, which is being filled.
        var chunks: [[Entry]] = []
        /// The inode numbers of the history's files, oldest first; the last one is the one that grows.
        var files: [UInt64] = []
        /// Up to where the last one has been read.
        var end: Int64 = 0
        var isBuilding = false
        var isBuilt = false
        /// The reason why it could not be built, and the time of the next try.
        var failure: (error: SyscallError, until: Instant)?

        mutating func add(_ entry: Entry) {
            if chunks.last.map({ $0.count == FiledSizes.chunk }) ?? true {
                if let full = chunks.indices.last { chunks[full].sort { $0.size < $1.size } }
                if chunks.count == FiledSizes.mostChunks { chunks.removeFirst() }
                chunks.append([])
                chunks[chunks.count - 1].reserveCapacity(FiledSizes.chunk)
            }
            chunks[chunks.count - 1].append(entry)
        }

        /// The places of the documents of a size, the newest first.
        func places(ofSize size: UInt64) -> [UInt64] {
            var found: [UInt64] = []
            for (index, chunk) in chunks.enumerated() {
                guard index < chunks.count - 1 else {
                    found += chunk.lazy.filter { $0.size == size }.map(\.place)
                    continue
                }
                var (low, high) = (0, chunk.count)
                while low < high {
                    let middle = (low + high) / 2
                    if chunk[middle].size < size { low = middle + 1 } else { high = middle }
                }
                found += chunk[low...].prefix { $0.size == size }.map(\.place)
            }
            return found.sorted(by: >)
        }
    }

    /// Entries: 1 MiB.
    private static let chunk = 1 << 16
    /// 4 million documents.
    private static let mostChunks = 64
    /// Documents of one size that are compared with a new one.
    private static let mostOfSize = 4_096
    /// Bytes: no line of a document is longer.
    private static let longestLine = 1 << 20

    private let folder: OpenFolder
    /// Returns where the history ends now.
    private let mark: @Sendable () -> HistoryMark
    private let table = Mutex(Table())

    /// The documents of a history that grows.
    init(_ history: History) {
        folder = history.folder
        mark = { history.mark }
    }

    /// The documents of the history in a state folder as it is now, which has been read when this returns.
    init(in state: OpenFolder) throws(SyscallError) {
        folder = state
        var end = HistoryMark(file: 0, size: 0)
        do throws(SyscallError) {
            let status = try state.directory.status(of: History.name)
            end = HistoryMark(file: status.identity.file.inode, size: Int64(clamping: status.size))
        } catch {
            guard error.errno.isAbsent else { throw error }
        }
        mark = { [end] in end }
        build()
    }

    /// Begins to read the history where that has not begun.
    func begin() {
        let mayBegin = table.withLock { table in
            if table.isBuilt || table.isBuilding { return false }
            if let failure = table.failure, .now() < failure.until { return false }
            table.isBuilding = true
            return true
        }
        guard mayBegin else { return }
        do throws(SyscallError) { try BackgroundThread.start { [self] in build() } } catch { end(error) }
    }

    private func build() {
        var built = Table()
        do throws(SyscallError) {
            try readOn(&built)
            built.isBuilt = true
            table.withLock { [built] in $0 = built }
        } catch {
            end(error)
        }
    }

    private func end(_ error: SyscallError) {
        table.withLock { table in
            table.isBuilding = false
            table.failure = (error, .now() + .seconds(10))
        }
    }

    func documents(ofSize size: UInt64) throws(SyscallError) -> [FiledDocument]? {
        begin()
        let result: Result<(places: [UInt64], files: [UInt64])?, SyscallError> = table.withLock { table in
            guard table.isBuilt else { return table.failure.map { .failure($0.error) } ?? .success(nil) }
            do throws(SyscallError) { try readOn(&table) } catch { return .failure(error) }
            return .success((table.places(ofSize: size), table.files))
        }
        guard let (places, files) = try result.get() else { return nil }
        if places.isEmpty { return [] }
        var opened: [Int: OpenFile] = [:]
        var found: [FiledDocument] = []
        for place in places.prefix(Self.mostOfSize) {
            let number = Int(place >> 48)
            guard number < files.count else { continue }
            if opened[number] == nil { opened[number] = try file(files[number]) }
            guard let file = opened[number] else { continue }
            let start = Int64(place & 0xFFFF_FFFF_FFFF)
            if let document = Self.document(try Self.line(of: file, from: start)) { found.append(document) }
        }
        return found
    }
}

// Reading.
extension FiledSizes {
    /// Reads what the history has since the table was read last.
    private func readOn(_ table: inout Table) throws(SyscallError) {
        let mark = mark()
        if table.files.last == mark.file {
            if table.end < mark.size { try read(mark.file, to: mark.size, &table) }
            return
        }
        // Whole, since it does not grow any more.
        if let last = table.files.last { try read(last, to: .max, &table) }
        var rotated: [(name: FileName, inode: UInt64)] = []
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() {
            guard History.isRotated(entry.name), !table.files.contains(entry.inode), entry.inode != mark.file else {
                continue
            }
            rotated.append((entry.name, entry.inode))
        }
        for file in rotated.sorted(by: { History.isOlder($0.name, than: $1.name) }) {
            table.files.append(file.inode)
            table.end = 0
            try read(file.inode, to: .max, &table)
        }
        table.files.append(mark.file)
        table.end = 0
        try read(mark.file, to: mark.size, &table)
    }

    /// The history's file with this number; nil where it is gone.
    private func file(_ inode: UInt64) throws(SyscallError) -> OpenFile? {
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() {
            guard entry.inode == inode, entry.name == History.name || History.isRotated(entry.name) else { continue }
            do throws(SyscallError) { return OpenFile(try folder.directory.file(entry.name)) } catch {
                if error.errno.isAbsent { continue }
                throw error
            }
        }
        return nil
    }

    private func read(_ inode: UInt64, to end: Int64, _ table: inout Table) throws(SyscallError) {
        guard let file = try file(inode), table.files.count <= Int(UInt16.max) else { return }
        let number = UInt64(table.files.count - 1) << 48
        // A line that is not whole yet is read again.
        table.end = try file.lines(from: table.end, to: end) { line, start in
            if let size = Self.size(in: line) { table.add(Entry(size: size, place: number | UInt64(start))) }
        }
    }

    private static let filed = Array(#""event":"filed""#.utf8)
    private static let sizeKey = Array(#""size":"#.utf8)

    /// The size of the document that a line says was filed; nil for another line, and of a document without content. What a
    /// name holds has its quotes escaped, so that it cannot look like a key.
    static func size(in line: ArraySlice<UInt8>) -> UInt64? {
        line.withUnsafeBytes { line in
            guard line.firstOffset(of: filed) != nil, let key = line.firstOffset(of: sizeKey) else { return nil }
            var size: UInt64 = 0
            for byte in line[(key + sizeKey.count)...] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
                let (tens, isLarge) = size.multipliedReportingOverflow(by: 10)
                let (sum, isTooLarge) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                if isLarge || isTooLarge { return nil }
                size = sum
            }
            return size > 0 ? size : nil
        }
    }

    static func line(of file: OpenFile, from start: Int64) throws(SyscallError) -> ArraySlice<UInt8> {
        var count = 4_096
        while true {
            let bytes = try file.descriptor.bytes(from: start, count: count)
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return bytes[..<end] }
            if bytes.count < count || count >= longestLine { return [] }
            count *= 16
        }
    }

    private struct Members: Decodable {
        let id, time, event, destination, sha256: String?
    }

    private static func document(_ line: ArraySlice<UInt8>) -> FiledDocument? {
        do {
            let members = try JSONDecoder().decode(Members.self, from: Data(line))
            guard members.event == "filed", let id = members.id,
                let path = members.destination.flatMap(BytePath.init(escapedText:))
            else { return nil }
            return FiledDocument(id: id, time: members.time ?? "", path: path, sum: members.sha256)
        } catch {
            return nil
        }
    }
}
