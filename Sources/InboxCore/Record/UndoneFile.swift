import FoundationEssentials
import InboxFiling
import InboxLinux
import Synchronization

/// `undone`: the documents that were put back and are held, also across restarts. There is no such file while there are
/// none.
///
/// Lines are only appended: one for a document that is held from then on, one for the end of that. Where most of them are
/// of what has ended, the file is replaced by one that has the others alone.
final class UndoneFile: Sendable {
    /// Documents. A user has no more of them held at a time, and of several users each has an equal part. None that is there,
    /// or may be there again, is forgotten for that: it would be filed again though nobody has asked for it.
    static let most = 4096
    /// Bytes. What is beyond was never written by a daemon.
    private static let longest = 128 << 20
    /// Lines. A file with fewer is not replaced.
    static let shortestFull = 2 * most

    private struct State {
        var open: [RecordID: UndoneDocument]
        /// Those that have ended, and of which the file does not say so yet.
        var ended: [RecordID] = []
        /// The number of lines in the file.
        var lineCount: Int
    }

    private let folder: OpenFolder
    private let state: Mutex<State>
    /// Held by whoever writes, who may wait for the disk: the loop never waits for that.
    private let writing = Mutex(())

    private static var name: FileName { FileName("undone").unsafelyUnwrapped }
    private static var nextName: FileName { FileName("undone.new").unsafelyUnwrapped }

    /// Reads what an earlier run has left.
    init(in state: OpenFolder) throws(StateFileError) {
        folder = state
        let bytes = try state.stateFile(Self.name, limit: Self.longest) ?? []
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        self.state = Mutex(State(open: Self.documents(in: lines), lineCount: lines.count))
    }

    /// Those that are held.
    var documents: [UndoneDocument] { state.withLock { Array($0.open.values) } }

    /// The number of these documents for each user who has put some back.
    var counts: [UInt32: Int] {
        state.withLock { $0.open.values.reduce(into: [:]) { $0[$1.user, default: 0] += 1 } }
    }

    /// A document is held from now on, which is on the disk when this returns.
    func hold(_ document: UndoneDocument) throws(SyscallError) {
        try writing.withLock { (_) throws(SyscallError) in
            try append([Self.line(document)], isDurable: true, isNew: state.withLock { $0.open.isEmpty })
            let isFull = state.withLock { state in
                state.open[document.undo] = document
                return state.lineCount >= max(Self.shortestFull, 4 * state.open.count)
            }
            guard isFull else { return }
            do throws(SyscallError) { try replace() } catch {
                // It stays as long as it is, and this is tried again with the next document.
            }
        }
        do throws(SyscallError) { try writeEnds() } catch {
            // What has ended meanwhile is held once more after a restart.
        }
    }

    /// These are no longer held. No sync: after a power cut they are held once more.
    func end(_ ids: [RecordID]) throws(SyscallError) {
        state.withLock { state in
            for id in ids where state.open.removeValue(forKey: id) != nil { state.ended.append(id) }
        }
        try writeEnds()
    }

    /// Writes down what has ended, unless somebody is writing, who does it then.
    private func writeEnds() throws(SyscallError) {
        // Asked again after the lock is free: whoever came before that and after the last look found it taken.
        while state.withLock({ !$0.ended.isEmpty }) {
            let result = writing.withLockIfAvailable { _ in
                Result { () throws(SyscallError) in try writeEndsAlone() }
            }
            guard let result else { return }
            try result.get()
        }
    }

    private func writeEndsAlone() throws(SyscallError) {
        let (ended, isEmpty) = state.withLock { state in
            defer { state.ended = [] }
            return (state.ended, state.open.isEmpty)
        }
        guard !ended.isEmpty else { return }
        guard !isEmpty else {
            try folder.directory.removeFile(Self.name)
            return state.withLock { $0.lineCount = 0 }
        }
        try append(ended.map(Self.line(ending:)), isDurable: false, isNew: false)
    }

    private func append(_ lines: [[UInt8]], isDurable: Bool, isNew: Bool) throws(SyscallError) {
        let file = try folder.directory.appendingFile(Self.name)
        // The newline before ends a line that a crash has torn.
        try file.write([UInt8(ascii: "\n")] + lines.joined())
        if isDurable { try file.syncData() }
        if isNew { try folder.directory.sync() }
        state.withLock { $0.lineCount += lines.count }
    }

    private func replace() throws(SyscallError) {
        let documents = documents
        let next = try folder.directory.appendingFile(Self.nextName)
        try next.truncate(to: 0)
        try next.write(documents.flatMap(Self.line))
        try next.syncData()
        try folder.directory.replace(Self.name, by: Self.nextName)
        state.withLock { $0.lineCount = documents.count }
        try folder.directory.sync()
    }

    private static func line(_ document: UndoneDocument) -> [UInt8] {
        var line = JSONLine()
        line.add("undo", document.undo.text)
        line.add("path", document.path)
        line.add("identity", document.identity.numbers)
        line.add("lasting", document.hasLastingInode)
        line.add("user", document.user)
        return line.finished()
    }

    private static func line(ending id: RecordID) -> [UInt8] {
        var line = JSONLine()
        line.add("ended", id)
        return line.finished()
    }

    private struct Members: Decodable {
        let undo, ended, path: String?
        let identity: [String]?
        let lasting: Bool?
        /// Missing in lines of versions that did not write that down.
        let user: UInt32?
    }

    private static func documents(in lines: [ArraySlice<UInt8>]) -> [RecordID: UndoneDocument] {
        let decoder = JSONDecoder()
        var found: [RecordID: UndoneDocument] = [:]
        for line in lines {
            let members: Members
            // A line that cannot be read was torn.
            do { members = try decoder.decode(Members.self, from: Data(line)) } catch { continue }
            if let ended = members.ended.flatMap({ RecordID($0) }) { found[ended] = nil }
            guard let id = members.undo.flatMap({ RecordID($0) }),
                let path = members.path.flatMap(BytePath.init(escapedText:)),
                let identity = members.identity.flatMap({ FileIdentity(numbers: $0) })
            else { continue }
            found[id] = UndoneDocument(
                undo: id, path: path, identity: identity, hasLastingInode: members.lasting ?? true,
                user: members.user ?? 0)
        }
        return found
    }
}
