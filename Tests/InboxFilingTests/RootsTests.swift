import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("Remembered roots")
struct RootsTests {
    /// A tree with Documents and an Inbox in it, a state folder, and what the daemon remembers.
    private final class Tree {
        let folder: TemporaryFolder
        var roots: Roots

        init() throws {
            folder = try TemporaryFolder()
            for name in ["docs", "docs/Inbox", "state"] { folder.makeFolder(name) }
            roots = Roots()
            roots.documents = documents
        }

        var documents: BytePath { BytePath(folder.path + "/docs") }
        var inbox: BytePath { BytePath(folder.path + "/docs/Inbox") }

        func error(_ path: BytePath, _ kind: Roots.Kind) -> RootError? {
            do throws(RootError) {
                _ = try roots.open(path, as: kind)
                return nil
            } catch {
                return error
            }
        }

        func state() throws -> OpenFolder { OpenFolder(try Directory.open(path: folder.bytePath("state"))) }

        /// What another run of the daemon would find.
        func restart() throws {
            try roots.takeUnsaved()?.perform()
            roots = Roots()
            roots.documents = documents
            #expect(try !roots.load(from: state()))
        }

        func rename(_ name: String, _ other: String) {
            #expect(Glibc.rename(folder.path + "/" + name, folder.path + "/" + other) == 0)
        }

        /// Moves the Inbox to `docs/x`, and removes another one again that has been accepted in its place.
        func loseSecondInbox() {
            #expect(error(inbox, .inbox) == nil)
            rename("docs/Inbox", "docs/x")
            folder.makeFolder("docs/Inbox")
            #expect(error(inbox, .inbox) == nil)
            rmdir(folder.path + "/docs/Inbox")
        }
    }

    @Test("A root that stays is opened once, and one that is put in its place is not used until it is accepted")
    func replaced() throws {
        let tree = try Tree()
        let first = try tree.roots.open(tree.documents, as: .documents)
        #expect(try tree.roots.open(tree.documents, as: .documents).folder === first.folder)
        tree.rename("docs", "former")
        tree.folder.makeFolder("docs")
        #expect(tree.error(tree.documents, .documents) == .strange(tree.documents, .folder))
        #expect(tree.error(tree.documents, .documents) == .strange(tree.documents, .folder))
        #expect(tree.roots.inspect().map(\.error) == [.strange(tree.documents, .folder)])
        tree.rename("docs", "other")
        #expect(tree.error(tree.documents, .documents)?.errno == .noEntry)
        tree.rename("former", "docs")
        #expect(tree.error(tree.documents, .documents) == nil)
        tree.rename("docs", "former")
        tree.rename("other", "docs")
        tree.roots.accept(tree.documents)
        #expect(tree.error(tree.documents, .documents) == nil)
    }

    @Test("What a root is remembered by survives a restart, as does that another one was accepted")
    func restarted() throws {
        let tree = try Tree()
        #expect(try !tree.roots.load(from: tree.state()))
        #expect(tree.error(tree.documents, .documents) == nil)
        try tree.restart()
        #expect(tree.roots.takeUnsaved() == nil)
        tree.rename("docs", "former")
        tree.folder.makeFolder("docs")
        #expect(tree.error(tree.documents, .documents) == .strange(tree.documents, .folder))
        tree.roots.acceptAll()
        #expect(tree.error(tree.documents, .documents) == nil)
        try tree.restart()
        #expect(tree.error(tree.documents, .documents) == nil)
        #expect(try tree.folder.status("state/places").permissions == 0o600)
    }

    @Test("A root that was taken before the state folder could be read has to prove itself when it can")
    func late() throws {
        let tree = try Tree()
        #expect(try !tree.roots.load(from: tree.state()))
        #expect(tree.error(tree.documents, .documents) == nil)
        try tree.roots.takeUnsaved()?.perform()
        tree.roots = Roots()
        tree.rename("docs", "former")
        tree.folder.makeFolder("docs")
        #expect(tree.error(tree.documents, .documents) == nil)
        #expect(try !tree.roots.load(from: tree.state()))
        #expect(tree.error(tree.documents, .documents) == .strange(tree.documents, .folder))
    }

    @Test("Another Inbox is accepted where the daemon's user owns it, and a link is refused")
    func inbox() throws {
        let tree = try Tree()
        tree.loseSecondInbox()
        tree.folder.makeLink("docs/Inbox", to: "x")
        #expect(tree.error(tree.inbox, .inbox) == .path(.linkAtEnd(tree.inbox)))
    }

    @Test(
        "Another Inbox is refused where somebody else owns it",
        .enabled(if: geteuid() == 0, "only root gives folders away"))
    func othersInbox() throws {
        let tree = try Tree()
        tree.loseSecondInbox()
        tree.rename("docs/x", "docs/Inbox")
        chown(tree.folder.path + "/docs/Inbox", 4001, 0)
        // The very folder that it was when it was first seen, though it was another one meanwhile.
        #expect(tree.error(tree.inbox, .inbox) == .strange(tree.inbox, .folder))
    }

