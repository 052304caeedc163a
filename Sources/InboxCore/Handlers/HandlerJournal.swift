import InboxFiling
import InboxLinux
import Synchronization

/// The state folder's `handlers`: from where on the history may have documents whose handlers have not ended, and which
/// tries were begun.
///
/// What is still to be handled follows from the history alone: a filed record after the mark without a handler's record.
/// Tries are written by the threads that run them, before they start.
final class HandlerJournal: Sendable {
    private static var name: FileName { FileName("handlers").unsafelyUnwrapped }
    private static var temporary: FileName { FileName("handlers.new").unsafelyUnwrapped }
    /// Bytes. What is beyond in a file that somebody else has filled is not read.
    private static let longest = 64 << 20

    private let folder: OpenFolder
    private let file: Mutex<OpenFile>

    /// What an earlier run has left.
    struct Remains: Sendable {
        /// Where the history is to be read from; nil for a first run.
        var mark: History.Mark?
        /// The number of the last try that was begun and counts, by the document's id.
        var tries: [String: Int] = [:]
        /// An id before those of all documents that each document type has a handler for: it may have got it later.
        var since: [String: String] = [:]
    }

    /// Whether an earlier run has left one.
    static func exists(in state: OpenFolder) throws(SyscallError) -> Bool { try state.directory.has(name) }

    /// Opens the file, which is made where it is missing.
    init(in state: OpenFolder) throws(SyscallError) {
        folder = state
        file = Mutex(OpenFile(try state.directory.appendingFile(Self.name)))
    }

    /// What an earlier run has left.
    func remains() throws(SyscallError) -> Remains {
        let file = file.withLock { $0 }
        let size = Int(clamping: try file.descriptor.status().size)
        let text = try file.descriptor.bytes(from: 0, count: min(size, Self.longest))
        var remains = Remains()
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard words.count == 3 else { continue }
            if words[0] == "mark", let inode = UInt64(words[1]), let size = Int64(words[2]), size >= 0 {
                remains.mark = History.Mark(file: inode, size: size)
            } else if words[0] == "try", let number = Int(words[2]), number >= 0 {
                remains.tries[words[1]] = number
            } else if words[0] == "since", RecordID(words[1]) != nil {
                remains.since[words[2]] = words[1]
            }
        }
        return remains
    }

    /// A try of a document's handler is about to begin, or the one after it is taken back.
    func begin(_ id: String, try number: Int) throws(SyscallError) { try append("try \(id) \(number)\n") }

    /// Document types have handlers for documents with later ids than these.
    func begin(since: [String: String]) throws(SyscallError) { try append(Self.lines(since)) }

    private static func lines(_ since: [String: String]) -> String {
        since.sorted { $0.key < $1.key }.map { "since \($0.value) \($0.key)\n" }.joined()
    }

    private func append(_ text: String) throws(SyscallError) {
        let failure: SyscallError? = file.withLock { file in
            do throws(SyscallError) {
                // The newline before ends a line that a crash has torn.
                try file.descriptor.write(Array(("\n" + text).utf8))
                try file.descriptor.syncData()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// All that the history has before this place is handled, and no try is under way: the file is replaced by one that
    /// says so.
    func mark(_ mark: History.Mark, since: [String: String] = [:]) throws(SyscallError) {
        let failure: SyscallError? = file.withLock { file in
            do throws(SyscallError) {
                let other = OpenFile(try folder.directory.appendingFile(Self.temporary))
                try other.descriptor.truncate(to: 0)
                try other.descriptor.write(Array(("mark \(mark.file) \(mark.size)\n" + Self.lines(since)).utf8))
                try other.descriptor.syncData()
                try folder.directory.replace(Self.name, by: Self.temporary)
                try folder.directory.sync()
                file = other
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
