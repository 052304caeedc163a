import InboxLinux

/// The folders from an Inbox to a place in it, each opened beneath the one before and through no link; those that are
/// missing are created.
struct InboxWay {
    /// The Inbox and the folders in it.
    private(set) var folders: [OpenFolder]
    /// The folders that were created, each with the one that it is in.
    private var made: [(name: FileName, parent: OpenFolder)] = []

    /// The innermost folder.
    var last: OpenFolder { folders[folders.count - 1] }

    /// Opens the folders at these names.
    init(
        _ names: [FileName], in inbox: OpenFolder, at path: BytePath, _ making: FolderMaking
    ) throws(SyscallError) {
        folders = [inbox]
        var path = path
        for name in names {
            do throws(SyscallError) {
                folders.append(OpenFolder(try last.directory.folder(name)))
            } catch  where error.errno == .noEntry {
                do throws(SyscallError) {
                    try making.make(name, in: last.directory, at: path)
                    made.append((name, last))
                } catch {
                    if error.errno != .exists { throw error }
                }
                folders.append(OpenFolder(try last.directory.folder(name)))
            }
            path = path.appending(name)
        }
    }

    /// Removes the folders that were created here, as long as they are empty.
    func takeBack() {
        for (name, parent) in made.reversed() {
            do throws(SyscallError) { try parent.directory.removeFolder(name) } catch {
                // Somebody uses it, or has removed it.
                return
            }
        }
    }
}
