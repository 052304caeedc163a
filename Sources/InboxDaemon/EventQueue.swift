import InboxLinux

/// A queue of the kernel's events in the loop.
///
/// One that cannot be read stays readable, and would wake the loop again at once: it is left alone for a while.
final class EventQueue {
    /// The pause after which a queue that could not be read is tried again: the first one, which doubles, and the longest.
    private static let pause = (first: Duration.milliseconds(50), longest: Duration.seconds(5))

    private let inotify: Inotify
    private let loop: EventLoop
    private let token: Epoll.Token
    private let isReadable: () -> Void
    private var pause = EventQueue.pause.first
    /// When a queue is read again that could not be read; `never` for one that can.
    private(set) var nextTry = Instant.never

    init(_ inotify: Inotify, in loop: EventLoop, isReadable: @escaping () -> Void) throws(SyscallError) {
        self.inotify = inotify
        self.loop = loop
        self.isReadable = isReadable
        token = try loop.add(inotify.descriptor, for: .readable) { _ in isReadable() }
    }

    /// The last try to read it has failed.
    var isDeaf: Bool { nextTry != .never }

    /// Reads a queue again that could not be read, once its pause is over.
    func retry(at now: Instant) { if nextTry <= now { isReadable() } }

    /// Reads the queue; where that fails, the loop waits for it no longer until a later try succeeds.
    func take(_ read: (Inotify) throws(SyscallError) -> Void) throws(SyscallError) {
        do throws(SyscallError) { try read(inotify) } catch {
            if !isDeaf { try loop.change(inotify.descriptor, token, to: []) }
            nextTry = .now() + pause
            pause = min(pause * 2, Self.pause.longest)
            throw error
        }
        if isDeaf { try loop.change(inotify.descriptor, token, to: .readable) }
        (nextTry, pause) = (.never, Self.pause.first)
    }
}
