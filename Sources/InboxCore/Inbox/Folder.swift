import InboxLinux

/// A folder of an Inbox that is walked: the Inbox itself, or one inside it. It knows what stands in it by name.
///
/// Not an arrival: it is never moved, and removed only when it has held documents and is empty.
public final class Folder {
    /// Where a folder stands.
    enum Place {
        /// The Inbox itself.
        case top
        /// The folder around the Inbox, of which nothing is ours but the Inbox's own name.
        case around
        /// A folder inside another one, under this name.
        case inside(Folder, FileName)
    }

    /// The Inbox that it belongs to.
    let inbox: Inbox
    /// Where it stands; a rename changes it.
    var place: Place
    /// Which folder it is.
    let key: FileKey
    /// How many folders lie between it and the Inbox: 0 for the Inbox itself.
    var depth: Int
    /// The number of its watch; nil where it has none and is polled.
    var watch: Int32?
    /// The arrivals in it.
    var arrivals: [FileName: ArrivalID] = [:]
    /// The walked folders in it.
    var folders: [FileName: Folder] = [:]
    /// Whether a document from in here was filed: only then may it be removed.
    var wasFilled = false
    /// Whether a partial download was ever seen in it.
    var hasPartial = false
    /// The change time of the tree that was moved in with this folder in it; nil for a folder that was made here.
    /// What has not changed since then was renamed into the Inbox.
    var movedIn: Timestamp?
    /// When something last happened in it.
    var touched: Instant
    /// The last scan that saw it in its parent.
    var scan: UInt64 = 0
    /// Whether it waits for its turn to be read.
    var isQueued = false
    /// Whether it has left the tree: nothing is done for it any more.
    var isGone = false

    init(inbox: Inbox, place: Place, key: FileKey, depth: Int, touched: Instant) {
        self.inbox = inbox
        self.place = place
        self.key = key
        self.depth = depth
        self.touched = touched
    }

    /// The names that lead from the Inbox to this folder.
    var path: [FileName] {
        var names: [FileName] = []
        var folder = self
        while case .inside(let parent, let name) = folder.place {
            names.append(name)
            folder = parent
        }
        names.reverse()
        return names
    }

    /// Whether it is the folder around the Inbox.
    var isAround: Bool {
        if case .around = place { return true }
        return false
    }

    /// The whole path, as bytes.
    var bytePath: BytePath {
        if isAround { return inbox.path.parent ?? BytePath("/") }
        return path.reduce(inbox.path) { $0.appending(BytePath(bytes: Array($1.bytes))) }
    }

    /// The whole path of a name in it, as bytes.
    func path(of name: FileName) -> BytePath {
        bytePath.appending(BytePath(bytes: Array(name.bytes)))
    }
}

/// One Inbox and how it stands with it.
public final class Inbox {
    /// How the daemon learns of what happens in an Inbox.
    public enum Watching: String, Sendable {
        /// By events.
        case inotify
        /// By looking, since events cannot be had there, or are switched off.
        case polling
        /// It is not there.
        case missing
    }

    /// Its path, as the configuration says it.
    public let path: BytePath
    /// What the configuration says about it.
    public internal(set) var settings: InboxSettings
    /// Which names are left alone in it.
    var ignoring: Ignoring
    /// The folder itself; nil while it is missing.
    var top: Folder?
    /// The folder around it, as long as something else stands under its name.
    var around: Folder?
    /// Where it lay when it was first seen, or accepted: a bare mount point, or another disk, is not the Inbox.
    var place: Place?
    /// How many walked folders it has, itself included.
    public internal(set) var folderCount = 0
    /// How many of them have no watch.
    var unwatchedCount = 0
    /// The filesystems in it, by their devices.
    var filesystems: [UInt64: Filesystem] = [:]
    /// The number of the watch on the folder around it.
    var aroundWatch: Int32?
    /// When it was found missing.
    var missingSince: Instant?
    /// When to look for it again.
    var nextVerification = Instant.never
    /// When it is read again for safety.
    var nextRescan = Instant.never
    /// When what has no events is read again.
    var nextPoll = Instant.never

    init(_ configured: ConfiguredInbox) {
        path = configured.path
        settings = configured.settings
        ignoring = Ignoring(configured.settings)
    }

    /// How the daemon learns of what happens in it.
    public var watching: Watching {
        if top == nil { return .missing }
        return isPolled ? .polling : .inotify
    }

    /// Whether some of it has to be looked at without events.
    var isPolled: Bool {
        switch settings.poll {
        case .off: false
        case .every: true
        case .auto: unwatchedCount > 0 || filesystems.values.contains { $0.nameWithoutEvents != nil }
        }
    }

    /// Whether this folder has to be looked at without events.
    func needsPolling(_ folder: Folder) -> Bool {
        switch settings.poll {
        case .off: false
        case .every: true
        case .auto: folder.watch == nil || filesystems[folder.key.device]?.nameWithoutEvents != nil
        }
    }

    /// How often to look, where that is needed.
    var pollInterval: Duration {
        if case .every(let interval) = settings.poll { interval } else { .seconds(5) }
    }

    /// Its own name in the folder around it.
    var name: FileName? { FileName(path.lastComponent) }
}
