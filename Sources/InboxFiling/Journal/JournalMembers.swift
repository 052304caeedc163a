import FoundationEssentials
import InboxLinux

/// The members that a line of the journal may have, as they are decoded; which of them there are depends on its kind.
struct JournalMembers: Decodable {
    /// The id, under the name of the entry's kind.
    let move, claim, folder: String?
    /// The ids of the entries that the line ends.
    let ended: [String]?
    /// The handlers that have ended, by the ids of their documents, and those that are due, each with the place of its
    /// record; which one was tried how often.
    let handled: [String]?
    let due, tried: String?
    let tries: Int?
    let owner: UInt32?
    /// Of notes: the ids of the documents that are recorded, the marks of the folder that they are in, and the state folder
    /// of who wrote them.
    let recorded, seal: [String]?
    /// Of a move: the files that go with the document.
    let members: [String]?
    /// Of a document: the marker that has released it.
    let marker: String?
    /// Of a file that goes with a document: the entry of that.
    let main: String?
    let state: String?
    let source, inbox, destination, name, directName, stagingName, documentType, rejection: String?
    let staging, making, parent: String?
    let device, inode, size, stagingDevice, historyFile: UInt64?
    let filesystem, stagingFilesystem, unsyncedBoot, undoes, entries: String?
    let birthSeconds, modifiedSeconds, historySize: Int64?
    let birthNanoseconds, modifiedNanoseconds, links, allowed: UInt32?
    let identity, made, copy, claimed, claimedChanged: [String]?
    let discards, handler: Bool?
    /// The facts that checks reported about the document.
    let facts: [String: String]?

    /// The members of a line; nil for one that cannot be read: it was torn before what it announces was begun.
    init?(line: some Sequence<UInt8>) {
        do {
            self = try JSONDecoder().decode(JournalMembers.self, from: Data(line))
        } catch {
            return nil
        }
    }

    /// The birth time of a file; nil where its filesystem keeps none.
    var birth: Timestamp? {
        guard let birthSeconds, let birthNanoseconds else { return nil }
        return Timestamp(seconds: birthSeconds, nanoseconds: birthNanoseconds)
    }

    /// Where the history ended when the entry was begun; nil where that is not known.
    var mark: HistoryMark? {
        guard let historyFile, let historySize, historySize >= 0 else { return nil }
        return HistoryMark(file: historyFile, size: historySize)
    }

    static func path(_ text: String?) -> BytePath? {
        text.flatMap(BytePath.init(escapedText:))
    }

    static func name(_ text: String?) -> FileName? {
        text.flatMap { EscapedBytes.bytes($0) }.flatMap { FileName($0) }
    }
}
