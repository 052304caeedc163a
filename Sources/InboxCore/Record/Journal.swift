import FoundationEssentials
import InboxLinux

/// What is about to happen to a document, written down before it does: enough to find out after a crash whether it
/// happened, and to make the record that is missing then.
struct Intent: Codable, Hashable {
    let id: String
    let source: String
    let destination: String
    let name: String
    let device: UInt64
    let inode: UInt64
    let birthSeconds: Int64?
    let birthNanoseconds: UInt32?
    /// How many names the file had: one more is the one that an interrupted move without rename has made.
    let links: UInt32
    let size: UInt64
    let modifiedSeconds: Int64
    let modifiedNanoseconds: UInt32

    /// The intent to move a file from `source` into the folder `destination`, under `name` or the next free one.
    init(id: RecordID, source: BytePath, status: FileStatus, destination: BytePath, name: FileName) {
        let identity = status.identity
        self.id = id.text
        self.source = source.escapedText
        self.destination = destination.escapedText
        self.name = name.escapedText
        device = identity.file.device
        inode = identity.file.inode
        birthSeconds = identity.file.birth?.seconds
        birthNanoseconds = identity.file.birth?.nanoseconds
        links = status.links
        size = identity.size
        modifiedSeconds = identity.modified.seconds
        modifiedNanoseconds = identity.modified.nanoseconds
    }

    /// All five marks of the file.
    var identity: FileIdentity {
        let birth = birthSeconds.map { Timestamp(seconds: $0, nanoseconds: birthNanoseconds ?? 0) }
        return FileIdentity(
            file: FileKey(device: device, inode: inode, birth: birth), size: size,
            modified: Timestamp(seconds: modifiedSeconds, nanoseconds: modifiedNanoseconds))
    }

    /// The line of the journal.
    var line: [UInt8] { fields.finished }

    /// The line without its end.
    var fields: JSONLine {
        var line = JSONLine()
        line.add("id", id)
        line.add("source", source)
        line.add("destination", destination)
        line.add("name", name)
        line.add("device", device)
        line.add("inode", inode)
        if let birthSeconds, let birthNanoseconds {
            line.add("birthSeconds", birthSeconds)
            line.add("birthNanoseconds", birthNanoseconds)
        }
        line.add("links", links)
        line.add("size", size)
        line.add("modifiedSeconds", modifiedSeconds)
        line.add("modifiedNanoseconds", modifiedNanoseconds)
        return line
    }
}

/// `journal`: the intents of the batch that is under way; empty when nothing is.
final class Journal {
    /// The file.
    let file: OpenFile

    static var name: FileName { FileName("journal").unsafelyUnwrapped }

    init(in state: OpenFolder) throws(SyscallError) {
        file = OpenFile(try state.directory.appendingFile(Self.name))
    }

    /// What a daemon that did not end well left behind. A torn or foreign line tells of nothing that was begun, since
    /// the journal is whole before the first rename.
    func leftOver() throws(SyscallError) -> [Intent] {
        let bytes = try file.descriptor.contents(limit: 64 << 20)
        let decoder = JSONDecoder()
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // A line that cannot be read is one that was torn: nil is the answer, not a silenced error.
            do { return try decoder.decode(Intent.self, from: Data(line)) } catch { return nil }
        }
    }

    /// Nothing is under way any more.
    func clear() throws(SyscallError) {
        try file.descriptor.truncate(to: 0)
    }
}
