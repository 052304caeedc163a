import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite("A source that is compared with its copy before it goes")
struct CopiedContentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["source", "copy"] { try Disk.put(Array("letter".utf8), at: TestPath("\(folder.path)/\(name)")) }
    }

    private func open(_ name: String) throws -> FileDescriptor {
        try .readingItself(path: BytePath("\(folder.path)/\(name)"))
    }

    private func isCopied(
        since status: FileStatus? = nil, isLeased: Bool = false, _ source: borrowing FileDescriptor,
        _ patience: ComparisonPatience = ComparisonPatience(Abandonment(), isBrief: true)
    ) throws -> Bool {
        try source.isCopied(
            to: try open("copy"), since: try status ?? source.status(), isLeased: isLeased, patience)
    }

    /// Makes both files so long that nobody waits for the end of their comparison.
    private func lengthen() {
        for name in ["source", "copy"] { #expect(truncate("\(folder.path)/\(name)", 1 << 43) == 0) }
    }

    @Test("Equal content is enough")
    func equal() throws {
        #expect(try isCopied(try open("source")))
        try Disk.put(Array("LETTER".utf8), at: TestPath("\(folder.path)/copy"))
        #expect(try !isCopied(try open("source")))
    }

    @Test("What was written since it was inspected may be where the comparison had passed")
    func written() throws {
        let source = try open("source")
        let before = try source.status()
        try Disk.put(Array("letter".utf8), at: TestPath("\(folder.path)/source"))
        #expect(chmod("\(folder.path)/source", 0o600) == 0)
        try #require(try source.status().changed != before.changed)
        #expect(try !isCopied(since: before, source))
    }

    @Test("A writer who waits for the end of its lease ends the removal")
    func broken() throws {
        let source = try open("source")
        try #require(try ReadLease.take(source).isHeld)
        #expect(try isCopied(isLeased: true, source))
        #expect(Glibc.open("\(folder.path)/source", O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0)
        #expect(try !isCopied(isLeased: true, source))
    }

    @Test("A writer does not wait until the time for a long comparison is up")
    func awaited() throws {
        lengthen()
        let source = try open("source")
        try #require(try ReadLease.take(source).isHeld)
        #expect(Glibc.open("\(folder.path)/source", O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0)
        let patience = ComparisonPatience(Abandonment(), isBrief: true)
        #expect(try !isCopied(isLeased: true, source, patience))
        #expect(!patience.isOver)
    }

    @Test("What has no end is not compared when the daemon is to end")
    func abandoned() throws {
        lengthen()
        let abandonment = Abandonment()
        abandonment.request()
        #expect(try !isCopied(try open("source"), ComparisonPatience(abandonment, isBrief: false)))
    }
}
