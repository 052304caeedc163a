import CInboxLinux
import Glibc

/// The events that inotify(7) reports about a watched folder, or that it is asked to report.
package struct InotifyMask: OptionSet, Sendable {
    /// The bits of the kernel's mask.
    package let rawValue: UInt32

    /// Takes any bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Content was changed, truncate(2) included.
    package static let modified = InotifyMask(rawValue: 0x2)
    /// Status was changed: mode, owner, times, link count.
    package static let attributes = InotifyMask(rawValue: 0x4)
    /// A file that was open for writing was closed.
    package static let closedAfterWriting = InotifyMask(rawValue: 0x8)
    /// A name was moved out of the folder.
    package static let movedFrom = InotifyMask(rawValue: 0x40)
    /// A name was moved into the folder.
    package static let movedTo = InotifyMask(rawValue: 0x80)
    /// A name was made.
    package static let created = InotifyMask(rawValue: 0x100)
    /// A name was removed.
    package static let deleted = InotifyMask(rawValue: 0x200)
    /// The watched folder itself was removed.
    package static let selfDeleted = InotifyMask(rawValue: 0x400)
    /// The watched folder itself was moved.
    package static let selfMoved = InotifyMask(rawValue: 0x800)
    /// The filesystem was unmounted.
    package static let unmounted = InotifyMask(rawValue: 0x2000)
    /// The queue overflowed: events are lost.
    package static let overflow = InotifyMask(rawValue: 0x4000)
    /// The watch is gone.
    package static let ignored = InotifyMask(rawValue: 0x8000)
    /// Watch folders only.
    package static let onlyFolder = InotifyMask(rawValue: 0x0100_0000)
    /// No events for files that have no name any more.
    package static let excludeUnlinked = InotifyMask(rawValue: 0x0400_0000)
    /// The request is added to the earlier one for the same file, and does not replace it.
    package static let addsToMask = InotifyMask(rawValue: 0x2000_0000)
    /// The event is about a folder.
    package static let isFolder = InotifyMask(rawValue: 0x4000_0000)
}

/// One event of the queue.
package struct InotifyEvent: Sendable {
    /// The watch's number; -1 for an overflow.
    package let watch: Int32
    /// The events.
    package let mask: InotifyMask
    /// Joins the two halves of a rename; 0 otherwise.
    package let cookie: UInt32
    /// The name in the watched folder; nil where the event is about the folder itself.
    package let name: FileName?
}

