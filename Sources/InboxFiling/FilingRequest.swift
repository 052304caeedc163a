import InboxConfiguration
import InboxLinux

/// The number of an arrival in this process; never used twice.
package struct ArrivalID: Hashable, Sendable {
    /// Greater than 0; 0 for a document that is no arrival.
    package let number: UInt64

    /// The arrival of this number.
    package init(number: UInt64) {
        self.number = number
    }
}

/// An arrival that is complete as far as its folder shows, with all that filing needs to know of it.
///
/// The intake makes these and receives a ``FilingOutcome`` for each; filing never asks the intake anything. A dozen hands
/// pass each on, so that it is no value, whose members would be counted by each of them.
package final class FilingRequest: Sendable {
    /// The evidence required that nobody is writing.
    package enum Acceptance: Sendable {
        /// A read lease.
        case lease
        /// The longer quiet time, which has passed: no lease is available, or a lease says nothing about other machines.
        case quietTime
    }

    /// Which arrival.
    package let id: ArrivalID
    /// Where it lies.
    package let origin: Origin
    /// Its name in that folder; beside the Inbox it is the Inbox's own.
    package let name: FileName
    /// The status when the arrival was last inspected; for a package, the sum of everything in it.
    package let status: FileStatus
    /// The arrival is a folder that is one document.
    package let isPackage: Bool
    /// The evidence required that nobody is writing.
    package let acceptance: Acceptance
    /// When a writer was last found at it; a lease counts only `Settle` after that. Nil where none was found.
    package let writerSeen: Instant?
    /// It is filed even if its own format shows that it is cut off.
    package let mayBeIncomplete: Bool
    /// It is filed though it is a hole, or mostly one.
    package let mayBeHollow: Bool
    /// It is filed even if one with the same bytes was filed before.
    package let mayBeDuplicate: Bool
    /// The files that go with it.
    package let members: [UnitMember]
    /// When it arrived; nil where only the file itself says that.
    package let arrived: Timestamp?
    /// The name of the marker that has released it; nil where it needs none.
    package let marker: FileName?
    /// The verdicts of its checks.
    package let verdicts: CheckVerdicts?
    /// Where it leads, if it is a link that goes with its tree.
    package let link: TreeLink?

    /// Where a folder lies inside an Inbox.
    package struct FolderLocation: Hashable, Sendable {
        /// The names that lead from the Inbox to it; none for the Inbox itself.
        package let names: [FileName]
        /// Which folder it must be.
        package let key: FileKey

        /// The folder at these names.
        package init(names: [FileName], key: FileKey) {
            self.names = names
            self.key = key
        }
    }

    /// The values that all documents of a folder share, so that a batch copies none of them.
    package final class Origin: Sendable {
        /// The Inbox: absolute, normalised.
        package let inbox: BytePath
        /// The configuration of that Inbox.
        package let settings: InboxSettings
        /// The folder that the document lies in; nil for a document that has the Inbox's own name beside it.
        package let folder: FolderLocation?
        /// The path of the folder that the document lies in.
        package let path: BytePath
        /// The Inbox is on a filesystem that may be shared with other machines, where another daemon may file the
        /// same document: such a document is claimed before it is moved, so that recovery can tell whose move it was.
        package let isShared: Bool

        /// A folder of an Inbox.
        package init(inbox: BytePath, settings: InboxSettings, folder: FolderLocation?, isShared: Bool) {
            self.inbox = inbox
            self.settings = settings
            self.folder = folder
            self.isShared = isShared
            path = folder?.names.reduce(inbox) { $0.appending($1) } ?? inbox.parent ?? BytePath("/")
        }
    }

    /// A request for a document that lies there.
    package init(
        id: ArrivalID, in origin: Origin, name: FileName, status: FileStatus, isPackage: Bool, acceptance: Acceptance,
        writerSeen: Instant?, mayBeIncomplete: Bool = false, mayBeHollow: Bool = true, members: [UnitMember] = [],
        marker: FileName? = nil, mayBeDuplicate: Bool = false, arrived: Timestamp? = nil,
        verdicts: CheckVerdicts? = nil, link: TreeLink? = nil
    ) {
        self.id = id
        self.origin = origin
        self.name = name
        self.status = status
        self.isPackage = isPackage
        self.acceptance = acceptance
        self.writerSeen = writerSeen
        self.mayBeIncomplete = mayBeIncomplete
        self.mayBeHollow = mayBeHollow
        self.members = members
        self.arrived = arrived
        self.marker = marker
        self.mayBeDuplicate = mayBeDuplicate
        self.verdicts = verdicts
        self.link = link
    }

    /// A request of these facts.
    package convenience init(
        id: ArrivalID, inbox: BytePath, settings: InboxSettings, folder: FolderLocation?, name: FileName,
        status: FileStatus, isPackage: Bool, acceptance: Acceptance, isShared: Bool = false,
        writerSeen: Instant?, members: [UnitMember] = []
    ) {
        self.init(
            id: id, in: Origin(inbox: inbox, settings: settings, folder: folder, isShared: isShared), name: name,
            status: status, isPackage: isPackage, acceptance: acceptance, writerSeen: writerSeen, members: members)
    }

    /// The Inbox: absolute, normalised.
    package var inbox: BytePath { origin.inbox }

    /// The configuration of that Inbox.
    package var settings: InboxSettings { origin.settings }

    /// The folder that the document lies in; nil for a document that has the Inbox's own name beside it.
    package var folder: FolderLocation? { origin.folder }

    /// It is compared with other documents before it is filed.
    var isCompared: Bool { settings.onConflict == .skipIdentical || settings.onDuplicate != .file }

    /// The Inbox is on a filesystem that may be shared with other machines.
    package var isShared: Bool { origin.isShared }

    /// The path of the folder that the document lies in.
    package var folderPath: BytePath { origin.path }

    /// The document's path.
    package var path: BytePath { folderPath.appending(name) }
}
