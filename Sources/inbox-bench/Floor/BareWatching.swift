import Glibc

/// The floor of a daemon: waits for files that were closed, and files each by the bare calls. It reads the folder only
/// where the kernel's queue has overflowed.
struct BareWatching {
    static let name = "a bare loop of inotify and the calls of filing"

    let inbox: String
    let documents: String
    /// The number of documents that it files before it ends.
    let count: Int

    /// Files until the count is reached.
    ///
    /// - Parameter ready: is called when it watches.
    func run(ready: () -> Void) throws {
        let queue = try check("inotify_init", inbox, inotify_init1(Int32(IN_CLOEXEC)))
        defer { close(queue) }
        try check("inotify_add_watch", inbox, inotify_add_watch(queue, inbox, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)))
        let filing = try BareFiling(from: inbox, to: documents)
        ready()
        let size = 64 * 1024
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { buffer.deallocate() }
        var filed = 0
        while filed < count {
            let length = read(queue, buffer, size)
            guard length > 0 else { throw BenchmarkFailure("read inotify: \(String(cString: strerror(errno)))") }
            var offset = 0
            while offset < length {
                let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    try NameArena(of: inbox).forEach { if filing.file($0) == .filed { filed += 1 } }
                } else if event.len > 0 {
                    // The name follows the event's four numbers.
                    let name = (buffer + offset + 16).assumingMemoryBound(to: CChar.self)
                    var outcome = filing.file(name)
                    // The event precedes the end of close(2), until which the lease is refused.
                    while outcome == .busy {
                        sched_yield()
                        outcome = filing.file(name)
                    }
                    if outcome == .filed { filed += 1 }
                }
                offset += 16 + Int(event.len)
            }
        }
    }
}
