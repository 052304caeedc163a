import Glibc
import InboxLinux

/// The floor of watching: inotify_add_watch(2) for each folder, by its path.
enum BareWatches {
    /// Nanoseconds for all of them.
    static func time(of folders: [String]) throws -> Double {
        let queue = try check("inotify_init", "", inotify_init1(Int32(IN_CLOEXEC)))
        defer { close(queue) }
        let mask = UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
        return try once {
            for folder in folders { try check("inotify_add_watch", folder, inotify_add_watch(queue, folder, mask)) }
            return folders.count
        }
    }
}
