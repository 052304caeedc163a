/// One reading of both clocks: deadlines go by the one that nobody sets, files' times by the other.
package struct Moment: Sendable {
    /// The monotonic clock.
    package let now: Instant
    /// The wall clock.
    package let wall: Timestamp

    /// These two times.
    package init(now: Instant, wall: Timestamp) {
        self.now = now
        self.wall = wall
    }

    /// Reads the clocks.
    package static func current() -> Moment { Moment(now: .now(), wall: .now()) }
}

extension Moment {
    /// The wall clock's time at another moment of the monotonic clock, if nobody sets it meanwhile.
    package func wall(at other: Instant) -> Timestamp {
        let nanoseconds = (other - now).wholeNanoseconds
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let sum = Int64(wall.nanoseconds) + rest
        let carry = sum < 0 ? -1 : sum / 1_000_000_000
        return Timestamp(
            seconds: wall.seconds + seconds + carry, nanoseconds: UInt32(sum - carry * 1_000_000_000))
    }
}
