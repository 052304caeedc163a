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
    ) throws(FolderMakingError) {
        folders = [inbox]
        var path = path
        for name in names {
            do throws(FolderMakingError) {
                folders.append(try Self.open(name, in: last))
            } catch  where error.failure.errno == .noEntry {
                do throws(FolderMakingError) {
                    try making.make(name, in: last.directory, at: path)
                    made.append((name, last))
                } catch {
                    if !error.isTaken { throw error }
                }
                folders.append(try Self.open(name, in: last))
            }
            path = path.appending(name)
        }
    }

    private static func open(_ name: FileName, in folder: OpenFolder) throws(FolderMakingError) -> OpenFolder {
        do throws(SyscallError) { return OpenFolder(try folder.directory.folder(name)) } catch { throw .folder(error) }
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
