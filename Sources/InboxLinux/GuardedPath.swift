import CInboxLinux
import Glibc

/// Follows a path that others may have led astray: only through links of trusted users, and onto no mount that is not
/// known. Nothing is read on the way, and nothing of it is followed twice.
package struct GuardedPath: Sendable {
    /// As many as the kernel follows, path_resolution(7).
    private static let mostLinks = 40

    /// No document lies deeper by far, and somebody waits for the answer.
    package static let mostComponents = 512

    private let makers: Set<UInt32>
    private let mayCross: @Sendable (BytePath) -> Bool

    /// - Parameters:
    ///   - makers: whose links are followed.
    ///   - mayCross: whether what is mounted at this path is entered, if anything is.
    package init(followingLinksOf makers: Set<UInt32>, mayCross: @escaping @Sendable (BytePath) -> Bool) {
        self.makers = makers
        self.mayCross = mayCross
    }

    /// Returns the entry at an absolute path; nil if the path is not followed to its end, as one of more than
    /// ``mostComponents`` components.
    /// - Parameters:
    ///   - isFollowed: whether a link at the end is followed.
    ///   - mayEnter: whether a folder on the way is entered.
    package func find(
        _ path: BytePath, isFollowed: Bool, mayEnter: (borrowing PathEntry) -> Bool = { _ in true }
    ) throws(SyscallError) -> PathEntry? {
        var rest = SafePath.components(path.bytes)
        var place = try PathEntry(.pathRoot())
        var reached = BytePath("/")
        var (links, steps) = (0, 0)
        while let component = rest.popLast() {
            steps += 1
            guard steps + rest.count <= Self.mostComponents, mayEnter(place) else { return nil }
            guard let name = FileName(component) else {
                place = try PathEntry(place.descriptor.folderPath(component))
                reached = reached.parent ?? BytePath("/")
                continue
            }
            let at = reached.appending(name)
            let entry = try PathEntry(place.descriptor.path(of: name, mayCross: mayCross(at)))
            if entry.status.kind == .symlink, !rest.isEmpty || isFollowed {
                links += 1
                guard links <= Self.mostLinks, makers.contains(entry.status.owner) else { return nil }
                let target = try entry.descriptor.linkTarget()
                rest += SafePath.components(target)
                guard target.first == UInt8(ascii: "/") else { continue }
                place = try PathEntry(.pathRoot())
                reached = BytePath("/")
            } else {
                place = entry
                reached = at
            }
        }
        return place
    }
}

/// The entry at a path, through which nothing can be read: open(2), `O_PATH`.
package struct PathEntry: ~Copyable {
    fileprivate let descriptor: FileDescriptor
    package let status: FileStatus

    fileprivate init(_ descriptor: consuming FileDescriptor) throws(SyscallError) {
        status = try descriptor.status()
        self.descriptor = descriptor
    }

    /// Its access list; nil where it has none.
    package var accessList: AccessList? { descriptor.accessList }
}

extension FileDescriptor {
    /// Returns a descriptor for what has a name, without opening it.
    /// - Parameter mayCross: otherwise it fails with EXDEV if something is mounted there, which is not touched.
    fileprivate func path(of name: FileName, mayCross: Bool) throws(SyscallError) -> FileDescriptor {
        if mayCross { return try path(of: name) }
        let flags = UInt64(inbox_o_path | inbox_o_nofollow | O_CLOEXEC)
        do throws(SyscallError) {
            return FileDescriptor(
                owning: try systemCall(.openat2, .name(number, name)) {
                    name.withPointer { inbox_openat2(number, $0, flags, 0, inbox_resolve_no_xdev) }
                })
        } catch  where error.errno == .noSystemCall || error.errno == .notPermitted {
            return try path(of: name)
        }
    }
}
