import InboxLinux

/// A root that was opened and is the one that is meant.
package struct OpenRoot: Sendable {
    /// The open folder.
    package let folder: OpenFolder
    /// The status of the root when it was opened.
    package let status: FileStatus
    /// The filesystem that it lies on.
    let filesystem: FilesystemMark
    /// Its path without links, where proc(5) reports it.
    let path: BytePath?

    /// - Parameter known: what statfs(2) has reported of its filesystem, where it was asked already.
    init(_ folder: OpenFolder, _ known: Filesystem? = nil) throws(SyscallError) {
        self.folder = folder
        status = try folder.directory.status()
        filesystem = try FilesystemMark(of: folder.directory.descriptor, device: status.identity.file.device, known)
        do throws(SyscallError) { path = try RealPath.of(folder.directory.descriptor) } catch {
            // Then there is no table of mounts either.
            path = nil
        }
    }
}

/// The result of carefully following a root's path, on whichever thread may wait for its mount.
struct FollowedRoot: Sendable {
    /// The root, and what it is known by.
    let found: Result<(OpenRoot, RememberedRoot), SafePathError>
    /// The watches on the path; nil if there are none.
    let chain: RootWatch.Chain?

    /// Follows the path, and watches what is on it.
    init(_ path: BytePath, _ last: SafePath.LastComponent, _ chain: RootWatch.Chain?) {
        var chain = chain
        do throws(SafePathError) {
            let folder = OpenFolder(try SafePath.open(path, last) { file, status in chain?.add(file, status) })
            do throws(SyscallError) {
                // Asked once: the server of the filesystem may be far away.
                let filesystem = try Filesystem(of: folder.directory.descriptor)
                let root = try OpenRoot(folder, filesystem)
                found = .success((root, try RememberedRoot(of: folder.directory, root.status, filesystem)))
            } catch {
                throw SafePathError.failed(path, error)
            }
        } catch {
            found = .failure(error)
        }
        self.chain = chain
    }
}
