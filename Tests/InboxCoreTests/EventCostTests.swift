import Glibc
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// All users share one queue of events: what one event costs, all that come after it wait for, as often as somebody repeats
/// it.
@Suite("What an event costs in a folder with many names", .serialized)
struct EventCostTests {
    /// A stage with a folder that has so many names that are ignored, and one that waits since it is hidden.
    private static func stage(_ count: Int) throws -> IntakeStage {
        let stage = try IntakeStage { $0.settle = .zero }
        for folder in ["d", "d/inner"] { stage.folder.makeFolder("inbox/" + folder) }
        for number in 0..<count { try stage.folder.write("inbox/d/\(number).part", "") }
        for name in [".hidden", "beside"] { try stage.folder.write("inbox/d/" + name, "1") }
        stage.event([.created, .isFolder], "d")
        while stage.intake.isReading { stage.intake.proceed(at: stage.moment) }
        #expect(stage.intake.accounting.ignored == count)
        return stage
    }

    /// The least time that a round takes, of some.
    private static func least(_ round: (Int) -> Void) -> Duration {
        var least = Duration.seconds(1_000)
        for number in 1...20 {
            let start = Instant.now()
            round(number)
            least = min(least, .now() - start)
        }
        return least
    }

    /// How long a rename of the folder takes to be noted, once all is known.
    private static func rename(_ count: Int) throws -> Duration {
        let stage = try stage(count)
        let watch = try #require(stage.top?.position.watch)
        let cost = least { number in
            let (from, to) = number % 2 == 1 ? ("d", "e") : ("e", "d")
            stage.rename("inbox/" + from, "inbox/" + to)
            for (mask, name) in [(InotifyMask.movedFrom, from), (.movedTo, to)] {
                stage.intake.note(
                    InotifyEvent(
                        watch: watch, mask: mask.union(.isFolder), cookie: UInt32(number), name: FileName(name)),
                    at: stage.moment)
            }
        }
        #expect(stage.walked("d") != nil && stage.id(".hidden", in: "d") != nil)
        return cost
    }

    @Test("A folder that is renamed costs the same however many names it has")
    func renames() throws {
        let (few, many) = (try Self.rename(4), try Self.rename(4_000))
        #expect(many < few * 5)
    }

    /// How long an event of a repository's name takes to be noted, in a folder in which something was filed before.
    private static func touch(_ count: Int, inFlight: Bool) throws -> Duration {
        let stage = try stage(count)
        if inFlight {
            #expect(stage.intake.takeReady(most: 1, at: stage.moment).count == 1)
        } else {
            try #require(stage.walked("d/inner")).past.wasFilled = true
        }
        try stage.folder.write("inbox/d/.git", "1")
        let cost = least { _ in stage.event(.attributes, ".git", in: "d") }
        #expect(stage.walked("d") != nil)
        return cost
    }

    @Test("So does a repository that appears after some of its folder was filed, or begun", arguments: [true, false])
    func repositories(inFlight: Bool) throws {
        let few = try Self.touch(4, inFlight: inFlight)
        let many = try Self.touch(4_000, inFlight: inFlight)
        #expect(many < few * 5)
    }
}
