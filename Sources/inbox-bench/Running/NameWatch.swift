import Glibc
import InboxLinux

/// Waits for names that are moved into a folder, and returns the time of each move.
final class NameWatch {
    private let inotify: Inotify
    private let folder: String

    init(_ folder: String) throws {
        self.folder = folder
        inotify = try Inotify()
        let directory = try Directory.open(path: BytePath(folder))
        _ = try inotify.watch(directory, for: [.movedTo])
    }

    /// The next name, and the moment at which it was known here.
    func next() throws -> (name: String, moment: Instant) {
        while true {
            var entry = pollfd(fd: inotify.descriptor.number, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 30_000) > 0 else { throw BenchmarkFailure("nothing is filed into \(folder)") }
            let moment = Instant.now()
            var name: String?
            _ = try inotify.read { event in name = name ?? event.name.map { String(decoding: $0.bytes, as: UTF8.self) }
            }
            if let name { return (name, moment) }
        }
    }
}
