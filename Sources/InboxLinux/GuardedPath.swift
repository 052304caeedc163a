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

    /// What is at an absolute path; nil where the way is not followed to its end, as one of more than ``mostComponents``
    /// components.
    /// - Parameters:
    ///   - isFollowed: whether a link at the end is followed.
    ///   - mayEnter: whether a folder on the way is entered.
    package func status(
        _ path: BytePath, isFollowed: Bool, mayEnter: (FileStatus) -> Bool
    ) throws(SyscallError) -> FileStatus? {
        var rest = SafePath.components(path.bytes)
        var folder = try FileDescriptor.pathRoot()
        var status = try folder.status()
        var reached = BytePath("/")
        var (links, steps) = (0, 0)
        while let component = rest.popLast() {
            steps += 1
            guard steps + rest.count <= Self.mostComponents, mayEnter(status) else { return nil }
            guard let name = FileName(component) else {
                folder = try folder.folderPath(component)
                status = try folder.status()
                reached = reached.parent ?? BytePath("/")
                continue
            }
            let at = reached.appending(name)
            let entry = try folder.path(of: name, mayCross: mayCross(at))
            let found = try entry.status()
            if found.kind == .symlink, !rest.isEmpty || isFollowed {
                links += 1
                guard links <= Self.mostLinks, makers.contains(found.owner) else { return nil }
                let target = try entry.linkTarget()
                rest += SafePath.components(target)
                guard target.first == UInt8(ascii: "/") else { continue }
                folder = try FileDescriptor.pathRoot()
                status = try folder.status()
                reached = BytePath("/")
            } else {
                folder = entry
                status = found
                reached = at
            }
        }
        return status
    }
}

extension FileDescriptor {
    /// What has a name, without opening it.
    /// - Parameter mayCross: else it fails with EXDEV where something is mounted there, which is not touched.
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
