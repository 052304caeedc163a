import InboxLinux

/// The Inbox that documents are delivered into.
package enum DeliveryInbox {
    /// Opens an Inbox; one that is missing is made, as the daemon does, where that is wanted.
    ///
    /// With `RemoveInbox=yes` an Inbox is missing whenever it is cleared. Nobody should want one made while Documents may be
    /// a bare mount point.
    package static func open(_ path: BytePath, makesMissing: Bool) throws(DeliveryError) -> OpenFolder {
        do throws(SafePathError) {
            return OpenFolder(try SafePath.open(path))
        } catch {
            guard makesMissing, error.errno == .noEntry, let parent = path.parent,
                let name = FileName(path.lastComponent)
            else { throw .inbox(error) }
            try make(name, in: parent)
        }
        do throws(SafePathError) { return OpenFolder(try SafePath.open(path)) } catch { throw .inbox(error) }
    }

    private static func make(_ name: FileName, in parent: BytePath) throws(DeliveryError) {
        let folder: Directory
        do throws(SafePathError) { folder = try SafePath.open(parent, toMake: name) } catch { throw .inbox(error) }
        do throws(FolderMakingError) {
            try FolderMaking().make(name, in: folder, at: parent)
        } catch {
            // Somebody else who delivers has made it.
            if !error.isTaken { throw .inbox(.failed(parent.appending(name), error.failure)) }
        }
    }
}
