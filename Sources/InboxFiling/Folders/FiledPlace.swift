import InboxLinux

/// Where a document was filed, with what is remembered of the folders on the way: the root, and the mounts in it.
///
/// A missing document is gone if the folders on the way are still the remembered ones; else its disk may be missing.
package struct FiledPlace: Sendable {
    /// A folder that is not what it was, and what is wrong with it.
    package typealias Obstacle = (path: BytePath, error: RootError)

    /// The document's path.
    package let path: BytePath
    /// The root that it was filed into; nil where that is none of the configuration's any more.
    package let root: BytePath?
    /// The remembered folders on the way, the outermost first.
    private let remembered: [(path: BytePath, folder: RememberedRoot)]

    fileprivate init(
        path: BytePath, root: BytePath?, remembered: [(path: BytePath, folder: RememberedRoot)]
    ) {
        self.path = path
        self.root = root
        self.remembered = remembered
    }

    /// It is known which folders lead there, so that what is missing where they still do is gone.
    package var isKnown: Bool { root != nil || !remembered.isEmpty }

    /// Opens the folder that the document is in; nil where it is no longer there. It waits for the disk.
    package func openFolder() throws(SyscallError) -> OpenFolder? {
        guard let root else { return try FiledFolder.open(path.parent ?? path) }
        let names = path.names.dropFirst(root.names.count)
        return try FiledFolder.open(names.dropLast(), beneath: root)?.folder
    }

    /// Returns why a missing document may reappear later; nil if it is gone. Waits for the disk.
    ///
    /// Nothing there is used, so that it does not matter who could have led the path elsewhere.
    package func obstacle() -> Obstacle? {
        for (path, past) in remembered {
            do throws(SyscallError) {
                let folder = try Directory.open(path: path)
                let now = try RememberedRoot(of: folder, try folder.status())
                if let difference = now.difference(from: past) { return (path, .strange(path, difference)) }
            } catch  where error.errno.isAbsent {
                if let obstacle = Self.obstacle(at: path, past) { return obstacle }
            } catch {
                return (path, .path(.failed(path, error)))
            }
        }
        return nil
    }

    /// Returns whether a folder is missing with its disk: then what is around it lies on another filesystem. Where it
    /// was removed from its disk, so was all that was in it.
    private static func obstacle(at path: BytePath, _ past: RememberedRoot) -> Obstacle? {
        var around = path.parent
        while let folder = around {
            do throws(SyscallError) {
                let mark = try Directory.open(path: folder).filesystemMark()
                return mark.isSame(as: past.filesystem) ? nil : (path, .bareMountPoint(path))
            } catch  where error.errno.isAbsent {
                around = folder.parent
            } catch {
                return (path, .path(.failed(folder, error)))
            }
        }
        return nil
    }
}

extension Roots {
    /// Where a document was filed.
    /// - Parameter root: the root that it was filed into; nil where that is none of the configuration's any more.
    package func place(of path: BytePath, in root: BytePath?) -> FiledPlace {
        FiledPlace(path: path, root: root, remembered: remembered(around: path))
    }
}
