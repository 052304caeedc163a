import CInboxLinux
import Glibc

/// Symbolic links as what they are: made and read, never followed.
extension Directory {
    /// The longest target that Linux allows: PATH_MAX of limits.h, less the NUL.
    private static let longestTarget = 4095

    /// Makes a link to `target` under a name that must be free, else EEXIST: symlinkat(2).
    package func makeLink(_ name: FileName, to target: BytePath) throws(SyscallError) {
        let folder = descriptor.number
        _ = try systemCall(.symlinkat, .name(folder, name)) {
            target.withPointer { path in name.withPointer { inbox_make_link(path, folder, $0) } }
        }
    }

    /// Returns the target of a link: readlinkat(2). EINVAL if the name is no link.
    package func target(of name: FileName) throws(SyscallError) -> BytePath {
        let folder = descriptor.number
        var target = [UInt8](repeating: 0, count: Self.longestTarget + 1)
        let count = try systemCall(.readlinkat, .name(folder, name)) {
            target.withUnsafeMutableBytes { raw in
                let buffer = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
                return name.withPointer { inbox_read_link(folder, $0, buffer, raw.count) }
            }
        }
        return BytePath(proven: Array(target[..<count]))
    }

    /// Gives a link itself to an owner and a group: fchownat(2).
    package func changeOwner(ofLink name: FileName, _ owner: UInt32, group: UInt32) throws(SyscallError) {
        let folder = descriptor.number
        _ = try systemCall(.fchownat, .name(folder, name)) {
            name.withPointer { inbox_change_link_owner(folder, $0, owner, group) }
        }
    }

    /// Sets a link's own times: utimensat(2).
    package func setTimes(
        ofLink name: FileName, accessed: Timestamp, modified: Timestamp
    ) throws(SyscallError) {
        let folder = descriptor.number
        _ = try systemCall(.utimensat, .name(folder, name)) {
            name.withPointer {
                inbox_set_link_times(
                    folder, $0, accessed.seconds, Int64(accessed.nanoseconds), modified.seconds,
                    Int64(modified.nanoseconds))
            }
        }
    }
}
