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
            let path = names.reduce(root) { $0.appending($1) }
            do throws(SafePathError) { return (OpenFolder(try SafePath.open(path)), true) } catch {
                // Where somebody else could have led the path, it does not lead to the document.
                guard case .failed(_, let error) = error, !error.errno.isAbsent else { return nil }
                throw error
            }
        }
    }
}
