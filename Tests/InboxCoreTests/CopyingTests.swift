import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite("A copy to another filesystem", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct CopyingTests {
    @Test("A copied document has the content, the mode and the times of its source, which is gone")
    func copies() throws {
        let stage = try CopyStage()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = "\(stage.source)/scan.pdf"
        try stage.write(content, to: path)
        chmod(path, 0o640)
        var times = [
            timespec(tv_sec: 1_000_000_000, tv_nsec: 1), timespec(tv_sec: 1_234_567_890, tv_nsec: 123_456_789),
        ]
        utimensat(AT_FDCWD, path, &times, 0)
        let report = try stage.copy("scan.pdf")
        #expect(report.results.map(\.result.word) == ["filed"])
        #expect(report.stateFailure == nil)
        let copy = "\(stage.target)/scan.pdf"
        #expect(try stage.read(copy) == content)
        let status = try stage.status(copy)
        #expect(status.permissions == 0o640)
        #expect(status.identity.modified == Timestamp(seconds: 1_234_567_890, nanoseconds: 123_456_789))
        #expect(try stage.names(in: stage.source).isEmpty)
        #expect(try stage.names(in: stage.target) == ["scan.pdf"])
        #expect(try stage.records.count == 1)
        #expect(stage.journal.interrupted.isEmpty)
    }

    @Test("Extended attributes come along")
    func attributes() throws {
        let stage = try CopyStage()
        try stage.write([1], to: "\(stage.source)/a")
        let name = try #require(AttributeName("user.inboxd.page"))
        let file = try FileDescriptor.reading(path: BytePath("\(stage.source)/a"))
        do throws(SyscallError) {
            try file.setAttribute(name, to: [7, 0, 9])
        } catch {
            // tmpfs keeps user attributes since Linux 6.6.
            return
        }
        let report = try stage.copy("a")
        guard case .filed(_, let lost) = report.results[0].result else {
            Issue.record("\(report.results[0].result.word)")
            return
        }
        #expect(lost.isEmpty)
        let copy = try FileDescriptor.reading(path: BytePath("\(stage.target)/a"))
        #expect(try copy.attribute(name) == [7, 0, 9])
    }

    @Test("Holes stay holes, also at the end")
    func holes() throws {
        let stage = try CopyStage()
        let path = "\(stage.source)/disk.img"
        try stage.write([1, 2, 3], to: path)
        let file = open(path, O_WRONLY | O_CLOEXEC)
        pwrite(file, [4, 5, 6], 3, 32 << 20)
        ftruncate(file, 64 << 20)
        close(file)
        Program.waitForStarts()
        let content = try stage.read(path)
        #expect(try stage.copy("disk.img").results.map(\.result.word) == ["filed"])
        let copy = "\(stage.target)/disk.img"
        #expect(try stage.read(copy) == content)
        #expect(try stage.status(copy).allocated < 1 << 20)
    }

    @Test("A name that is taken is never replaced")
    func conflict() throws {
        let stage = try CopyStage()
        try stage.write([1], to: "\(stage.target)/a.txt")
        symlink("nowhere", "\(stage.target)/a-1.txt")
        try stage.write([2], to: "\(stage.source)/a.txt")
        let report = try stage.copy("a.txt")
        guard case .filed(let record, _) = report.results[0].result else {
            Issue.record("\(report.results[0].result.word)")
            return
        }
        #expect(record.renamed)
        #expect("\(record.destination)".hasSuffix("/a-2.txt"))
        #expect(try stage.read("\(stage.target)/a.txt") == [1])
        #expect(try stage.read("\(stage.target)/a-2.txt") == [2])
    }

    @Test("An empty document is copied")
    func empty() throws {
        let stage = try CopyStage()
        try stage.write([], to: "\(stage.source)/nothing")
        #expect(try stage.copy("nothing").results.map(\.result.word) == ["filed"])
        #expect(try stage.read("\(stage.target)/nothing").isEmpty)
    }

    @Test("Several documents share a job, and one that fails does not keep the others")
    func several() throws {
        let stage = try CopyStage()
        for name in ["a", "b", "c"] { try stage.write(Array(name.utf8), to: "\(stage.source)/\(name)") }
        let requests = try ["a", "b", "c"].map { try stage.request($0) }
        try stage.write([9, 9, 9], to: "\(stage.source)/b")
        #expect(try stage.copy(requests).results.map(\.result.word) == ["filed", "changed", "filed"])
        #expect(try stage.names(in: stage.source) == ["b"])
        #expect(try stage.names(in: stage.target) == ["a", "c"])
        #expect(try stage.records.count == 2)
    }

    @Test("A document that somebody writes to is not copied")
    func writer() throws {
        let stage = try CopyStage()
        let path = "\(stage.source)/growing"
        try stage.write([1], to: path)
        let request = try stage.request("growing")
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        #expect(try stage.copy([request]).results.map(\.result.word) == ["writer"])
        #expect(try stage.names(in: stage.source) == ["growing"])
        #expect(try stage.names(in: stage.target).isEmpty)
    }

    @Test(
        "A copy is abandoned between two portions, be they holes, and its progress shows how far it came",
        arguments: [false, true])
    func abandoned(isHole: Bool) throws {
        let stage = try CopyStage()
        let path = "\(stage.source)/large"
        let size = 3 * CopyContent.portion
        try stage.write(isHole ? [] : [UInt8](repeating: 5, count: size), to: path)
        if isHole {
            #expect(truncate(path, off_t(size)) == 0)
            // A block that no data explains: what seems to be a hole is read.
            let file = open(path, O_WRONLY | O_CLOEXEC)
            #expect(posix_fallocate(file, 0, 4096) == 0)
            close(file)
        }
        let progress = CopyProgress(total: UInt64(size))
        var looks = 0
        #expect(throws: CopyFailure.self) {
            try stage.copyContent(of: path, into: stage.newCopy(), progress) { () throws(CopyFailure) in
                looks += 1
                if looks > 2 { throw .refused(Refusal(.changed)) }
            }
        }
        #expect(progress.done > 0 && progress.done < progress.total)
    }

    @Test("The end of the daemon does not wait until there is room for all of a large document")
    func room() throws {
        let stage = try CopyStage()
        let path = try stage.newSource("large", room: 2 * CopyContent.room)
        let copy = try stage.newCopy()
        #expect(throws: CopyFailure.self) {
            try stage.copyContent(of: path, into: copy) { () throws(CopyFailure) in throw .refused(Refusal(.changed)) }
        }
        #expect(try copy.descriptor.status().size == UInt64(CopyContent.room))
    }

    @Test("A disk that fails in the middle of a copy ends the copy; that it cannot begin early does not")
    func failingDisk() async {
        await #expect(processExitsWith: .success) {
            let stage = try CopyStage()
            let isFailing = FaultPlan(at: .every, action: .fail(.inputOutput), only: .syncFileRange)
            for (size, ends) in [(CopyContent.unwritten, false), (CopyContent.unwritten + 1, true)] {
                let path = try stage.newSource("\(size)", room: size)
                let copy = try stage.newCopy("\(size)")
                FaultPlan.arm([isFailing])
                defer { FaultPlan.arm([]) }
                var failed: SyscallError?
                do { try stage.copyContent(of: path, into: copy) {} } catch {
                    guard case CopyFailure.copy(let failure) = error else { throw error }
                    failed = failure
                }
                #expect(failed?.errno == (ends ? .inputOutput : nil))
            }
        }
    }

    @Test("Nothing is begun once the daemon ends")
    func ending() throws {
        let stage = try CopyStage()
        try stage.write([1], to: "\(stage.source)/a")
        stage.abandonment.request()
        #expect(try stage.copy("a").results.map(\.result.word) == ["changed"])
        #expect(try stage.names(in: stage.target).isEmpty)
        #expect(try stage.names(in: stage.source) == ["a"])
    }

    @Test("Set-user-ID bits go with the owner that they were given by", .enabled(if: geteuid() == 0, "needs root"))
    func setUserID() throws {
        let stage = try CopyStage()
        let path = "\(stage.source)/tool"
        try stage.write([1], to: path)
        chown(path, 12345, 23456)
        chmod(path, 0o6755)
        #expect(try stage.copy("tool").results.map(\.result.word) == ["filed"])
        let status = try stage.status("\(stage.target)/tool")
        #expect(status.owner == 12345 && status.group == 23456)
        #expect(status.permissions == 0o6755)
    }

    @Test(
        "What is immutable is held before it is copied",
        .enabled(if: Immutability.obstacle == nil, "\(Immutability.obstacle ?? "")"))
    func immutable() throws {
        let stage = try CopyStage()
        let path = "\(stage.source)/stone"
        try stage.write([1], to: path)
        #expect(Immutability.set(path, true))
        defer { _ = Immutability.set(path, false) }
        #expect(try stage.copy("stone").results.map(\.result.word) == ["held: permission"])
        #expect(try stage.names(in: stage.target).isEmpty)
    }

    @Test(
        "A full disk takes nothing, and leaves nothing",
        .enabled(if: Namespace.obstacle == nil, "needs mounts of its own: \(Namespace.obstacle ?? "")"))
    func full() async throws {
        // Mounted for this thread alone, so that a test that is killed leaves no full disk to others.
        try await Namespace().perform {
            let place = try TemporaryFolder()
            guard mount("none", place.path, "tmpfs", 0, "size=64k") == 0 else {
                throw DiskError(call: "mount", path: TestPath(place.path), code: errno)
            }
            defer { umount(place.path) }
            let stage = try CopyStage(target: place.path)
            try stage.write([UInt8](repeating: 1, count: 200_000), to: "\(stage.source)/large")
            #expect(try stage.copy("large").results.map(\.result.word) == ["obstructed"])
            #expect(try stage.names(in: place.path).isEmpty)
            #expect(try stage.names(in: stage.source) == ["large"])
            #expect(try stage.records.isEmpty)
        }
    }
}
