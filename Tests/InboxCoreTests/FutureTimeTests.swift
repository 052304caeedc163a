import Glibc
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxLinux

@Suite("Times in the future")
struct FutureTimeTests {
    @Test("A package in which a download was left is filed once that is stale, whatever time its files show")
    func package() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/p.rtfd")
        try stage.folder.write("inbox/p.rtfd/a.part", "1")
        let future = timespec(tv_sec: 2_208_988_800, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, stage.folder.path + "/inbox/p.rtfd/a.part", [future, future], 0) == 0)
        stage.event([.created, .isFolder], "p.rtfd")
        stage.settle()
        stage.advance(.seconds(500))
        #expect(stage.arrivals == ["p.rtfd": "sibling"] && stage.ready(most: 9).isEmpty)
        for _ in 0..<3 { stage.advance(.seconds(101)) }
        #expect(stage.ready(most: 9).count == 1)
    }

    @Test("What grows on a server whose clock is ahead is waited for, and filed once it has not grown for StallAfter")
    func growing() throws {
        let stage = try IntakeStage(slow: .seconds(5_000))
        try stage.folder.write("inbox/a.pdf", "1")
        try stage.folder.write("inbox/a.pdf.part", "1")
        for name in ["a.pdf", "a.pdf.part"] { stage.event(.created, name) }
        stage.settle()
        for _ in 0..<5 {
            stage.advance(.seconds(500))
            #expect(stage.arrivals["a.pdf"] == "sibling" && stage.ready(most: 9).isEmpty)
            try grow(stage.folder.path + "/inbox/a.pdf.part")
            stage.advance(.seconds(110))
        }
        #expect(stage.arrivals["a.pdf"] == "sibling" && stage.ready(most: 9).isEmpty)
        for _ in 0..<6 { stage.advance(.seconds(101)) }
        #expect(stage.ready(most: 9).count == 1)
    }

    /// Writes to a file until it shows another change time: the kernel counts in steps of some milliseconds.
    private func grow(_ path: String) throws {
        let folder = try Directory.open(path: try #require(BytePath(path).parent))
        let name = aName(String(path.split(separator: "/").last ?? ""))
        let before = try folder.status(of: name).changed
        repeat {
            #expect(truncate(path, off_t.random(in: 1...1_000_000)) == 0)
        } while try folder.status(of: name).changed == before
    }

    @Test("A time within a minute of now may be that of a clock that was set back a little, and counts as now")
    func little() {
        let moment = Moment.current()
        func isMadeUp(_ seconds: Int64) -> Bool {
            Settling.isMadeUp(
                Timestamp(seconds: moment.wall.seconds &+ seconds, nanoseconds: 0), at: moment)
        }
        #expect(!isMadeUp(-1) && !isMadeUp(60) && isMadeUp(61) && isMadeUp(.max / 2))
    }
}