    @Test("A missing Inbox is made and remembered as ours")
    func made() throws {
        let tree = try Tree()
        #expect(tree.error(tree.inbox, .inbox) == nil)
        rmdir(tree.folder.path + "/docs/Inbox")
        #expect(tree.error(tree.inbox, .inbox)?.errno == .noEntry)
        try tree.roots.make(tree.inbox, as: .inbox, by: FolderMaking().make)
        #expect(tree.error(tree.inbox, .inbox) == nil)
    }

    @Test("Nothing is made where the filesystem is another one, or Documents is another folder")
    func bare() throws {
        let tree = try Tree()
        let text = PlacesFile.text([
            tree.inbox: RememberedRoot(
                filesystem: FilesystemMark(device: 1, identifier: "another"), inode: 2, birth: nil, owner: 0, boot: nil)
        ])
        try PlacesFile.write(text, in: tree.state())
        #expect(try !tree.roots.load(from: tree.state()))
        #expect(tree.error(tree.inbox, .inbox) == .strange(tree.inbox, .filesystem))
        rmdir(tree.folder.path + "/docs/Inbox")
        func make() throws(RootError) {
            try tree.roots.make(tree.inbox, as: .inbox, by: FolderMaking().make)
        }
        #expect(throws: RootError.bareMountPoint(tree.inbox)) { try make() }
        tree.roots.accept(tree.inbox)
        tree.rename("docs", "former")
        tree.folder.makeFolder("docs")
        #expect(throws: RootError.strange(tree.documents, .folder)) { try make() }
        #expect(try Disk.names(in: TestPath(tree.folder.path) / "docs").isEmpty)
    }

    @Test("What says nothing in another boot is forgotten there, and counts where the boot is not known")
    func boots() {
        func root(_ boot: String?) -> RememberedRoot {
            RememberedRoot(
                filesystem: FilesystemMark(device: 1, identifier: "x"), inode: 2, birth: nil, owner: 0, boot: boot)
        }
        #expect(!root(nil).isOutdated(in: "b"))
        #expect(!root("b").isOutdated(in: "b"))
        #expect(root("a").isOutdated(in: "b"))
        #expect(!root("a").isOutdated(in: nil))
        #expect(!root("").isOutdated(in: "b"))
    }

    @Test("An idle root is closed after a while, and opened again without following its path anew")
    func closed() throws {
        let tree = try Tree()
        let first = try tree.roots.open(tree.documents, as: .documents)
        tree.roots.rest(at: .now() + .seconds(6))
        let second = try tree.roots.open(tree.documents, as: .documents)
        #expect(first.folder !== second.folder)
        #expect(try first.folder.directory.status().identity.file == second.status.identity.file)
    }
}

@Suite("The file of places")
struct PlacesFileTests {
    private let roots: [BytePath: RememberedRoot] = [
        BytePath(bytes: Array("/a b\n".utf8) + [0xFF, 0x5C]).unsafelyUnwrapped: RememberedRoot(
            filesystem: FilesystemMark(device: .max, identifier: "0123"), inode: .max,
            birth: Timestamp(seconds: -5, nanoseconds: 999_999_999), owner: .max, boot: "b"),
        BytePath("/c"): RememberedRoot(
            filesystem: FilesystemMark(device: 0, identifier: nil), inode: 0, birth: nil, owner: 0, boot: nil),
    ]

    @Test("Every root comes back as it was written, whatever its name and numbers")
    func roundTrip() {
        let read = PlacesFile.parse(PlacesFile.text(roots))
        #expect(read.roots == roots)
        #expect(!read.isDamaged)
        #expect(PlacesFile.parse([]).roots.isEmpty)
    }

    @Test("Of a torn or hostile file what is whole counts, and nothing traps")
    func damaged() {
        let text = PlacesFile.text(roots)
        for length in 0..<text.count {
            let read = PlacesFile.parse(Array(text[..<length]))
            for (path, root) in read.roots { #expect(roots[path] == root) }
        }
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            var hostile = text
            for _ in 0..<4 {
                hostile[Int.random(in: 0..<hostile.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = PlacesFile.parse(hostile)
        }
        let hostile = [
            #"{"path":"/a","device":-1,"inode":1,"owner":0}"#, #"{"path":"/a","device":1e99,"inode":1,"owner":0}"#,
            #"{"path":"/a","device":1,"inode":1,"owner":0,"birth":"1"}"#,
            #"{"path":"/a","device":1,"inode":1,"owner":0,"birth":"1.9999999999"}"#, "[]", "null",
        ]
        for line in hostile {
            let read = PlacesFile.parse(Array((line + "\n").utf8))
            #expect(read.roots.isEmpty, "\(line)")
            #expect(read.isDamaged, "\(line)")
        }
    }
}
