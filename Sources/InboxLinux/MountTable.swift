/// The mounts and their paths: the table of proc(5), `/proc/self/mountinfo`.
package struct MountTable: Hashable, Sendable {
    /// One mount.
    package struct Mount: Hashable, Sendable {
        package let identifier: UInt64
        package let path: BytePath
        /// The rest of the entry in the table: the mount's options, and the filesystem with its own.
        let rest: [UInt8]

        /// A server or a program serves the mount's filesystem, and may cease to: the type follows a lone dash.
        fileprivate var isForeign: Bool {
            let fields = rest.split(separator: UInt8(ascii: " "))
            guard let dash = fields.firstIndex(where: { $0.elementsEqual("-".utf8) }), dash + 1 < fields.count else {
                return false
            }
            let type = String(decoding: fields[dash + 1], as: UTF8.self)
            return type.hasPrefix("fuse") || type.hasPrefix("nfs") || MountTable.foreignTypes.contains(type)
        }

        /// Who made it, where that need not have been root: the kernel's own `user_id=` of fuse(4), the first option
        /// after the type and the source.
        package var user: UInt32? {
            guard isForeign, let options = rest.split(separator: UInt8(ascii: " ")).last else { return nil }
            let key = "user_id="
            let option = options.split(separator: UInt8(ascii: ",")).first { $0.starts(with: key.utf8) }
            return option.flatMap { UInt32(String(decoding: $0.dropFirst(key.utf8.count), as: UTF8.self)) }
        }
    }

    /// The types, besides those of FUSE and NFS, whose servers may cease to answer.
    private static let foreignTypes: Set = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "gfs2", "gpfs", "lustre", "ncpfs", "ocfs2", "prl_fs", "pvfs2",
        "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    ]

    private var mounts: [Mount]

    /// An empty table.
    package init() {
        mounts = []
    }

    /// Reads the table's text: a line a mount, of which the first field is its number and the fifth its path, with
    /// blanks and backslashes as `\\ooo`. A line that is none is left out.
    package init(_ text: [UInt8]) {
        mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count == 6, let identifier = UInt64(String(decoding: fields[0], as: UTF8.self)) else {
                return nil
            }
            return Mount(
                identifier: identifier, path: BytePath(proven: Self.unescaped(fields[4])), rest: Array(fields[5]))
        }
    }

    /// The table of this process; nil where it cannot be read.
    package static var ofThisProcess: MountTable? {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: BytePath("/proc/self/mountinfo"))
            return try file.contents(limit: 16 << 20).map(MountTable.init)
        } catch {
            return nil
        }
    }

    /// The table is unknown: something is always mounted.
    package var isEmpty: Bool { mounts.isEmpty }

    /// The mount of this number.
    func mount(_ identifier: UInt64) -> Mount? { mounts.first { $0.identifier == identifier } }

    /// The mounts on a folder and below it.
    package func mounts(beneath path: BytePath) -> [Mount] {
        mounts.filter { $0.path == path || $0.path.isInside(path) }
    }

    /// The mounts that a folder and what is below it lie on.
    package func mounts(concerning path: BytePath) -> [Mount] {
        mounts.filter { $0.path == path || $0.path.isInside(path) || path.isInside($0.path) }
    }

    /// Returns whether a path lies on a mount whose server may cease to answer.
    package func isForeign(_ path: BytePath) -> Bool {
        mounts.contains { ($0.path == path || path.isInside($0.path)) && $0.isForeign }
    }

    /// The mounts, by their numbers, whose servers may cease to answer, and that one of these folders lies on or has in it.
    package func foreign(concerning folders: [BytePath]) -> [UInt64: Mount] {
        var found: [UInt64: Mount] = [:]
        for mount in mounts where mount.isForeign {
            let isConcerned = folders.contains {
                $0 == mount.path || $0.isInside(mount.path) || mount.path.isInside($0)
            }
            if isConcerned { found[mount.identifier] = mount }
        }
        return found
    }

    /// The table as those see it who name these folders by links: what is mounted where a folder lies is at its name.
    package func following(_ links: [BytePath: BytePath]) -> MountTable {
        var table = self
        for (name, folder) in links {
            table.mounts = table.mounts.map { mount in
                guard mount.path == folder || mount.path.isInside(folder) else { return mount }
                let path = BytePath(proven: name.bytes + mount.path.bytes.dropFirst(folder.bytes.count))
                return Mount(identifier: mount.identifier, path: path, rest: mount.rest)
            }
        }
        return table
    }

    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                result.append(code)
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
