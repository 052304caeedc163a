import InboxFiling

/// What became of everything that was seen, counted from the daemon's start: guarantee 6.
///
/// `seen = filed + duplicates + rejected + ignored + waiting + held + withdrawn` holds at every moment, because only
/// ``ArrivalBook`` changes the counts.
package struct Accounting: Hashable, Sendable {
    /// Arrivals that were seen.
    package var seen = 0
    /// Documents that reached their destination and are recorded.
    package var filed = 0
    /// Documents that were discarded because an identical one is at their destination.
    package var duplicates = 0
    /// Documents that a check has rejected and that are in the folder for those.
    package var rejected = 0
    /// Arrivals that their owner took back.
    package var withdrawn = 0
    /// Arrivals that are ignored now.
    package var ignored = 0
    /// Arrivals that wait now.
    package var waiting = 0
    /// Arrivals that are held now.
    package var held = 0
    /// The sizes of the filed documents, added up.
    package var bytesFiled: UInt64 = 0
    /// How often the kernel's queue overflowed.
    package var overflows = 0
    /// How often everything was read again.
    package var rescans = 0

    /// Nothing counted.
    package init() {}

    /// Whether the sum holds.
    package var isBalanced: Bool { seen == filed + duplicates + rejected + ignored + waiting + held + withdrawn }

    /// How many arrivals of a group there are now.
    subscript(group: ArrivalState.Group) -> Int {
        get {
            switch group {
            case .waiting: waiting
            case .held: held
            case .ignored: ignored
            }
        }
        set {
            switch group {
            case .waiting: waiting = newValue
            case .held: held = newValue
            case .ignored: ignored = newValue
            }
        }
    }
}
