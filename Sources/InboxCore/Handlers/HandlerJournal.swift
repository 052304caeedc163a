import InboxFiling
import InboxLinux
import Synchronization

/// The state folder's `handlers`: the place in the history from which on there may be documents whose handlers have
/// not ended, the tries that were begun, and the handlers that are to run again on request.
///
/// Everything else that is still to be handled follows from the history alone: a filed record after the mark without
/// a handler's record. Tries are written by the threads that run them, before they start.
final class HandlerJournal: Sendable {
    private static var name: FileName { FileName("handlers").unsafelyUnwrapped }
    private static var temporary: FileName { FileName("handlers.new").unsafelyUnwrapped }
    /// Bytes. What is beyond in a file that somebody else has filled is not read.
    private static let longest = 64 << 20

    private struct State {
        var file: OpenFile
        /// Bytes.
        var size = 0
        /// Bytes: the file is written anew when it is longer.
        var limit: Int
        /// The contents of the file, as far as they are known.
        var remains = Remains()
    }

    private let folder: OpenFolder
    /// Bytes: a file that is not longer is not worth being written anew.
    private let least: Int
    private let state: Mutex<State>
    /// The documents whose handlers have ended, and whose tries are not forgotten yet. The loop adds to them, which is not to
    /// wait for the disk as those do who have the state.
    private let ended = Mutex<[String]>([])

    /// The state that an earlier run has left.
    struct Remains: Sendable {
        /// Where the history is to be read from; nil for a first run.
        var mark: History.Mark?
        /// The number of the last try that was begun and counts, by the document's id.
        var tries: [String: Int] = [:]
        /// An id before those of all documents that each document type has a handler for: it may have got it later.
        var since: [String: String] = [:]
        /// The records of the documents whose handlers have ended and are to run again, by the documents' ids.
        var again: [String: [UInt8]] = [:]
    }

    /// Returns true if an earlier run has left a journal.
    static func exists(in state: OpenFolder) throws(SyscallError) -> Bool { try state.directory.has(name) }

    /// Opens the file, which is made where it is missing.
    /// - Parameter least: bytes: a file that is not longer is not worth being written anew.
    init(in state: OpenFolder, least: Int = 4 << 20) throws(SyscallError) {
        folder = state
        self.least = least
        self.state = Mutex(State(file: OpenFile(try state.directory.appendingFile(Self.name)), limit: least))
    }

    /// Reads and returns the state that an earlier run has left.
    func remains() throws(SyscallError) -> Remains {
        try state.withLock { (state) throws(SyscallError) in
            let size = Int(clamping: try state.file.descriptor.status().size)
            let text = try state.file.descriptor.bytes(from: 0, count: min(size, Self.longest))
            state.size = size
            state.remains = Remains(text)
            return state.remains
        }
    }

    /// A try of a document's handler is about to begin, or the one after it is taken back.
    func begin(_ id: String, try number: Int) throws(SyscallError) {
        try append("try \(id) \(number)\n") { $0.tries[id] = number }
    }

    /// The handler of a document is to run again, with its tries counted anew.
    /// - Parameter line: the document's record, as the history has it.
    func retry(_ id: String, recordedAs line: [UInt8]) throws(SyscallError) {
        try append("try \(id) 0\nagain \(id) \(String(decoding: line, as: UTF8.self))\n") {
            ($0.tries[id], $0.again[id]) = (0, line)
        }
    }

    /// The ends of these documents' handlers are in the history: none of them is to run again. No sync, since a handler runs
    /// at least once, and may do so twice.
    func end(_ ids: [String]) throws(SyscallError) {
        try state.withLock { (state) throws(SyscallError) in
            let over = ids.filter { state.remains.again.removeValue(forKey: $0) != nil }
            if over.isEmpty { return }
            let lines = Array(("\n" + over.map { "over \($0) -\n" }.joined()).utf8)
            try state.file.descriptor.write(lines)
            state.size += lines.count
        }
    }

    /// The end of a document's handler is in the history: how often it was tried matters no longer.
    func forget(_ id: String) { ended.withLock { $0.append(id) } }

    /// Document types have got handlers, or have lost them.
    /// - Parameter since: an id before those of all documents that each has a handler for, of all that have one now.
    func note(_ change: HandlerRules.Change, since: [String: String]) throws(SyscallError) {
        let ends = change.ended.sorted().map { "since - \($0)\n" }.joined()
        try append(ends + Remains(since: change.begun).text) { $0.since = since }
    }

    private func append(_ text: String, _ change: (inout Remains) -> Void) throws(SyscallError) {
        let over = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        try state.withLock { (state) throws(SyscallError) in
            // Known even if it cannot be written now: it is when the file is written anew.
            change(&state.remains)
            for id in over { state.remains.tries[id] = nil }
            if text.isEmpty { return }
            // The newline before ends a line that a crash has torn.
            let line = Array(("\n" + text).utf8)
            try state.file.descriptor.write(line)
            try state.file.descriptor.syncData()
            state.size += line.count
            guard state.size > state.limit, state.remains.mark != nil else { return }
            state.limit += state.size
            do throws(SyscallError) { try replace(&state, state.remains) } catch {
                // It is tried again when the file is twice as long.
            }
        }
    }

    /// All that the history has before this place is handled, and no try is under way: the file is replaced by one that
    /// says so. What is to run again is no part of that.
    /// - Parameter since: as in ``note(_:since:)``; nil where that is as before.
    func mark(_ mark: History.Mark, since: [String: String]? = nil) throws(SyscallError) {
        try state.withLock { (state) throws(SyscallError) in
            try replace(
                &state, Remains(mark: mark, since: since ?? state.remains.since, again: state.remains.again))
        }
    }

    private func replace(_ state: inout State, _ remains: Remains) throws(SyscallError) {
        let other = OpenFile(try folder.directory.appendingFile(Self.temporary))
        let text = Array(remains.text.utf8)
        try other.descriptor.truncate(to: 0)
        try other.descriptor.write(text)
        try other.descriptor.syncData()
        try folder.directory.replace(Self.name, by: Self.temporary)
        state = State(file: other, size: text.count, limit: max(least, text.count * 2), remains: remains)
        try folder.directory.sync()
    }
}

extension HandlerJournal.Remains {
    /// Parses the lines of the file. Of each kind, a later line replaces an earlier one; a torn line is skipped.
    fileprivate init(_ text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard words.count == 3 else { continue }
            if words[0] == "mark", let inode = UInt64(words[1]), let size = Int64(words[2]), size >= 0 {
                mark = History.Mark(file: inode, size: size)
            } else if words[0] == "try", let number = Int(words[2]), number >= 0 {
                tries[words[1]] = number
            } else if words[0] == "again" {
                again[words[1]] = Array(words[2].utf8)
            } else if words[0] == "over" {
                again[words[1]] = nil
            } else if words[0] == "since", words[1] == "-" {
                since[words[2]] = nil
            } else if words[0] == "since", RecordID(words[1]) != nil {
                since[words[2]] = words[1]
            }
        }
    }

    /// The lines of the file that say this.
    fileprivate var text: String {
        let marks = mark.map { "mark \($0.file) \($0.size)\n" } ?? ""
        let sinces = since.sorted { $0.key < $1.key }.map { "since \($0.value) \($0.key)\n" }
        let begun = tries.lazy.filter { $0.value > 0 }.map { "try \($0.key) \($0.value)\n" }
        let again = again.lazy.map { "again \($0.key) \(String(decoding: $0.value, as: UTF8.self))\n" }
        return marks + sinces.joined() + begun.joined() + again.joined()
    }
}
