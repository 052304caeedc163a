import InboxConfiguration
import InboxFiling
import InboxLinux

/// One Inbox, its settings, and how it is watched.
package final class Inbox {
    /// The way in which the daemon learns of changes in an Inbox.
    package enum Watching: String, Sendable {
        /// By events.
        case inotify
        /// By reading it from time to time, since there are no events, or they are switched off.
        case polling
        /// It is not there.
        case missing
    }

    /// The extent to which an Inbox is watched. Only ``WatchedTree`` changes it.
    struct Coverage {
        /// The number of walked folders, including the Inbox itself.
        var folderCount = 0
        /// The number of these that have no watch.
        var unwatchedCount = 0
        /// The filesystems in it, by their devices.
        var filesystems: [UInt64: Filesystem] = [:] {
            didSet { hasForeign = filesystems.values.contains { $0.nameWithoutEvents != nil } }
        }
        /// One of the filesystems sends no events.
        private(set) var hasForeign = false
        /// The number of the watch on the folder around it.
        var aroundWatch: Int32?
        /// The events of its watches cannot be read.
        var isDeaf = false
    }

    /// When something is due in an Inbox by itself. Only ``InboxVerification`` changes it.
    struct Appointments {
        /// The Inbox has existed at some time.
        var wasThere = false
        /// When the Inbox was found missing.
        var missingSince: Instant?
        /// When it is read again for safety.
        var rescan = Instant.never
        /// When what has no events is read again.
        var poll = Instant.never
    }

    /// Its path, as the configuration has it.
    package let path: BytePath
    /// The configured settings of the Inbox.
    package internal(set) var settings: InboxSettings
    /// Which names are left alone in it.
    var ignoring: Ignoring
    /// The folder itself; nil while it is missing.
    var top: Folder?
    /// The folder around it, as long as something else has its name.
    var around: Folder?
    /// The extent to which the Inbox is watched.
    var coverage = Coverage()
    /// The actions that are due.
    var appointments = Appointments()
    /// When to inspect whether it is where it should be.
    var nextVerification = Instant.never

    init(_ configured: ConfiguredInbox) {
        path = configured.path
        settings = configured.settings
        ignoring = Ignoring(configured.settings)
    }

    /// The number of walked folders, including the Inbox itself.
    package var folderCount: Int { coverage.folderCount }

    /// The way in which the daemon learns of changes in the Inbox.
    package var watching: Watching {
        if top == nil { return .missing }
        return isPolled ? .polling : .inotify
    }

    /// Some of the Inbox has to be read from time to time.
    var isPolled: Bool {
        switch settings.poll {
        case .off: false
        case .every: true
        case .auto:
            coverage.unwatchedCount > 0 || coverage.hasForeign || coverage.isDeaf
        }
    }

    /// Returns true if this folder has to be read from time to time.
    func needsPolling(_ folder: Folder) -> Bool {
        switch settings.poll {
        case .off: false
        case .every: true
        case .auto: !folder.reportsChanges
        }
    }

    /// The interval at which folders are read where that is needed.
    var pollInterval: Duration {
        if case .every(let interval) = settings.poll { interval } else { .seconds(5) }
    }

    /// Its own name in the folder around it.
    var name: FileName? { FileName(path.lastComponent) }
}
