import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("Where a document was filed")
struct FiledPlaceTests {
    /// Documents with a folder in it on which something is mounted, as far as the daemon knows.
    private final class Tree {
        let folder: TemporaryFolder
        let roots = Roots()

        init() throws {
            folder = try TemporaryFolder()
            for name in ["docs", "docs/disk", "docs/disk/a", "state"] { folder.makeFolder(name) }
            roots.documents = documents
            _ = try roots.open(documents, as: .documents)
        }

        var documents: BytePath { folder.bytePath("docs") }
        var disk: BytePath { folder.bytePath("docs/disk") }

        /// What is found where a document is missing that was filed as `docs/disk/a/x`.
        var obstacle: RootError? {
            let place = roots.place(of: folder.bytePath("docs/disk/a/x"), in: documents)
            return place.obstacle()?.error
        }

        func rememberDisk(as filesystem: FilesystemMark? = nil) throws {
            let found = try Directory.open(path: disk)
            let now = try RememberedRoot(of: found, found.status())
            let then = RememberedRoot(
                filesystem: filesystem ?? now.filesystem, inode: now.inode, birth: now.birth, owner: now.owner,
                boot: now.boot)
            roots.remember(mounts: [disk: then])
        }

        func remove(_ names: String...) throws {
            for name in names { #expect(rmdir(folder.path + "/" + name) == 0, "\(name)") }
        }
    }

    @Test(
        "What is missing there is gone as long as the root is the one that is remembered, or was removed from its disk")
    func gone() throws {
        let tree = try Tree()
        #expect(tree.obstacle == nil)
        try tree.remove("docs/disk/a", "docs/disk")
        #expect(tree.obstacle == nil)
        try tree.remove("docs")
        #expect(tree.obstacle == nil)
    }

    @Test("It may be there again later where the root is another one, until that is accepted")
    func strange() throws {
        let tree = try Tree()
        tree.folder.rename("docs", to: "former")
        tree.folder.makeFolder("docs")
        #expect(tree.obstacle == .strange(tree.documents, .folder))
        tree.roots.accept(tree.documents)
        #expect(tree.obstacle == nil)
    }

    @Test("It may be there again later where a mount in the root has gone, with its mount point or without it")
    func mounts() throws {
        let tree = try Tree()
        try tree.rememberDisk(as: FilesystemMark(device: 1, identifier: String(repeating: "a", count: 32)))
        #expect(tree.obstacle == .strange(tree.disk, .filesystem))
        try tree.remove("docs/disk/a", "docs/disk")
        #expect(tree.obstacle == .bareMountPoint(tree.disk))
        let other = tree.roots.place(of: tree.folder.bytePath("docs/b/x"), in: tree.documents)
        #expect(other.obstacle()?.error == nil, "it was not on that mount")
    }

    @Test("A folder that may not be opened says nothing about what was in it")
    func denied() throws {
        guard geteuid() != 0 else { return }
        let tree = try Tree()
        chmod(tree.folder.path + "/docs", 0)
        defer { chmod(tree.folder.path + "/docs", 0o755) }
        #expect(tree.obstacle?.errno == .denied)
    }
}
