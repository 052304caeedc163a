import InboxLinux

/// The folder that destinations lie beneath, as it was opened for a batch, and what is remembered of the mounts in it.
///
/// The one of Documents has those of the absolute destinations with it.
package struct DestinationRoot: Sendable {
    /// Its path.
    package let path: BytePath
    /// The open folder.
    package let opened: OpenRoot
    /// The mounts in it that are remembered, by their paths.
    package let mounts: [BytePath: RememberedRoot]
    /// The roots outside Documents, by their paths.
    package let outer: [BytePath: DestinationRoot]
    /// Those of them that cannot be used now, and why.
    package let unreachable: [BytePath: RootError]
    /// The known mounts in the root: no folder leads to one that is silent.
    package let known: KnownMounts

    /// The root at this path.
    package init(
        path: BytePath, opened: OpenRoot, mounts: [BytePath: RememberedRoot], outer: [BytePath: DestinationRoot] = [:],
        unreachable: [BytePath: RootError] = [:], known: KnownMounts = KnownMounts()
    ) {
        self.path = path
        self.opened = opened
        self.mounts = mounts
        self.outer = outer
        self.unreachable = unreachable
        self.known = known
    }
}

extension Roots {
    /// Makes a folder of a name in another one, at its path; EEXIST where the name is taken.
    package typealias Make = @Sendable (FileName, borrowing Directory, BytePath) throws(FolderMakingError) -> Void

    /// Opens Documents for a batch, and the roots outside that destinations have; one that is missing is made.
    package func destination(by make: @escaping Make) throws(RootError) -> DestinationRoot {
        let opened = try open(documents, as: .documents)
        let known = known
        var outer: [BytePath: DestinationRoot] = [:]
        var unreachable: [BytePath: RootError] = [:]
        for path in self.outer {
            do throws(RootError) {
                outer[path] = DestinationRoot(
                    path: path, opened: try outerRoot(path, by: make), mounts: mounts(in: path), known: known)
            } catch {
                unreachable[path] = error
            }
        }
        return DestinationRoot(
            path: documents, opened: opened, mounts: mounts(in: documents), outer: outer, unreachable: unreachable,
            known: known)
    }

    private func outerRoot(
        _ path: BytePath, by make: @escaping Make
    ) throws(RootError) -> OpenRoot {
        do throws(RootError) {
            return try open(path, as: .destination)
        } catch  where error.errno == .noEntry {
            try self.make(path, as: .destination, by: make)
            return try open(path, as: .destination)
        }
    }
}
