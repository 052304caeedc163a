import CInboxLinux
import Glibc

/// What inotify(7) tells of a watched folder, or what it is asked to tell.
public struct InotifyMask: OptionSet, Sendable {
    /// The bits of the kernel's mask.
    public let rawValue: UInt32

    /// Takes any bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Content was changed, truncate(2) included.
    public static let modified = InotifyMask(rawValue: 0x2)
    /// Status was changed: mode, owner, times, link count.
    public static let attributes = InotifyMask(rawValue: 0x4)
    /// A file that was open for writing was closed.
    public static let closedAfterWriting = InotifyMask(rawValue: 0x8)
    /// A name was moved out of the folder.
    public static let movedFrom = InotifyMask(rawValue: 0x40)
    /// A name was moved into the folder.
    public static let movedTo = InotifyMask(rawValue: 0x80)
    /// A name was made.
    public static let created = InotifyMask(rawValue: 0x100)
    /// A name was removed.
    public static let deleted = InotifyMask(rawValue: 0x200)
    /// The watched folder itself was removed.
    public static let selfDeleted = InotifyMask(rawValue: 0x400)
    /// The watched folder itself was moved.
    public static let selfMoved = InotifyMask(rawValue: 0x800)
    /// The filesystem was unmounted.
    public static let unmounted = InotifyMask(rawValue: 0x2000)
    /// The queue overflowed: events are lost.
    public static let overflow = InotifyMask(rawValue: 0x4000)
    /// The watch is gone.
    public static let ignored = InotifyMask(rawValue: 0x8000)
    /// Watch folders only.
    public static let onlyFolder = InotifyMask(rawValue: 0x0100_0000)
    /// No events for files that have no name any more.
    public static let excludeUnlinked = InotifyMask(rawValue: 0x0400_0000)
    /// The event is about a folder.
    public static let isFolder = InotifyMask(rawValue: 0x4000_0000)
}

/// One event of the queue.
public struct InotifyEvent: Sendable {
    /// The watch's number; -1 for an overflow.
    public let watch: Int32
    /// What happened.
    public let mask: InotifyMask
    /// Joins the two halves of a rename; 0 otherwise.
    public let cookie: UInt32
    /// The name in the watched folder; nil where the event is about the folder itself.
    public let name: FileName?
}

/// An inotify instance and the buffer it is read into.
public final class Inotify {
    private static let headerSize = 16

    /// The descriptor, for epoll(7).
    public let descriptor: FileDescriptor
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// An instance without watches; EMFILE at `fs.inotify.max_user_instances`.
    public init() throws(SyscallError) {
        descriptor = FileDescriptor(
            owning: try systemCall(.inotifyInit) { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) })
    }

    /// Watches the open folder: the descriptor is named through proc(5), so that no path is resolved again.
    ///
    /// A folder that is watched already keeps its number and gets the new mask. ENOSPC at
    /// `fs.inotify.max_user_watches`.
    public func watch(_ folder: borrowing Directory, for mask: InotifyMask) throws(SyscallError) -> Int32 {
        let path = "/proc/self/fd/\(folder.descriptor.number)"
        return try systemCall(.inotifyAddWatch) { inotify_add_watch(descriptor.number, path, mask.rawValue) }
    }

    /// Ends a watch. One that the kernel has ended already (EINVAL) is none of the caller's worries.
    public func unwatch(_ watch: Int32) {
        do throws(SyscallError) {
            _ = try systemCall(.inotifyRemoveWatch) { inotify_rm_watch(descriptor.number, watch) }
        } catch {
            // inotify_rm_watch(2) knows two errors: a descriptor that is none of ours, and a watch that is gone.
        }
    }

    /// Hands over the events that wait, at most one buffer of them; false when there were none.
    public func read(_ body: (InotifyEvent) -> Void) throws(SyscallError) -> Bool {
        let count: Int
        do throws(SyscallError) {
            count = try systemCall(.read) {
                buffer.withUnsafeMutableBytes { Glibc.read(descriptor.number, $0.baseAddress, $0.count) }
            }
        } catch  where error.errno == .again {
            return false
        }
        Self.parse(buffer[..<count], body)
        return count > 0
    }

    /// Takes `struct inotify_event`s apart: watch, mask, cookie, length (4 bytes each) and the padded name.
    ///
    /// An event that is cut off, or a name that is none, ends in an overflow event: the reader then looks for itself.
    public static func parse(_ bytes: ArraySlice<UInt8>, _ body: (InotifyEvent) -> Void) {
        var rest = bytes
        while !rest.isEmpty {
            guard rest.count >= headerSize else { return body(lost) }
            let start = rest.startIndex
            func word(_ index: Int) -> UInt32 {
                (0..<4).reduce(0) { $0 | UInt32(rest[start + index * 4 + $1]) << UInt32($1 * 8) }
            }
            let (watch, mask, cookie, length) = (Int32(bitPattern: word(0)), word(1), word(2), word(3))
            guard length <= UInt32(rest.count - headerSize) else { return body(lost) }
            let field = rest[(start + headerSize)..<(start + headerSize + Int(length))]
            rest = rest[field.endIndex...]
            let name = FileName(field.prefix { $0 != 0 })
            if name == nil, field.first.map({ $0 != 0 }) == true {
                body(lost)
            } else {
                body(InotifyEvent(watch: watch, mask: InotifyMask(rawValue: mask), cookie: cookie, name: name))
            }
        }
    }

    private static var lost: InotifyEvent { InotifyEvent(watch: -1, mask: .overflow, cookie: 0, name: nil) }
}
