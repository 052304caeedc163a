import FoundationEssentials
import InboxLinux

/// What is about to happen to a document that goes to another filesystem: an ``Intent`` and the marks of its copy.
///
/// A copy has a line or two. The first, only where the copy needs a hidden name, tells that name before it is made.
/// The second tells the marks of the finished, synced copy before it gets its own name: a file with these marks under
/// any other name shows that the copy was published.
///
/// A copy that is made under its own name has three: that name, as a hidden one; with it the marks of the empty file
/// that was made; and at last the marks of the finished copy without a name.
struct CopyIntent {
    let intent: Intent
    /// The filesystem of the source, by its own identifier; nil where it has none.
    let sourceFilesystem: String?
    /// The source's change time.
    let changed: Timestamp
    /// The hidden name; nil where the copy has none before its own.
    let temporary: FileName?
    /// The marks of the finished copy; nil in a first line.
    let copy: FileIdentity?

    /// The filesystem of its source.
    var sourceHome: FilesystemMark {
        FilesystemMark(device: intent.identity.file.device, identifier: sourceFilesystem)
    }

    /// The filesystem of its destination; nil where neither its identifier nor the copy's device is known.
    var home: FilesystemMark? {
        if copy == nil, intent.filesystem == nil { return nil }
        return FilesystemMark(device: copy?.file.device ?? 0, identifier: intent.filesystem)
    }

    /// The line of the journal.
    var line: [UInt8] {
        var line = intent.fields
        line.add(Key.changedSeconds.rawValue, changed.seconds)
        line.add(Key.changedNanoseconds.rawValue, changed.nanoseconds)
        if let sourceFilesystem { line.add(Key.sourceFilesystem.rawValue, sourceFilesystem) }
        if let temporary { line.add(Key.temporary.rawValue, temporary.escapedText) }
        if let copy {
            line.add(Key.device.rawValue, copy.file.device)
            line.add(Key.inode.rawValue, copy.file.inode)
            if let birth = copy.file.birth {
                line.add(Key.birthSeconds.rawValue, birth.seconds)
                line.add(Key.birthNanoseconds.rawValue, birth.nanoseconds)
            }
            line.add(Key.size.rawValue, copy.size)
            line.add(Key.modifiedSeconds.rawValue, copy.modified.seconds)
            line.add(Key.modifiedNanoseconds.rawValue, copy.modified.nanoseconds)
        }
        return line.finished
    }

    private enum Key: String, CodingKey {
        case changedSeconds, changedNanoseconds, temporary, sourceFilesystem
        case device = "copyDevice"
        case inode = "copyInode"
        case birthSeconds = "copyBirthSeconds"
        case birthNanoseconds = "copyBirthNanoseconds"
        case size = "copySize"
        case modifiedSeconds = "copyModifiedSeconds"
        case modifiedNanoseconds = "copyModifiedNanoseconds"
    }
}

extension CopyIntent: Decodable {
    /// Reads a line of the journal: the members of an ``Intent`` and those of the copy beside them.
    init(from decoder: any Decoder) throws {
        intent = try Intent(from: decoder)
        let members = try decoder.container(keyedBy: Key.self)
        func moment(_ seconds: Key, _ nanoseconds: Key) throws -> Timestamp {
            Timestamp(
                seconds: try members.decode(Int64.self, forKey: seconds),
                nanoseconds: try members.decode(UInt32.self, forKey: nanoseconds))
        }
        changed = try moment(.changedSeconds, .changedNanoseconds)
        sourceFilesystem = try members.decodeIfPresent(String.self, forKey: .sourceFilesystem)
        temporary = try members.decodeIfPresent(String.self, forKey: .temporary)
            .flatMap { EscapedBytes.bytes($0) }.flatMap { FileName($0) }
        guard members.contains(.inode) else {
            copy = nil
            return
        }
        let file = FileKey(
            device: try members.decode(UInt64.self, forKey: .device),
            inode: try members.decode(UInt64.self, forKey: .inode),
            birth: members.contains(.birthSeconds) ? try moment(.birthSeconds, .birthNanoseconds) : nil)
        copy = FileIdentity(
            file: file, size: try members.decode(UInt64.self, forKey: .size),
            modified: try moment(.modifiedSeconds, .modifiedNanoseconds))
    }
}
