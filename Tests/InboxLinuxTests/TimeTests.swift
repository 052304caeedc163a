import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct TimeTests {
    private static let longest = Duration.seconds(Int64.max)
    private static let shortest = Duration.seconds(Int64.min)

    @Test(
        "A time has the text of RFC 3339, the nearest one where four digits hold no year",
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000Z"), (-1, 999_000_000, "1969-12-31T23:59:59.999Z"),
            (951_782_400, 42_999_999, "2000-02-29T00:00:00.042Z"), (1_795_215_067, 0, "2026-11-20T22:51:07.000Z"),
            (-62_135_596_800, 0, "0001-01-01T00:00:00.000Z"), (253_402_300_799, 0, "9999-12-31T23:59:59.000Z"),
            (.max, 0, "9999-12-31T23:59:59.000Z"), (.min, 0, "0001-01-01T00:00:00.000Z"),
            // ext4 has room for more nanoseconds than a second has: a forged image can carry them.
            (0, 1_073_741_823, "1970-01-01T00:00:00.999Z"), (0, .max, "1970-01-01T00:00:00.999Z"),
        ] as [(Int64, UInt32, String)])
    func text(_ seconds: Int64, _ nanoseconds: UInt32, _ text: String) {
        #expect(Timestamp(seconds: seconds, nanoseconds: nanoseconds).text == text)
    }

    @Test("Any time has a text of 24 bytes, and later times have later texts")
    func anyText() {
        let seed: UInt64 = 0x717E
        var random = SeededRandom(seed: seed)
        var last: (Timestamp, String)?
        for _ in 0..<2_000 {
            let time = Timestamp(
                seconds: Int64(bitPattern: random.next()) >> Int64.random(in: 0..<63, using: &random),
                nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &random))
            let text = time.text
            #expect(text.utf8.count == 24, "seed \(seed): \(time)")
            // To the second: what lies outside the calendar keeps its own thousandths.
            let second = String(text.prefix(19))
            if let (before, words) = last {
                #expect(before < time ? words <= second : second <= words, "seed \(seed)")
            }
            last = (time, second)
        }
    }

    @Test("Age is exact to the nanosecond, and not for what lies ahead or a century back")
    func age() {
        let now = Timestamp(seconds: 1_800_000_000, nanoseconds: 5)
        #expect(now.age(at: now) == .zero)
        #expect(Timestamp(seconds: 1_799_999_999, nanoseconds: 999_999_999).age(at: now) == .nanoseconds(6))
        #expect(Timestamp(seconds: 1_800_000_000, nanoseconds: 6).age(at: now) == nil)
        #expect(Timestamp(seconds: .max, nanoseconds: .max).age(at: now) == nil)
        #expect(Timestamp(seconds: .min, nanoseconds: 0).age(at: now) == nil)
        #expect(Timestamp(seconds: .min, nanoseconds: 0).age(at: Timestamp(seconds: .max, nanoseconds: 0)) == nil)
        #expect(Timestamp(seconds: 1_800_000_000 - 100 * 366 * 86400, nanoseconds: 5).age(at: now) == nil)
        #expect(Timestamp(seconds: 0, nanoseconds: 5).age(at: now) == .seconds(1_800_000_000))
    }

    @Test("Moments stay at the ends of the clock instead of running over")
    func instants() {
        let (first, last) = (Instant(nanoseconds: .min), Instant.never)
        #expect(last + .nanoseconds(1) == .never)
        #expect(last + Self.longest == .never)
        #expect(Instant(nanoseconds: 0) + Self.longest == .never)
        #expect(first - .nanoseconds(1) == first)
        #expect(first - Self.longest == first)
        #expect(first + .nanoseconds(-1) == first)
        #expect(last - .nanoseconds(-1) == .never)
        #expect(last - first == Duration.nanoseconds(Int64.max))
        #expect(first - last == Duration.nanoseconds(Int64.min))
        #expect(Instant(nanoseconds: 7) - Instant(nanoseconds: 9) == .nanoseconds(-2))
        #expect(Instant(nanoseconds: 7) + .nanoseconds(-9) == Instant(nanoseconds: -2))
    }

    @Test("A duration in nanoseconds is exact, or the nearest that 64 bits hold")
    func wholeNanoseconds() {
        #expect(Duration.milliseconds(-1500).wholeNanoseconds == -1_500_000_000)
        #expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).wholeNanoseconds == 0)
        #expect(Self.longest.wholeNanoseconds == .max)
        #expect(Self.shortest.wholeNanoseconds == .min)
        #expect((Duration.seconds(9_223_372_036) + .nanoseconds(854_775_807)).wholeNanoseconds == .max)
        #expect((Duration.seconds(9_223_372_036) + .nanoseconds(854_775_808)).wholeNanoseconds == .max)
        #expect((Duration.seconds(9_223_372_036) + .nanoseconds(854_775_806)).wholeNanoseconds == .max - 1)
        let seed: UInt64 = 0xD0
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            let seconds = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<63, using: &random)
            let rest = Int64.random(in: 0..<1_000_000_000, using: &random) * (seconds < 0 ? -1 : 1)
            let exact = Int128(seconds) * 1_000_000_000 + Int128(rest)
            let duration = Duration(secondsComponent: seconds, attosecondsComponent: rest * 1_000_000_000)
            #expect(duration.wholeNanoseconds == Int64(clamping: exact), "seed \(seed): \(seconds) s, \(rest) ns")
        }
    }

    @Test("The clocks go forward")
    func clocks() {
        let (moment, time) = (Instant.now(), Timestamp.now())
        #expect(moment <= .now() && moment.nanoseconds > 0)
        #expect(time.seconds > 1_600_000_000 && time.nanoseconds < 1_000_000_000)
    }
}
