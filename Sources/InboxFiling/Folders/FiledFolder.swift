import InboxLinux

/// The folder that a filed document is in.
package enum FiledFolder {
    /// Opens the folder at these names beneath a root. A link on the way is followed where nobody else could have led it
    /// astray.
    ///
    /// Nil where it is no longer there.
    package static func open(
        _ names: some Collection<FileName>, beneath root: BytePath
    ) throws(SyscallError) -> (folder: OpenFolder, isFollowed: Bool)? {
        do throws(SyscallError) {
            return (OpenFolder(try Directory.open(path: root).folder(beneath: names)), false)
        } catch  where error.errno.isAbsent {
            return try open(names.reduce(root) { $0.appending($1) }).map { ($0, true) }
        }
    }

    /// Opens the folder at a path that nobody else could have led astray; nil where it is no longer there.
    package static func open(_ path: BytePath) throws(SyscallError) -> OpenFolder? {
        do throws(SafePathError) { return OpenFolder(try SafePath.open(path)) } catch {
            // Where somebody else could have led the path, it does not lead to the document.
            guard case .failed(_, let error) = error, !error.errno.isAbsent else { return nil }
            throw error
        }
    }
}
