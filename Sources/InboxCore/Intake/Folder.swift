import InboxConfiguration
import InboxFiling
import InboxLinux

/// A folder of an Inbox that is walked: the Inbox itself, or one inside it.
///
/// Not an arrival: it is never moved, and removed only when it has held documents and is empty. Only ``WatchedTree``
/// changes its position.
package final class Folder {
    /// Where a folder is.
    enum Location {
        /// The Inbox itself.
        case top
        /// The folder around the Inbox, of which nothing is ours but the Inbox's own name.
        case around
        /// A folder inside another one, under this name.
        case inside(Folder, FileName)
    }

    /// Where a folder is in the tree, and how its changes are noticed.
    struct Position {
        /// Where it is; a rename changes it.
        var location: Location
        /// The walked folders in it.
        var folders: [FileName: Folder] = [:]
        /// The number of its watch; nil where it has none and is polled.
        var watch: Int32?
        /// The number of times that events had been lost when the folder's watch was last requested.
        var losses: UInt32 = 0
        /// The reason why the folder has no watch, unless that is a lack of watches or descriptors or the folder's
        /// absence.
        var watchFailure: Errno?
        /// The folder has left the tree: nothing is done for it any more.
        var isGone = false
    }

    /// The history of a folder.
    struct Past {
        /// A document in the folder was filed: only then may the folder be removed.
        var wasFilled = false
        /// A document in it, or in a folder in it, has left: of the outermost folder of a tree alone.
        var hasFiled = false
        /// Where documents of the tree have gone of which it is the outermost folder: the paths that stand for the Inbox there.
        var places: [BytePath] = []
        /// Since when nothing was in it, or in the folders in it, that would be filed; nil where something was.
        var emptySince: Instant?
        /// All that was in it when it was found is known.
        var wasRead = false
        /// Somebody has made it for what is yet to come: it was empty for `FolderSettle` before its first document.
        var isStanding = false
        /// Everything in the folder has been met since its last reading began.
        var isRead = false
        /// A document in the folder, or in a folder in it, was filed before a repository was found here.
        var wasSplit = false
        /// A later configuration's rules make the folder a package; it becomes one only if nothing in it was filed.
        var mayBeWhole = false
        /// The names in it that show something unfinished.
        var unfinished = UnfinishedNames()
        /// A try of something in the folder, or in a folder in it, has failed since the folder's owner or mode last
        /// changed. The folders around it have failures then too.
        var hasFailures = false
        /// There was once no room for everything in the folder, so that the list of arrivals may lack something.
        var wasCrowded = false
        /// The change time of the tree that was moved in with this folder in it; nil for a folder that was made here.
        /// Anything that has not changed since then was renamed into the Inbox.
        var movedIn: Timestamp?
        /// When something last happened in it.
        var touched: Instant
        /// The change time that the last removal of an emptied folder in it has left.
        var ownChange: Timestamp?
    }

    /// The Inbox that it belongs to.
    let inbox: Inbox
    /// Which folder it is.
    let key: FileKey
    /// Who owned it when it was found.
    let owner: UInt32
    /// A filesystem is mounted here.
    let isMountTop: Bool
    /// Where it is.
    var position: Position
    /// The history of the folder.
    var past: Past

    init(
        inbox: Inbox, location: Location, key: FileKey, owner: UInt32 = 0, isMountTop: Bool = false, touched: Instant
    ) {
        self.inbox = inbox
        self.key = key
        self.owner = owner
        self.isMountTop = isMountTop
        position = Position(location: location)
        past = Past(touched: touched)
    }

    /// The walked folders in it.
    var folders: [FileName: Folder] { position.folders }

    /// The folder has left the tree.
    var isGone: Bool { position.isGone }

    /// The folder around it, where that is walked, and its name there.
    package var parent: (folder: Folder, name: FileName)? {
        if case .inside(let folder, let name) = position.location { return (folder, name) }
        return nil
    }

    /// The number of levels between the folder and the Inbox: 0 for the Inbox itself.
    var depth: Int {
        var depth = 0
        var folder = self
        while let parent = folder.parent {
            depth += 1
            folder = parent.folder
        }
        return depth
    }

    /// The names that lead from the Inbox to this folder.
    var path: [FileName] {
        var names: [FileName] = []
        var folder = self
        while let parent = folder.parent {
            names.append(parent.name)
            folder = parent.folder
        }
        names.reverse()
        return names
    }

    /// It and the walked folders in it, each before those in it.
    var tree: AnySequence<Folder> {
        AnySequence<Folder> { [self] () -> AnyIterator<Folder> in
            var rest = [self]
            return AnyIterator {
                guard let next = rest.popLast() else { return nil }
                rest += next.folders.values
                return next
            }
        }
    }

    /// Returns true if this is the other folder or lies in it.
    func isWithin(_ other: Folder) -> Bool {
        var folder: Folder? = self
        while let next = folder, next !== other { folder = next.parent?.folder }
        return folder != nil
    }

    /// Returns true if a name in the folder is ignored.
    func ignores(_ name: FileName) -> Bool {
        inbox.ignoring.ignores(name, isInside: parent != nil) || isForRepairs(name)
    }

    /// Returns why a name in it is left alone; nil where it is not.
    func ignoringReason(for name: FileName) -> Ignoring.Reason? {
        inbox.ignoring.reason(for: name, isInside: parent != nil) ?? (isForRepairs(name) ? .repairs : nil)
    }

    /// Returns whether it is where the repair of a disk puts what it finds, at the top of that disk: fsck.ext4(8).
    private func isForRepairs(_ name: FileName) -> Bool { isMountTop && name == Self.repairs }

    private static let repairs = FileName("lost+found")

    /// Returns whether a file of this name in it is a marker.
    func hasMarker(_ name: FileName) -> Bool { !isAround && inbox.settings.ready?.fits(name) == true }

    /// This is the folder around the Inbox.
    var isAround: Bool {
        if case .around = position.location { return true }
        return false
    }

    /// The mark that identifies the folder.
    var mark: FolderMark {
        FolderMark(key: key, isLayered: inbox.coverage.filesystems[key.device]?.isLayered == true)
    }

    /// Returns true if an opened folder with this key is this one.
    func isFolder(_ other: FileKey) -> Bool { key == other || mark.isFolder(other) }

    /// A file in the folder may get another inode number although it is unchanged.
    var hasFleetingInodes: Bool { inbox.coverage.filesystems[key.device]?.hasLastingInodes == false }

    /// Other machines, or a server process, can change the folder's contents without an event here.
    var isForeign: Bool {
        inbox.coverage.hasForeign && inbox.coverage.filesystems[key.device]?.nameWithoutEvents != nil
    }

    /// Each change in it is reported by an event.
    var reportsChanges: Bool { position.watch != nil && !isForeign && !inbox.coverage.isDeaf }

    /// The whole path, as bytes.
    package var bytePath: BytePath {
        if case .top = position.location { return inbox.path }
        if isAround { return inbox.path.parent ?? BytePath("/") }
        return path.reduce(inbox.path) { $0.appending($1) }
    }

    /// The whole path of a name in it, as bytes.
    func path(of name: FileName) -> BytePath {
        bytePath.appending(name)
    }
}

extension Folder: Hashable {
    package static func == (one: Folder, other: Folder) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The mark by which any thread that opens a walked folder recognizes it.
struct FolderMark: Sendable {
    let key: FileKey
    let isLayered: Bool

    /// Returns true if an opened folder with this key is the one that is meant. A folder of an overlay gets a new
    /// birth time when it is copied up.
    func isFolder(_ other: FileKey) -> Bool {
        key == other || (isLayered && key.device == other.device && key.inode == other.inode)
    }
}
