/// What became of everything that was seen, counted from the daemon's start: guarantee 6.
///
/// `seen = filed + duplicates + ignored + waiting + held + withdrawn` holds at every moment, because there is one
/// place that adds to each.
public struct Accounting: Hashable, Sendable {
    /// Arrivals that were seen.
    public var seen = 0
    /// Documents that reached their destination and are recorded.
    public var filed = 0
    /// Documents that were dropped because an identical one stood there.
    public var duplicates = 0
    /// Arrivals that their owner took back.
    public var withdrawn = 0
    /// Arrivals that are ignored now.
    public var ignored = 0
    /// Arrivals that wait now.
    public var waiting = 0
    /// Arrivals that are held now.
    public var held = 0
    /// The sizes of the filed documents, added up.
    public var bytesFiled: UInt64 = 0
    /// How often the kernel's queue overflowed.
    public var overflows = 0
    /// How often everything was looked at again.
    public var rescans = 0

    /// Nothing counted.
    public init() {}

    /// Whether the sum holds.
    public var isBalanced: Bool { seen == filed + duplicates + ignored + waiting + held + withdrawn }
}
