import CInboxLinux
import Glibc

/// The path of what is open, as the kernel knows it.
package enum RealPath {
    /// Opens the folder at a path, links on the way and at its end followed, and asks the kernel for the path of what is
    /// open: proc(5), `/proc/self/fd`. Search permission on the way is enough; the folder need not be readable.
    ///
    /// - Returns: nil where the folder was removed, or lies outside of this process's root.
    package static func ofFolder(_ path: BytePath) throws(SyscallError) -> BytePath? {
        let folder = try FileDescriptor.open(path: path, flags: inbox_o_path | inbox_o_directory | O_CLOEXEC)
        return try of(folder)
    }

    /// The same for a folder that may not be there, or may not be entered, and then has none; nor has one on the mount of a
    /// server or a program, which may not answer.
    package static func ofFolder(_ path: BytePath, besides mounts: MountTable) -> BytePath? {
        if mounts.isForeign(path) { return nil }
        do throws(SyscallError) { return try ofFolder(path) } catch { return nil }
    }

    /// The same for a folder that is open.
    package static func of(_ folder: borrowing FileDescriptor) throws(SyscallError) -> BytePath? {
        let status = try folder.status()
        let found = try linkTarget(folder.ownPath)
        // The words could as well be the end of a name, and some FUSE filesystems count no links at all.
        let isRemoved = status.links == 0 && found.suffix(10).elementsEqual(" (deleted)".utf8)
        return isRemoved || found.first != UInt8(ascii: "/") ? nil : BytePath(proven: found)
    }

    /// Returns whether an open file has this path, or had it last when that name was taken from it: proc(5).
    package static func lastName(of file: borrowing FileDescriptor, is path: BytePath) throws(SyscallError) -> Bool {
        let found = try linkTarget(file.ownPath)
        return found == path.bytes || found == path.bytes + " (deleted)".utf8
    }

    /// Returns the target of the link at a path. The kernel gives a path of at most one page here.
    private static func linkTarget(_ path: String) throws(SyscallError) -> [UInt8] {
        var target = [UInt8](repeating: 0, count: 4096)
        let count = try systemCall(.readlinkat) {
            target.withUnsafeMutableBytes { raw in
                inbox_read_link(AT_FDCWD, path, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
            }
        }
        return Array(target[..<count])
    }
}
