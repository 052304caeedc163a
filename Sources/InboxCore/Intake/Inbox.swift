import InboxConfiguration
import InboxFiling
import InboxLinux

/// One Inbox, its settings, and how it is watched.
package final class Inbox {
    /// How the daemon learns of what happens in an Inbox.
    package enum Watching: String, Sendable {
        /// By events.
        case inotify
        /// By reading it from time to time, since there are no events, or they are switched off.
        case polling
        /// It is not there.
        case missing
    }

    /// How much of an Inbox is watched. Only ``WatchedTree`` changes it.
    struct Coverage {
        /// How many walked folders it has, itself included.
        var folderCount = 0
        /// How many of them have no watch.
        var unwatchedCount = 0
        /// The filesystems in it, by their devices.
        var filesystems: [UInt64: Filesystem] = [:] {
            didSet { hasForeign = filesystems.values.contains { $0.nameWithoutEvents != nil } }
        }
        /// Whether one of them sends no events.
        private(set) var hasForeign = false
        /// The number of the watch on the folder around it.
        var aroundWatch: Int32?
        /// The events of its watches cannot be read.
        var isDeaf = false
    }

    /// When something is due in an Inbox by itself. Only ``InboxVerification`` changes it.
    struct Appointments {
        /// Whether the Inbox was ever there.
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
    /// What the configuration says about it.
    package internal(set) var settings: InboxSettings
    /// Which names are left alone in it.
    var ignoring: Ignoring
    /// The folder itself; nil while it is missing.
    var top: Folder?
    /// The folder around it, as long as something else has its name.
    var around: Folder?
    /// How much of it is watched.
    var coverage = Coverage()
    /// What is due.
    var appointments = Appointments()
    /// Other daemons of this machine may file from it too. Only ``InboxVerification`` changes it.
    var isContested = false
    /// When to inspect whether it is where it should be.
    var nextVerification = Instant.never

    init(_ configured: ConfiguredInbox) {
        path = configured.path
        settings = configured.settings
        ignoring = Ignoring(configured.settings)
    }

    /// How many walked folders it has, itself included.
    package var folderCount: Int { coverage.folderCount }

    /// How the daemon learns of what happens in it.
    package var watching: Watching {
        if top == nil { return .missing }
        return isPolled ? .polling : .inotify
    }

    /// Whether some of it has to be read from time to time.
    var isPolled: Bool {
        switch settings.poll {
        case .off: false
        case .every: true
        case .auto:
            coverage.unwatchedCount > 0 || coverage.hasForeign || coverage.isDeaf
        }
    }

    /// Whether this folder has to be read from time to time.
    func needsPolling(_ folder: Folder) -> Bool {
        switch settings.poll {
        case .off: false
        case .every: true
        case .auto: !folder.reportsChanges
        }
    }

    /// How often, where that is needed.
    var pollInterval: Duration {
        if case .every(let interval) = settings.poll { interval } else { .seconds(5) }
    }

    /// Its own name in the folder around it.
    var name: FileName? { FileName(path.lastComponent) }
}
