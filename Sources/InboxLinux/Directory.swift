import CInboxLinux
import Glibc

/// An open folder that this value owns. Every step into and out of it is relative to its descriptor, never to a path.
package struct Directory: ~Copyable, Sendable {
    /// The descriptor, open for reading.
    package let descriptor: FileDescriptor

    private static var flags: Int32 { O_RDONLY | inbox_o_directory | O_CLOEXEC }

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// The folder that a descriptor is open on, by one of its own that shares the place of reading.
    package init(duplicating descriptor: borrowing FileDescriptor) throws(SyscallError) {
        self.init(try FileDescriptor.duplicate(of: descriptor.number))
    }

    /// Opens the folder at a path that the configuration names; links on the way are followed.
    ///
    /// A path beyond PATH_MAX is walked in parts.
    package static func open(path: BytePath) throws(SyscallError) -> Directory {
        var (part, rest) = split(path.bytes[...])
        var current = Directory(try FileDescriptor.open(path: part, flags: flags))
        while !rest.isEmpty {
            (part, rest) = split(rest)
            current = try current.part(part)
        }
        return current
    }

    private static let longestPath = 4000

    /// The beginning of a path, as much as one call takes, and what follows it. A single name beyond that is left whole:
    /// the kernel refuses it.
    private static func split(_ path: ArraySlice<UInt8>) -> (BytePath, rest: ArraySlice<UInt8>) {
        let slash =
            path.count > longestPath ? path.prefix(longestPath).lastIndex { $0 == UInt8(ascii: "/") } : nil
        guard let slash, slash > path.startIndex else { return (BytePath(proven: Array(path)), []) }
        return (BytePath(proven: Array(path[..<slash])), path[slash...].drop { $0 == UInt8(ascii: "/") })
    }

    private func part(_ path: BytePath) throws(SyscallError) -> Directory {
        Directory(
            FileDescriptor(
                owning: try systemCall(.openat) {
                    path.withPointer { inbox_openat(descriptor.number, $0, Self.flags, 0) }
                }))
    }

    /// Opens a folder in this one; a link is not followed (ENOTDIR or ELOOP).
    package func folder(_ name: FileName) throws(SyscallError) -> Directory {
        Directory(
            FileDescriptor(
                owning: try systemCall(.openat, .name(descriptor.number, name)) {
                    name.withPointer { inbox_openat(descriptor.number, $0, Self.flags | inbox_o_nofollow, 0) }
                }))
    }

    /// Opens a folder that lies deeper: openat2(2), never leaving this one and never through a link.
    ///
    /// An empty path gives this folder anew. A path beyond PATH_MAX is walked in parts.
    ///
    /// Where the kernel, or a filter such as a container's, knows no openat2(2), it is walked name by name, across mounts.
    /// - Parameter mayCross: else it fails with EXDEV where it lies on another mount than this one.
    package func folder(
        beneath path: some Collection<FileName>, mayCross: Bool = true
    ) throws(SyscallError) -> Directory {
        do throws(SyscallError) {
            return try folderAtOnce(beneath: path, mayCross ? 0 : inbox_resolve_no_xdev)
        } catch  where error.errno == .noSystemCall || error.errno == .notPermitted {
            return try folderByNames(path)
        }
    }

    private func folderByNames(_ path: some Collection<FileName>) throws(SyscallError) -> Directory {
        var current = Directory(
            FileDescriptor(
                owning: try systemCall(.openat, .descriptor(descriptor.number)) {
                    inbox_openat(descriptor.number, ".", Self.flags, 0)
                }))
        for name in path { current = try current.folder(name) }
        return current
    }

    private func folderAtOnce(
        beneath path: some Collection<FileName>, _ limit: UInt64
    ) throws(SyscallError) -> Directory {
        var current: Directory?
        var part: [UInt8] = []
        for name in path {
            if part.count + name.count > 4000 {
                current = try step(from: current, part, limit)
                part = []
            }
            if !part.isEmpty { part.append(UInt8(ascii: "/")) }
            part.append(contentsOf: name.bytes)
        }
        return try step(from: current, part, limit)
    }

    private func step(
        from start: consuming Directory?, _ path: [UInt8], _ limit: UInt64
    ) throws(SyscallError) -> Directory {
        let terminated = (path.isEmpty ? [UInt8(ascii: ".")] : path) + [0]
        func open(in folder: Int32) throws(SyscallError) -> Int32 {
            try Self.openWithoutLinks(
                folder, terminated, inbox_resolve_beneath | limit, about: .descriptor(folder))
        }
        let number =
            switch consume start {
            case .some(let folder): try open(in: folder.descriptor.number)
            case .none: try open(in: descriptor.number)
            }
        return Directory(FileDescriptor(owning: number))
    }

    /// Opens a folder in this one; a link is not followed (ENOTDIR or ELOOP).
    /// - Parameter mayCross: else it fails with EXDEV where something is mounted there, which is not touched.
    package func folder(_ name: FileName, mayCross: Bool) throws(SyscallError) -> Directory {
        if mayCross { return try folder(name) }
        do throws(SyscallError) {
            let number = try Self.openWithoutLinks(
                descriptor.number, name.bytes + [0], inbox_resolve_no_xdev, about: .name(descriptor.number, name))
            return Directory(FileDescriptor(owning: number))
        } catch  where error.errno == .noSystemCall || error.errno == .notPermitted {
            return try folder(name)
        }
    }

    /// Opens what is at a relative path without links.
    /// - Parameter limit: what else keeps it where it is: for a single name, which leads to nowhere else, nothing does that
    ///   means "beneath", since that fails with EXDEV too, where somebody moves the name away at that moment.
    private static func openWithoutLinks(
        _ folder: Int32, _ path: [UInt8], _ limit: UInt64 = inbox_resolve_beneath, flags: Int32 = flags,
        about subject: @autoclosure () -> CallSubject
    ) throws(SyscallError) -> Int32 {
        let resolve = limit | inbox_resolve_no_symlinks | inbox_resolve_no_magiclinks
        return try systemCall(.openat2, subject()) {
            path.withUnsafeBytes { raw in
                inbox_openat2(
                    folder, raw.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(flags), 0, resolve)
            }
        }
    }

    private static let readingFlags = O_RDONLY | inbox_o_nofollow | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    /// Opens a file for reading, never through a link and never waiting for a FIFO's writer.
    package func file(_ name: FileName) throws(SyscallError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall(.openat, .name(descriptor.number, name)) {
                name.withPointer { inbox_openat(descriptor.number, $0, Self.readingFlags, 0) }
            })
    }

    /// The same.
    /// - Parameter mayCross: else it fails with EXDEV where something is mounted on the file, which no rename could move,
    ///   and whoever serves that is not asked for anything.
    package func file(_ name: FileName, mayCross: Bool) throws(SyscallError) -> FileDescriptor {
        if mayCross { return try file(name) }
        do throws(SyscallError) {
            let number = try Self.openWithoutLinks(
                descriptor.number, name.bytes + [0], inbox_resolve_no_xdev, flags: Self.readingFlags,
                about: .name(descriptor.number, name))
            return FileDescriptor(owning: number)
        } catch  where error.errno == .noSystemCall || error.errno == .notPermitted {
            return try file(name)
        }
    }

    /// Opens a file for reading and appending; makes it with this mode where it is missing.
    package func appendingFile(_ name: FileName, mode: UInt32 = 0o600) throws(SyscallError) -> FileDescriptor {
        let flags = O_RDWR | O_APPEND | O_CREAT | inbox_o_nofollow | O_NOCTTY | O_CLOEXEC
        return FileDescriptor(
            owning: try systemCall(.openat, .name(descriptor.number, name)) {
                name.withPointer { inbox_openat(descriptor.number, $0, flags, mode_t(mode)) }
            })
    }

    /// The status of what has the name; a link is reported as a link.
    ///
    /// - Parameter isFresh: whether the server of a network filesystem is asked, rather than what is remembered of its
    ///   last reply: `AT_STATX_FORCE_SYNC`.
    package func status(of name: FileName, isFresh: Bool = false) throws(SyscallError) -> FileStatus {
        var found = inbox_status()
        let flags = isFresh ? inbox_statx_fresh : 0
        _ = try systemCall(.statx, .name(descriptor.number, name)) {
            name.withPointer { inbox_statx(descriptor.number, $0, flags, &found) }
        }
        return FileStatus(found)
    }

    /// The status of what has the name as the kernel remembers it, `AT_STATX_DONT_SYNC`: on a local filesystem what
    /// ``status(of:isFresh:)`` reports, and where a server or a program is mounted there, it is not asked.
    package func rememberedStatus(of name: FileName) throws(SyscallError) -> FileStatus {
        var found = inbox_status()
        _ = try systemCall(.statx, .name(descriptor.number, name)) {
            name.withPointer { inbox_statx(descriptor.number, $0, inbox_statx_remembered, &found) }
        }
        return FileStatus(found)
    }

    /// Returns whether a folder in this one holds a name.
    /// - Parameter mayCross: otherwise it fails with EXDEV if something is mounted at that folder, which is not
    ///   touched.
    package func holds(_ name: FileName, in folder: FileName, mayCross: Bool) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            _ = try self.folder(folder, mayCross: mayCross).rememberedStatus(of: name)
            return true
        } catch  where error.errno.isAbsent {
            return false
        }
    }

    /// Returns the current status of this folder.
    package func status() throws(SyscallError) -> FileStatus { try descriptor.status() }

    /// Moves a name into a folder under a name that must be free: renameat2(2), `RENAME_NOREPLACE`, else EEXIST.
    package func rename(
        _ name: FileName, to folder: borrowing Directory, as other: FileName
    ) throws(SyscallError) {
        let target = folder.descriptor.number
        _ = try systemCall(.renameat2, .names(descriptor.number, name, target, other)) {
            name.withPointer { from in
                other.withPointer { to in
                    inbox_renameat2(descriptor.number, from, target, to, inbox_rename_noreplace)
                }
            }
        }
    }

    /// Moves the name of a file as ``rename(_:to:as:)`` does. Where the filesystem knows no such rename the file gets a
    /// second name, which reaches the disk before the first one goes: a power cut could leave neither.
    package func renameFile(
        _ name: FileName, to folder: borrowing Directory, as other: FileName
    ) throws(SyscallError) {
        do throws(SyscallError) {
            try rename(name, to: folder, as: other)
        } catch  where error.isWithoutNoReplace {
            try link(name, to: folder, as: other)
            try folder.sync()
            try removeFile(name)
        }
    }

    /// Moves a folder into a folder under a free name, or that of an empty folder, which goes: rename(2). ENOTEMPTY or
    /// EEXIST where the folder has something in it, ENOTDIR where it is none.
    package func renameOverEmptyFolder(
        _ name: FileName, to folder: borrowing Directory, as other: FileName
    ) throws(SyscallError) {
        try renamePlainly(name, to: folder, as: other)
    }

    /// Moves a name into a folder that nobody else can enter, under a name that is free there: rename(2), which every
    /// filesystem knows, and which only one of several daemons can win.
    package func claim(
        _ name: FileName, into folder: borrowing Directory, as other: FileName
    ) throws(SyscallError) {
        try renamePlainly(name, to: folder, as: other)
    }

    /// Puts the file that has one name of this folder in the place of another name's: rename(2). Whatever had that name
    /// is gone, so this is for files that nobody but this program has.
    package func replace(_ name: FileName, by other: FileName) throws(SyscallError) {
        try renamePlainly(other, to: self, as: name)
    }

    private func renamePlainly(
        _ name: FileName, to folder: borrowing Directory, as other: FileName
    ) throws(SyscallError) {
        let target = folder.descriptor.number
        _ = try systemCall(.renameat, .names(descriptor.number, name, target, other)) {
            name.withPointer { from in other.withPointer { to in renameat(descriptor.number, from, target, to) } }
        }
    }

    /// Gives a file a second name in a folder; the name must be free, else EEXIST. A link is not followed.
    package func link(_ name: FileName, to folder: borrowing Directory, as other: FileName) throws(SyscallError) {
        let target = folder.descriptor.number
        _ = try systemCall(.linkat, .names(descriptor.number, name, target, other)) {
            name.withPointer { from in other.withPointer { to in linkat(descriptor.number, from, target, to, 0) } }
        }
    }

    /// Removes a name that is not a folder.
    package func removeFile(_ name: FileName) throws(SyscallError) {
        _ = try systemCall(.unlinkat, .name(descriptor.number, name)) {
            name.withPointer { unlinkat(descriptor.number, $0, 0) }
        }
    }

    /// Removes an empty folder, else ENOTEMPTY.
    package func removeFolder(_ name: FileName) throws(SyscallError) {
        _ = try systemCall(.unlinkat, .name(descriptor.number, name)) {
            name.withPointer { unlinkat(descriptor.number, $0, Int32(AT_REMOVEDIR)) }
        }
    }

    /// Removes a folder that may be gone already; false where it is not empty.
    package func removeEmptyFolder(_ name: FileName) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try removeFolder(name)
            return true
        } catch  where error.errno == .notEmpty || error.errno == .exists {
            return false
        } catch  where error.errno.isAbsent {
            return true
        }
    }

    /// Makes a folder with this mode, less the process's umask; EEXIST where the name is taken.
    package func makeFolder(_ name: FileName, mode: UInt32) throws(SyscallError) {
        _ = try systemCall(.mkdirat, .name(descriptor.number, name)) {
            name.withPointer { mkdirat(descriptor.number, $0, mode_t(mode)) }
        }
    }

    /// Writes the folder's names to the disk.
    package func sync() throws(SyscallError) { try descriptor.sync() }
}

extension FileDescriptor {
    /// Opens a path that the configuration or the environment names.
    package static func open(path: BytePath, flags: Int32, mode: UInt32 = 0) throws(SyscallError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall(.openat, .path(path)) {
                path.withPointer { inbox_openat(AT_FDCWD, $0, flags, mode_t(mode)) }
            })
    }

    /// Opens a file at a path for reading.
    package static func reading(path: BytePath) throws(SyscallError) -> FileDescriptor {
        try open(path: path, flags: O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    }
}
