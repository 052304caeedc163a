import CInboxLinux
import Glibc

/// The reason why a path cannot be followed.
package enum SafePathError: Error, Hashable {
    /// It begins nowhere.
    case relative(BytePath)
    /// A call failed at this component.
    case failed(BytePath, SyscallError)
    /// Somebody who is not trusted could exchange a component.
    case unsafe(PathExposure)
    /// The last component is a symbolic link, where that may not be.
    case linkAtEnd(BytePath)
    /// The path has too many symbolic links.
    case tooManyLinks(BytePath)

    /// The failed call's; nil where none failed.
    package var errno: Errno? {
        if case .failed(_, let error) = self { error.errno } else { nil }
    }
}

extension SafePathError: CustomStringConvertible {
    /// One line that a person can act on.
    package var description: String {
        switch self {
        case .relative(let path): "\(path) is not an absolute path"
        case .failed(let path, let error): "cannot open \(path): \(error.errno)"
        case .unsafe(let exposure): "the path is not safe: \(exposure)"
        case .linkAtEnd(let path): "\(path) is a symbolic link: put a folder there, or name what it leads to"
        case .tooManyLinks(let path): "\(path): too many symbolic links"
        }
    }
}

/// Follows an absolute path one component at a time, and proves that only trusted users could have redirected it.
///
/// Everybody who could exchange a component must be root, this process's user or the owner of the folder at the end:
/// the owner of the folder that it is in, those who may write to that folder unless it is sticky, and the owner of a
/// symbolic link. This is what systemd calls a safe transition.
package struct SafePath {
    /// The requirement on the last component of a path.
    package enum LastComponent: Sendable {
        /// A folder, or a link that leads to one.
        case folderOrLink
        /// A folder.
        case folder
        /// A folder; below this one a link too, if this process's user made it: a person's own home.
        case folderOrOwnLink(below: BytePath)
    }

    /// As many as the kernel follows, path_resolution(7).
    private static let mostLinks = 40

    private let last: LastComponent
    private let users: TrustedUsers
    private var rest: [ArraySlice<UInt8>]
    /// The path of the folder that is open, without links.
    private var reached = BytePath("/")
    private var exposures: [PathExposure] = []
    private var links = 0

    private init(_ path: BytePath, _ last: LastComponent, _ users: TrustedUsers) {
        self.last = last
        self.users = users
        rest = Self.components(path.bytes)
    }

    /// Opens the folder at an absolute path for reading.
    /// - Parameters:
    ///   - entry: a name that is to be made in the folder, and that nobody else may exchange then.
    ///   - visit: lent each folder and link on the way, as `O_PATH` descriptors, so that they can be watched.
    package static func open(
        _ path: BytePath, _ last: LastComponent = .folderOrLink, toMake entry: FileName? = nil,
        trusting users: TrustedUsers = .current(),
        visit: (borrowing FileDescriptor, FileStatus) -> Void = { _, _ in }
    ) throws(SafePathError) -> Directory {
        guard path.isAbsolute else { throw .relative(path) }
        var walk = SafePath(path, last, users)
        return try walk.follow(path, entry, visit)
    }

    private mutating func follow(
        _ path: BytePath, _ made: FileName?, _ visit: (borrowing FileDescriptor, FileStatus) -> Void
    ) throws(SafePathError) -> Directory {
        var folder = try call(reached) { () throws(SyscallError) in try FileDescriptor.pathRoot() }
        var status = try call(reached) { () throws(SyscallError) in try folder.status() }
        visit(folder, status)
        while let component = rest.popLast() {
            guard let name = FileName(component) else {
                // The kernel knows what is above a folder; it refuses the only other one, which is too long.
                folder = try call(reached) { () throws(SyscallError) in try folder.folderPath(component) }
                status = try call(reached) { () throws(SyscallError) in try folder.status() }
                reached = reached.parent ?? BytePath("/")
                continue
            }
            let at = reached.appending(name)
            let entry = try call(at) { () throws(SyscallError) in try folder.path(of: name) }
            let found = try call(at) { () throws(SyscallError) in try entry.status() }
            try expose(found, at: at, in: status, folder)
            visit(entry, found)
            if found.kind == .symlink {
                try take(link: found, at: at)
                let target = try call(at) { () throws(SyscallError) in try entry.linkTarget() }
                rest += Self.components(target)
                if target.first == UInt8(ascii: "/") {
                    folder = try call(at) { () throws(SyscallError) in try FileDescriptor.pathRoot() }
                    status = try call(at) { () throws(SyscallError) in try folder.status() }
                    reached = BytePath("/")
                }
            } else {
                folder = entry
                status = found
                reached = at
            }
        }
        if let made {
            // It will have the folder's own owner.
            let at = reached.appending(made)
            try expose(status, at: at, in: status, folder)
        }
        let opened = try call(path) { () throws(SyscallError) in try Directory(reopening: folder) }
        // The owner counts as it is now, as does everything else of the folder that is handed over.
        let owner = try call(path) { () throws(SyscallError) in try opened.status().owner }
        for exposure in exposures where !exposure.isHarmless(users, endingAt: owner) { throw .unsafe(exposure) }
        return opened
    }

    /// Takes note of who could exchange an entry of an open folder.
    private mutating func expose(
        _ entry: FileStatus, at path: BytePath, in status: FileStatus, _ folder: borrowing FileDescriptor
    ) throws(SafePathError) {
        // Asked for only where the rights do not say enough. Want of descriptors is no sign of a list.
        var list: Result<Bool, SyscallError>?
        let found = PathExposure.all(of: entry, at: path, in: status) {
            let asked = list ?? folder.hasAccessList
            list = asked
            if case .success(false) = asked { return false }
            return true
        }
        if case .failure(let error)? = list, error.errno.isWantOfResources { throw .failed(path, error) }
        exposures += found
    }

    private mutating func take(link: FileStatus, at path: BytePath) throws(SafePathError) {
        links += 1
        if links > Self.mostLinks { throw .tooManyLinks(path) }
        guard rest.isEmpty else { return }
        switch last {
        case .folderOrLink: break
        case .folder: throw .linkAtEnd(path)
        case .folderOrOwnLink(let home):
            guard path.isInside(home), link.owner == users.own else { throw .linkAtEnd(path) }
        }
    }

    /// The components of a path, the first one last.
    static func components(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        path.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }.reversed()
    }

    private func call<Value: ~Copyable>(
        _ path: BytePath, _ body: () throws(SyscallError) -> Value
    ) throws(SafePathError) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .failed(path, error) }
    }
}

