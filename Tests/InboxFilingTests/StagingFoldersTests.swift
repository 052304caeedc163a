import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("Staging folders that are in use")
struct StagingFoldersTests {
    private let state: TemporaryFolder
    private let here: TemporaryFolder
    private let there: TemporaryFolder

    init() throws {
        state = try TemporaryFolder()
        here = try TemporaryFolder()
        there = try TemporaryFolder()
    }

    private func open(_ folder: TemporaryFolder, _ staging: StagingFolders) throws -> StagingFolder? {
        try staging.folder(in: OpenFolder(try folder.open()), at: folder.bytePath("")).folder
    }

    @Test("A worker that waits in one root keeps nobody waiting who works in another, or who ends")
    func hang() async throws {
        await #expect(processExitsWith: .success) {
            // The signal of a broken lease is process-wide: hence a process of its own.
            let test = try StagingFoldersTests()
            try test.playHang()
        }
    }

    /// A lease on the lock of one staging folder lets whoever opens it wait, as a server does that does not answer.
    private func playHang() throws {
        let staging = try StagingFolders(state: OpenFolder(try state.open()), at: BytePath("/state"))
        staging.begin()
        let instance = try #require(try open(here, staging)).instance
        try staging.end()
        let name = instance.folderName
        try here.open().makeFolder(name, mode: 0o700)
        let folder = try here.open().folder(name)
        _ = try folder.appendingFile(aName("lock"))
        let lock = try folder.file(aName("lock"))
        try #require(ReadLease.take(lock) == .held)

        let root = OpenFolder(try here.open())
        let path = here.bytePath("")
        let worker = try Worker<Void, Bool> { _ in
            staging.begin()
            do {
                let found = try staging.folder(in: root, at: path).folder
                return try staging.end() && found != nil
            } catch { return false }
        }
        worker.begin(())
        while try ReadLease.isWhole(lock) { usleep(1_000) }
        staging.begin()
        #expect(try open(there, staging) != nil)
        #expect(try staging.end())
        #expect(worker.finished().isEmpty)

        try ReadLease.release(lock)
        var results: [Bool] = []
        while results.isEmpty {
            usleep(1_000)
            results = worker.finished()
        }
        #expect(results == [true])
        #expect(try !there.open().has(name))
    }

    @Test(
        "Whatever the default ACL of a root leaves to the owner, a folder is used or not left there",
        arguments: [0, 4, 5, 6, 7] as [UInt8])
    func defaultList(_ permissions: UInt8) throws {
        let root = OpenFolder(try here.open())
        // The version; then a tag, the permissions and no user for the owner, the group and others: linux/posix_acl_xattr.h.
        let entries: [(tag: UInt8, permissions: UInt8)] = [(1, permissions), (4, 5), (32, 5)]
        let list: [UInt8] = [2, 0, 0, 0] + entries.flatMap { [$0.tag, 0, $0.permissions, 0, 255, 255, 255, 255] }
        do throws(SyscallError) { try root.directory.descriptor.setAttribute(.defaultList, to: list) } catch {
            // A filesystem without access lists.
            if error.errno.isUnsupported { return }
            throw error
        }
        let staging = try StagingFolders(state: OpenFolder(try state.open()), at: BytePath("/state"))
        for _ in 0..<3 {
            staging.begin()
            do {
                let folder = try #require(try staging.folder(in: root, at: here.bytePath("")).folder)
                #expect(try folder.folder.directory.status().permissions & 0o777 == 0o700)
                let made = try folder.subfolder(aName("source-x"))
                #expect(try made.directory.status().permissions & 0o777 == 0o700)
                try folder.removeIfEmpty(aName("source-x"))
            } catch {
                // Only root enters what its owner may not read or enter.
                try #require(permissions & 5 != 5 && geteuid() != 0, "\(error)")
            }
            #expect(try staging.end())
            var left = try DirectoryEntries(of: try root.directory.folder(beneath: []))
            while let entry = try left.next() { Issue.record("\(entry.name) is left") }
        }
    }

    @Test("The last worker that ends removes what is empty, and nothing of one that has begun meanwhile")
    func removal() throws {
        let staging = try StagingFolders(state: OpenFolder(try state.open()), at: BytePath("/state"))
        staging.begin()
        let folder = try #require(try open(here, staging))
        let name = folder.instance.folderName
        staging.begin()
        #expect(try staging.end())
        #expect(try here.open().has(name))
        #expect(try open(here, staging) === folder)
        #expect(try staging.end())
        #expect(try !here.open().has(name))
        staging.begin()
        #expect(try #require(try open(here, staging)).instance == folder.instance)
        #expect(try staging.end())
    }

    @Test("Of roots that are gone, or that nothing is staged in, nothing is kept, though another worker never ends")
    func gone() throws {
        let staging = try StagingFolders(state: OpenFolder(try state.open()), at: BytePath("/state"))
        for _ in 0..<100 {
            let folder = try TemporaryFolder()
            staging.begin()
            #expect(try open(folder, staging) != nil)
            #expect(staging.count == 1)
            #expect(try staging.end())
        }
        #expect(staging.count == 0)
        staging.begin()
        for _ in 0..<100 {
            let folder = try TemporaryFolder()
            #expect(try staging.existing(in: OpenFolder(try folder.open()), at: folder.bytePath("")).folders.isEmpty)
        }
        #expect(staging.count == 0)
        #expect(try staging.end())
    }

    @Test("A user who takes one name after another does not fill the state folder with identifiers")
    func manyTaken() throws {
        let folder = OpenFolder(try state.open())
        let staging = try StagingFolders(state: folder, at: BytePath("/state"))
        staging.begin()
        for _ in 0..<(StagingFolders.mostInstances + 5) {
            guard let open = try open(there, staging) else { break }
            try #require(try staging.end())
            try there.write("\(open.instance.folderName)", "no folder")
            staging.begin()
        }
        #expect(try open(there, staging) == nil)
        #expect(try open(here, staging) != nil)
        #expect(try Instance.load(from: folder).count == StagingFolders.mostInstances)
        #expect(try staging.end())
    }

    @Test("For a folder that is only locked no other identifier is drawn")
    func locked() throws {
        let folder = OpenFolder(try state.open())
        let staging = try StagingFolders(state: folder, at: BytePath("/state"))
        staging.begin()
        let instance = try #require(try open(there, staging)).instance
        let root = OpenFolder(try here.open())
        let held = try StagingFolder.open(in: root, at: here.bytePath(""), instance)
        let found = try staging.folder(in: root, at: here.bytePath(""))
        guard case .locked = found else { throw Failure("it is not locked") }
        #expect(held.folder != nil)
        #expect(try Instance.load(from: folder) == [instance])
        _ = try held.folder?.removeIfEmpty()
        #expect(try staging.end())
    }

    @Test("Where the name is taken by somebody else another identifier is drawn, once for all roots")
    func taken() throws {
        let staging = try StagingFolders(state: OpenFolder(try state.open()), at: BytePath("/state"))
        staging.begin()
        let first = try #require(try open(here, staging)).instance
        try there.write("\(first.folderName)", "no folder")
        let second = try #require(try open(there, staging)).instance
        #expect(first != second)
        #expect(try #require(try open(here, staging)).instance == second)
        #expect(staging.isForeign(first.folderName) == false)
        #expect(try staging.end())
    }
}
