import CInboxLinux
import Glibc

/// Signals as something to read: signalfd(2).
package struct SignalReader: ~Copyable {
    /// The signals that the daemon handles.
    package enum Signal: Sendable {
        /// SIGTERM or SIGINT, or SIGHUP of a process in the foreground of a terminal, which was closed: finish and go.
        case terminate
        /// SIGHUP: read the configuration again.
        case reload
    }

    /// The descriptor, for epoll(7).
    package let descriptor: FileDescriptor
    /// Standard error was a terminal when the reader was opened: one that is closed is none any more.
    private let isOnTerminal = Terminal.isOnStandardError

    /// Blocks the signals in this thread and those it starts, and opens the reader.
    ///
    /// SIGPIPE is blocked because a peer that hangs up is an error to handle, not an end. SIGCHLD is not ignored any more,
    /// whatever this process was started with, since how a handler ended is to be known.
    package init() throws(SyscallError) {
        inbox_keep_ends()
        let read = [SIGTERM, SIGINT, SIGHUP]
        let blocked = read + [SIGPIPE]
        _ = try systemCall(.sigprocmask) { inbox_block_signals(blocked, blocked.count) }
        descriptor = FileDescriptor(owning: try systemCall(.signalfd) { inbox_signalfd(read, read.count) })
    }

    /// The next signal that waits; nil when there is none.
    package func next() throws(SyscallError) -> Signal? {
        let number: Int32
        do throws(SyscallError) {
            number = try systemCall(.read) { inbox_signalfd_read(descriptor.number) }
        } catch  where error.errno == .again {
            return nil
        }
        return switch number {
        case SIGHUP: isOnTerminal ? .terminate : .reload
        default: .terminate
        }
    }
}
