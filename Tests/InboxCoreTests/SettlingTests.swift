import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite struct SettlingTests {
    private static let now = Instant(nanoseconds: 1_000_000_000_000)
    private static let second = Duration.seconds(1)

    private static func decide(
        _ kind: FileStatus.Kind = .regular, package: Bool = false, empty: Bool = false, ignored: Bool = false,
        quiet: Duration = .zero, needsQuiet: Bool = true, unprovable: Bool = false, sibling: Bool = false,
        patience: Duration = .milliseconds(50), _ change: (inout InboxSettings) -> Void = { _ in }
    ) -> Settling.Verdict {
        var settings = InboxSettings()
        change(&settings)
        let facts = Settling.Facts(
            kind: kind, isPackage: package, isEmpty: empty, isIgnored: ignored, quietSince: now - quiet,
            needsQuiet: needsQuiet, isUnprovable: unprovable, hasSibling: sibling, patience: patience)
        return Settling.decide(facts, settings, at: now)
    }

    @Test("Growth is counted from the arrival, however old the times are that a file came with")
    func grown() throws {
        let folder = try TemporaryFolder()
        let path = BytePath(folder.path)
        let old = Timestamp(seconds: 1_000_000_000, nanoseconds: 0)
        try FileDescriptor.reading(path: path).setTimes(accessed: old, modified: old)
        let moment = Moment.current()
        let status = try FileStatus(path: path)
        #expect(status.identity.modified == old)
        #expect(ArrivalFacts(status, at: moment).grown == moment.now)
    }

    @Test("What is ignored is ignored, whatever else it is")
    func ignored() {
        for kind in [FileStatus.Kind.regular, .directory, .symlink, .special] {
            #expect(Self.decide(kind, ignored: true) == .ignore)
            #expect(Self.decide(kind, package: true, empty: true, ignored: true, sibling: true) == .ignore)
        }
    }

    @Test("A link, a special file and a folder that is not walked are held; a link may be moved")
    func kinds() {
        #expect(Self.decide(.symlink) == .hold(.symlink))
        #expect(Self.decide(.symlink) { $0.symlinks = .move } == .prove)
        #expect(Self.decide(.special, quiet: .seconds(99)) == .hold(.special))
        #expect(Self.decide(.directory, quiet: .seconds(99)) == .hold(.depth))
        #expect(Self.decide(.directory, package: true, quiet: .seconds(99)) == .prove)
    }

    @Test("A file waits for its quiet time to the nanosecond")
    func settle() {
        let (now, second) = (Self.now, Self.second)
        #expect(Self.decide() == .wait(.settling, until: now + second))
        #expect(Self.decide(quiet: second - .nanoseconds(1)) == .wait(.settling, until: now + .nanoseconds(1)))
        #expect(Self.decide(quiet: second) == .prove)
        #expect(Self.decide { $0.settle = .zero } == .prove)
        #expect(Self.decide(quiet: .seconds(-5)) == .wait(.settling, until: now + .seconds(6)))
        #expect(Self.decide { $0.settle = TimeSpan.infinity } == .wait(.settling, until: now + TimeSpan.infinity))
    }

    @Test("A clone that is not shown to be complete is quiet only after FolderSettle, and is inspected again and again")
    func clone() {
        var facts = Settling.Facts(kind: .directory, isPackage: true, quietSince: Self.now - .seconds(59))
        #expect(Settling.decide(facts, InboxSettings(), at: Self.now) == .prove)
        facts.isYoung = true
        #expect(
            Settling.decide(facts, InboxSettings(), at: Self.now) == .wait(.settling, until: Self.now + Self.second))
        facts.quietSince = Self.now
        #expect(
            Settling.decide(facts, InboxSettings(), at: Self.now) == .wait(.settling, until: Self.now + .seconds(2)))
    }

    @Test("What was renamed or linked in needs no quiet time, unless only that can show that nobody writes")
    func renamedIn() {
        #expect(Self.decide(needsQuiet: false) == .prove)
        #expect(
            Self.decide(needsQuiet: false, unprovable: true) == .wait(.settling, until: Self.now + .seconds(5)))
        #expect(Self.decide(empty: true, needsQuiet: false) != .prove)
    }

    @Test(
        "Without a lease the quiet time is 5 s or the longer Settle, and 1 s with Settle=0",
        arguments: [(0, 1000), (1, 5000), (1000, 5000), (5000, 5000), (7000, 7000)] as [(Int, Int)])
    func unprovable(_ settle: Int, _ wanted: Int) {
        let end = Duration.milliseconds(wanted)
        let change: (inout InboxSettings) -> Void = { $0.settle = .milliseconds(settle) }
        #expect(Self.decide(unprovable: true, change) == .wait(.settling, until: Self.now + end))
        let almost = Self.decide(quiet: end - .nanoseconds(1), unprovable: true, change)
        #expect(almost == .wait(.settling, until: Self.now + .nanoseconds(1)))
        #expect(Self.decide(quiet: end, unprovable: true, change) == .prove)
    }

    @Test(
        "A package has a quiet time of at least 5 s, whatever Settle is and however it arrived",
        arguments: [(0, 5000), (1000, 5000), (7000, 7000)] as [(Int, Int)])
    func package(_ settle: Int, _ wanted: Int) {
        let end = Duration.milliseconds(wanted)
        let change: (inout InboxSettings) -> Void = { $0.settle = .milliseconds(settle) }
        for isRenamed in [false, true] {
            let almost = Self.decide(
                .directory, package: true, quiet: end - .nanoseconds(1), needsQuiet: !isRenamed, change)
            #expect(almost == .wait(.settling, until: Self.now + .nanoseconds(1)))
            #expect(Self.decide(.directory, package: true, quiet: end, needsQuiet: !isRenamed, change) == .prove)
        }
    }

    @Test("An empty file may be a placeholder for EmptySettle, and is inspected meanwhile")
    func empty() {
        let now = Self.now
        #expect(Self.decide(empty: true) == .wait(.settling, until: now + Self.second))
        let after = Self.decide(empty: true, quiet: Self.second, patience: .seconds(5))
        #expect(after == .wait(.empty, until: now + .seconds(5)))
        #expect(Self.decide(empty: true, needsQuiet: false) == .wait(.empty, until: now + .milliseconds(50)))
        let late = Self.decide(empty: true, quiet: .seconds(598), patience: .seconds(5))
        #expect(late == .wait(.empty, until: now + .seconds(2)))
        #expect(Self.decide(empty: true, quiet: .seconds(600)) == .prove)
        #expect(Self.decide(empty: true, quiet: Self.second) { $0.emptySettle = .zero } == .prove)
        let longSettle = Self.decide(empty: true, quiet: .seconds(600)) { $0.settle = .seconds(610) }
        #expect(longSettle == .wait(.settling, until: now + .seconds(10)))
        #expect(Self.decide(.directory, package: true, empty: true) == .wait(.settling, until: now + Self.second))
    }

    @Test("A download beside it makes it wait, however quiet it is")
    func sibling() {
        let verdict = Settling.Verdict.wait(.sibling, until: Self.now + .milliseconds(50))
        #expect(Self.decide(quiet: .seconds(999), sibling: true) == verdict)
        #expect(Self.decide(empty: true, needsQuiet: false, sibling: true) == verdict)
    }

    @Test("Quiet is counted from the change time, and from now where that lies ahead or nowhere")
    func quietSince() {
        let wall = Timestamp(seconds: 1_800_000_000, nanoseconds: 500)
        let moment = Moment(now: Self.now, wall: wall)
        func quiet(_ seconds: Int64, _ nanoseconds: UInt32 = 500) -> Instant {
            Settling.quietSince(changed: Timestamp(seconds: seconds, nanoseconds: nanoseconds), at: moment)
        }
        #expect(quiet(1_800_000_000) == Self.now)
        #expect(quiet(1_799_999_997, 0) == Self.now - .seconds(3) - .nanoseconds(500))
        #expect(quiet(1_800_000_000, 501) == Self.now)
        #expect(quiet(.max) == Self.now)
        for past in [Int64.min, -1, 0, 1] {
            #expect(quiet(past) < Self.now - .seconds(86400 * 365), "\(past)")
            #expect(quiet(past) + .seconds(10) > quiet(past))
        }
    }

    @Test("Every wait ends after now, so that no look is due at once for ever")
    func random() {
        let seed: UInt64 = 0x5E77
        var random = SeededRandom(seed: seed)
        func flag() -> Bool { Bool.random(using: &random) }
        let spans: [Duration] = [.zero, .milliseconds(1), .seconds(1), .seconds(30), TimeSpan.infinity]
        for _ in 0..<3_000 {
            let span = spans[Int.random(in: 0..<spans.count, using: &random)]
            let emptySpan = spans[Int.random(in: 0..<spans.count, using: &random)]
            let quiet = Duration.milliseconds(Int.random(in: -40_000...40_000, using: &random))
            let verdict = Self.decide(
                package: flag(), empty: flag(), quiet: quiet, needsQuiet: flag(), unprovable: flag(), sibling: flag()
            ) {
                $0.settle = span
                $0.emptySettle = emptySpan
            }
            if case .wait(_, let until) = verdict { #expect(until > Self.now, "seed \(seed)") }
        }
    }

    @Test("Patience doubles from 50 ms to 5 s, back-off from 1 s to its ceiling")
    func growing() {
        var patience = Settling.firstPatience
        var row: [Int64] = []
        for _ in 0..<9 {
            row.append(patience.wholeNanoseconds / 1_000_000)
            patience = Settling.next(patience)
        }
        #expect(row == [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
        let waits = [0, 1, 2, 3, 10, 11].map { Settling.backOff(failures: $0, ceiling: .seconds(600)) }
        #expect(waits == [1, 1, 2, 4, 512, 600].map { .seconds($0) })
        #expect(Settling.backOff(failures: .max, ceiling: TimeSpan.infinity) == .seconds(1 << 30))
        #expect(Settling.backOff(failures: -5, ceiling: .milliseconds(1)) == .milliseconds(1))
    }

    @Test("A moment's wall clock goes with the other clock, over the second's border in both directions")
    func wall() {
        let moment = Moment(now: Self.now, wall: Timestamp(seconds: 100, nanoseconds: 999_999_999))
        let later = moment.wall(at: Self.now + .nanoseconds(2))
        #expect(later == Timestamp(seconds: 101, nanoseconds: 1))
        let earlier = moment.wall(at: Self.now - .seconds(1) - .nanoseconds(1_000_000_000 - 1))
        #expect(earlier == Timestamp(seconds: 99, nanoseconds: 0))
        #expect(moment.wall(at: .never) > moment.wall(at: Self.now))
    }
}
