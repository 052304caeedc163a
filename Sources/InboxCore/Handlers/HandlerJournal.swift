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

    private struct State {
        var file: OpenFile
        /// What the file says of the document types that have handlers, as far as it is known.
        var since: [String: String] = [:]
    }

    private let folder: OpenFolder
    private let state: Mutex<State>
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
        self.state = Mutex(State(file: OpenFile(try state.directory.appendingFile(Self.name))))
    }

    /// What an earlier run has left.
    func remains() throws(SyscallError) -> Remains {
        try state.withLock { (state) throws(SyscallError) in
            let size = Int(clamping: try state.file.descriptor.status().size)
            let text = try state.file.descriptor.bytes(from: 0, count: min(size, Self.longest))
            let remains = Remains(text)
            state.since = remains.since
            return remains
        }
    }

    /// A try of a document's handler is about to begin, or the one after it is taken back.
    func begin(_ id: String, try number: Int) throws(SyscallError) {
        try append("try \(id) \(number)\n")
    }

    /// Document types have got handlers, or have lost them.
    /// - Parameter since: an id before those of all documents that each has a handler for, of all that have one now.
    func note(_ change: HandlerRules.Change, since: [String: String]) throws(SyscallError) {
        let ends = change.ended.sorted().map { "since - \($0)\n" }.joined()
        try append(ends + Remains(since: change.begun).text, since: since)
    }

    private func append(_ text: String, since: [String: String]? = nil) throws(SyscallError) {
        try state.withLock { (state) throws(SyscallError) in
            // Known even if it cannot be written now: it is when the file is replaced.
            if let since { state.since = since }
            if text.isEmpty { return }
            // The newline before ends a line that a crash has torn.
            try state.file.descriptor.write(Array(("\n" + text).utf8))
            try state.file.descriptor.syncData()
        }
    }

    /// All that the history has before this place is handled, and no try is under way: the file is replaced by one that
    /// says so.
    /// - Parameter since: as in ``note(_:since:)``; nil where that is as before.
    func mark(_ mark: History.Mark, since: [String: String]? = nil) throws(SyscallError) {
        try state.withLock { (state) throws(SyscallError) in
            try replace(&state, Remains(mark: mark, since: since ?? state.since))
        }
    }

    private func replace(_ state: inout State, _ remains: Remains) throws(SyscallError) {
        let other = OpenFile(try folder.directory.appendingFile(Self.temporary))
        try other.descriptor.truncate(to: 0)
        try other.descriptor.write(Array(remains.text.utf8))
        try other.descriptor.syncData()
        try folder.directory.replace(Self.name, by: Self.temporary)
        state = State(file: other, since: remains.since)
        try folder.directory.sync()
    }
}

extension HandlerJournal.Remains {
    /// What the lines of the file say, the later ones of each kind; a line that is torn says nothing.
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
        return marks + sinces.joined()
    }
}