/// An inotify instance and the buffer it is read into.
package final class Inotify {
    private static let headerSize = 16

    /// The watches of this instance, which any thread may add.
    package let watches: InotifyWatches
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    /// Bytes of the next reading: fewer where what was done about the last one took long, so that nothing else waits long.
    var portion = 64 * 1024
    /// Bytes. An event takes 272 at most where names have 255 bytes, and up to 4,112 elsewhere.
    private static let leastPortion = 1024
    /// A reading that takes longer than this is followed by a shorter one.
    private static let longest = Duration.milliseconds(20)

    /// The time taken to act on the events that were read last.
    package private(set) var took = Duration.zero

    /// An instance without watches; EMFILE at `fs.inotify.max_user_instances`.
    package init() throws(SyscallError) {
        watches = InotifyWatches(
            FileDescriptor(
                owning: try systemCall(.inotifyInit) { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }))
    }

    /// The descriptor, for epoll(7).
    package var descriptor: FileDescriptor { _read { yield watches.descriptor } }

    /// Watches the open folder: the descriptor is named through proc(5), so that no path is resolved again.
    ///
    /// A folder that is watched already keeps its number and gets the new mask. ENOSPC at
    /// `fs.inotify.max_user_watches`.
    package func watch(_ folder: borrowing Directory, for mask: InotifyMask) throws(SyscallError) -> Int32 {
        try watches.add(folder.descriptor, for: mask)
    }

    /// Ends a watch. EINVAL, for a watch that the kernel has ended already, is ignored.
    package func unwatch(_ watch: Int32) {
        do throws(SyscallError) {
            _ = try systemCall(.inotifyRemoveWatch) { inotify_rm_watch(descriptor.number, watch) }
        } catch {
            // inotify_rm_watch(2) knows two errors: a descriptor that is none of ours, and a watch that is gone.
        }
    }

    /// Hands over some of the events that wait, at most one buffer of them; false when there were none.
    package func read(_ body: (InotifyEvent) -> Void) throws(SyscallError) -> Bool {
        let count: Int
        let number = watches.descriptor.number
        do throws(SyscallError) {
            count = try systemCall(.read, .descriptor(number)) {
                buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, portion) }
            }
        } catch  where error.errno == .again {
            return false
        } catch  where error.errno == .invalid && portion < buffer.count {
            // inotify(7): the next event is larger than what was asked for.
            portion = buffer.count
            return try read(body)
        }
        let began = Instant.now()
        Self.parse(buffer[..<count], body)
        took = Instant.now() - began
        portion = took > Self.longest ? max(Self.leastPortion, portion / 2) : min(buffer.count, portion * 2)
        return count > 0
    }

    /// Takes `struct inotify_event`s apart: watch, mask, cookie, length (4 bytes each) and the padded name.
    ///
    /// An event that is cut off, or a name that is none, ends in an overflow event: the reader then looks for itself.
    /// That a file was created is left out where the next event is that its writer has closed it: whoever inspects it for
    /// that finds the same.
    package static func parse(_ bytes: ArraySlice<UInt8>, _ body: (InotifyEvent) -> Void) {
        var place = bytes.startIndex
        var created: InotifyEvent?
        while place < bytes.endIndex {
            guard let (event, size) = event(in: bytes[place...]) else {
                if let created { body(created) }
                return body(lost)
            }
            place += size
            if let created, !event.isClose(of: created) { body(created) }
            created = event.mask == .created ? event : nil
            if created == nil { body(event) }
        }
        if let created { body(created) }
    }

    /// The first event, and how many bytes it takes up; nil where it is cut off.
    private static func event(in bytes: ArraySlice<UInt8>) -> (event: InotifyEvent, size: Int)? {
        bytes.withUnsafeBytes { raw in
            guard raw.count >= headerSize else { return nil }
            func word(_ index: Int) -> UInt32 {
                UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
            }
            let (watch, mask, cookie, length) = (Int32(bitPattern: word(0)), word(1), word(2), word(3))
            guard length <= UInt32(raw.count - headerSize) else { return nil }
            let field = UnsafeRawBufferPointer(rebasing: raw[headerSize..<(headerSize + Int(length))])
            let size = headerSize + Int(length)
            let end = field.firstOffset(of: 0) ?? field.count
            let name = FileName(UnsafeRawBufferPointer(rebasing: field[..<end]))
            if name == nil, end > 0 { return (lost, size) }
            return (
                InotifyEvent(watch: watch, mask: InotifyMask(rawValue: mask), cookie: cookie, name: name), size
            )
        }
    }

    private static var lost: InotifyEvent { InotifyEvent(watch: -1, mask: .overflow, cookie: 0, name: nil) }
}

/// The watches of an instance of inotify(7).
package final class InotifyWatches: Sendable {
    fileprivate let descriptor: FileDescriptor

    fileprivate init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Watches what a descriptor has open, which may be an `O_PATH` one of a symbolic link.
    package func add(_ file: borrowing FileDescriptor, for mask: InotifyMask) throws(SyscallError) -> Int32 {
        try systemCall(.inotifyAddWatch, .descriptor(file.number)) {
            inotify_add_watch(descriptor.number, file.ownPath, mask.rawValue)
        }
    }
}

extension InotifyEvent {
    /// Returns whether the file that the other event concerns was closed by a writer.
    fileprivate func isClose(of other: InotifyEvent) -> Bool {
        mask == .closedAfterWriting && watch == other.watch && name == other.name
    }
}