extension FileDescriptor {
    static func pathRoot() throws(SyscallError) -> FileDescriptor {
        try open(path: BytePath("/"), flags: inbox_o_path | inbox_o_directory | O_CLOEXEC)
    }

    func folderPath(_ component: ArraySlice<UInt8>) throws(SyscallError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall(.openat, .descriptor(number)) {
                BytePath(proven: Array(component)).withPointer {
                    inbox_openat(number, $0, inbox_o_path | inbox_o_directory | O_CLOEXEC, 0)
                }
            })
    }

    func path(of name: FileName) throws(SyscallError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall(.openat, .name(number, name)) {
                name.withPointer { inbox_openat(number, $0, inbox_o_path | inbox_o_nofollow | O_CLOEXEC, 0) }
            })
    }

    /// Returns the target of the opened link: readlinkat(2) with an empty path.
    func linkTarget() throws(SyscallError) -> [UInt8] {
        var target = [UInt8](repeating: 0, count: 4096)
        let count = try systemCall(.readlinkat, .descriptor(number)) {
            target.withUnsafeMutableBytes { raw in
                inbox_read_link(number, "", raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
            }
        }
        return Array(target[..<count])
    }

    /// The folder has an access list, acl(5); one that cannot be read counts as one.
    fileprivate var hasAccessList: Result<Bool, SyscallError> {
        do throws(SyscallError) {
            let folder = try Directory(reopening: self)
            return .success(try folder.descriptor.attributeNames()?.contains(.accessList) ?? true)
        } catch {
            return .failure(error)
        }
    }
}

extension Directory {
    /// Opens for reading what is known by an `O_PATH` descriptor; ENOTDIR where it is no folder.
    init(reopening folder: borrowing FileDescriptor) throws(SyscallError) {
        let number = folder.number
        self.init(
            FileDescriptor(
                owning: try systemCall(.openat, .descriptor(number)) {
                    inbox_openat(number, ".", O_RDONLY | inbox_o_directory | O_CLOEXEC, 0)
                }))
    }
}
