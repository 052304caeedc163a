import InboxLinux

/// The daemons of this machine that file from one Inbox. Each has an attribute of its own on the folder, so that none writes
/// over another's, and writes it before it asks for those of the others: of two that begin at once, one knows of the other.
///
/// One that is alone moves a document by a rename, and an interruption leaves only a journal that says so. Another daemon
/// therefore copies what it files from there: at the document's place is then another file than the one that the journal
/// of the first has, which does not take it for its own.
package struct InboxSharing {
    private static let prefix = "user.inboxd-daemon-"
    /// Seconds. One that was not seen for so long is gone; one that runs is written down anew each day.
    private static let lasting: (gone: Int64, new: Int64) = (3 * 86400, 86400)

    /// The daemon's own attribute.
    private let own: AttributeName

    /// The daemon that owns a state folder with these marks.
    package init?(stateFolder file: FileKey) {
        let birth = file.birth.map { ".\($0.seconds).\($0.nanoseconds)" } ?? ""
        guard let own = AttributeName("\(Self.prefix)\(file.inode)\(birth)") else { return nil }
        self.own = own
    }

    /// Writes the daemon down on an Inbox; returns whether others are there.
    /// - Parameter isDurable: a power cut must not leave the daemon's journal without that.
    package func join(
        _ inbox: borrowing FileDescriptor, isDurable: Bool, at now: Timestamp
    ) throws(SyscallError) -> Bool {
        let value = try inbox.attributeByPath(own)
        let isNew = value.flatMap(Self.seconds).map { (0..<Self.lasting.new).contains(now.seconds &- $0) }
        if isNew != true { try inbox.setAttribute(own, to: Array("\(now.seconds)".utf8)) }
        if value == nil, isDurable { try inbox.sync() }
        // More than the kernel lists are not this daemon's alone.
        guard let names = try inbox.attributeNames() else { return true }
        var isShared = false
        for name in names where name != own && name.bytes.starts(with: Self.prefix.utf8) {
            guard let value = try inbox.attributeByPath(name) else { continue }
            if Self.seconds(value).map({ now.seconds &- $0 < Self.lasting.gone }) == true {
                isShared = true
            } else {
                try inbox.removeAttribute(name)
            }
        }
        return isShared
    }

    /// Takes the daemon off an Inbox: nothing is open that it has begun there.
    package func leave(_ inbox: borrowing FileDescriptor) throws(SyscallError) { try inbox.removeAttribute(own) }

    private static func seconds(_ value: [UInt8]) -> Int64? { Int64(String(decoding: value, as: UTF8.self)) }
}
