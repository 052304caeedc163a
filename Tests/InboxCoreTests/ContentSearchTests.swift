import Glibc
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("Which of a row is the copy, where inode numbers mean nothing")
struct ContentSearchTests {
    /// Looks for the copy of a document that nobody has staged any more.
    private func find(
        _ copy: FileIdentity, in folder: TemporaryFolder, _ abandonment: Abandonment = Abandonment()
    ) throws -> ContentSearch.Outcome {
        let copied = JournalEntry.Copied(
            copy: copy, source: copy, sourceChanged: Timestamp(seconds: 0, nanoseconds: 0))
        let search = ContentSearch(copied, nil, in: OpenFolder(try folder.open()), abandonment)
        return try search.find(aName("a"), elseIn: aName("a"), FolderSearch(JournalEntries()))
    }

    private func status(_ name: String, in folder: TemporaryFolder) throws -> FileIdentity {
        try folder.open().status(of: aName(name)).identity
    }

    @Test("A package is found by the size and the time of all that is in it")
    func package() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "a-1"] { folder.makeFolder(name) }
        try folder.write("a/text", "1")
        try folder.write("a-1/text", "22")
        let inner = try folder.open().folder(aName("a-1")).status(of: aName("text")).identity
        let other = FileKey(device: 1, inode: 1, birth: nil)
        let copy = FileIdentity(file: other, size: 2, modified: inner.modified)
        guard case .found(let name) = try find(copy, in: folder) else { throw Failure("it is not found") }
        #expect(name == aName("a-1"))
        guard case .notThere = try find(FileIdentity(file: other, size: 3, modified: inner.modified), in: folder)
        else { throw Failure("another one is taken for it") }
    }

    @Test("Who is asked to end takes nothing for it")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "1")
        let abandonment = Abandonment()
        abandonment.request()
        guard case .abandoned = try find(status("a", in: folder), in: folder, abandonment) else {
            throw Failure("it does not end")
        }
    }

    #if DEBUG
        @Test("A folder in the row that may not be entered, or is a mount, is not it", arguments: [EACCES, EXDEV])
        func closed(_ code: Int32) async {
            await #expect(processExitsWith: .success) { [code] in
                let tests = ContentSearchTests()
                let folder = try TemporaryFolder()
                folder.makeFolder("a")
                try folder.write("a-1", "1")
                let copy = try tests.status("a-1", in: folder)
                FaultPlan.arm(FaultPlan(at: .every, action: .fail(Errno(rawValue: code)), only: .openat2))
                guard case .found(let name) = try tests.find(copy, in: folder) else { throw Failure("it is not found") }
                #expect(FaultPlan.disarm() > 0 && name == aName("a-1"))
            }
        }

        @Test(
            "A file in the row that may not be opened is not it, and a source that may not be is no difference",
            .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
        func closedFile() async {
            await #expect(processExitsWith: .success) {
                let stage = try CopyStage()
                for path in ["\(stage.source)/a", "\(stage.target)/a", "\(stage.target)/a-1"] {
                    try stage.write([1], to: path)
                }
                var identifiers = RecordID.Source()
                let (entry, staged) = try stage.claim(
                    "a", into: try stage.openStaging(), identifiers.next(at: .now()))
                func find(
                    closing path: String, _ copy: FileIdentity? = nil
                ) throws(SyscallError) -> ContentSearch.Outcome {
                    let copied = JournalEntry.Copied(
                        copy: copy ?? entry.identity, source: entry.identity, sourceChanged: entry.identity.modified)
                    let folder = OpenFolder(try Directory.open(path: BytePath(stage.target)))
                    FaultPlan.arm(FaultPlan(at: .nth(1), action: .fail(.denied), only: .openat, part: path))
                    defer { FaultPlan.disarm() }
                    return try ContentSearch(copied, staged, in: folder, Abandonment())
                        .find(aName("a"), elseIn: aName("a"), FolderSearch(JournalEntries()))
                }
                guard case .found = try find(closing: "\(stage.target)/a") else {
                    throw Failure("the other one is not found")
                }
                #expect(throws: SyscallError(.openat, .denied)) { try find(closing: "/source-") }
                // What has all marks of the copy is the copy, which its owner has closed.
                let copy = try stage.status("\(stage.target)/a").identity
                #expect(throws: SyscallError(.openat, .denied)) { try find(closing: "\(stage.target)/a", copy) }
            }
        }
    #endif
}
