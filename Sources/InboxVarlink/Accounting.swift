/// The numbers of guarantee 6, counted from the daemon's start: the daemon's own and, as `counters` of `GetStatus`, what it
/// reports.
///
/// `seen = filed + duplicates + rejected + ignored + waiting + held + withdrawn` holds at every moment.
package struct Accounting: Codable, Hashable, Sendable {
    /// Arrivals that were seen.
    package var seen = 0
    /// Documents that reached their destination and are recorded.
    package var filed = 0
    /// Documents that were discarded because an identical one was at their destination.
    package var duplicates = 0
    /// Documents that a check has rejected and that are in the folder for those.
    package var rejected = 0
    /// Arrivals that are ignored now.
    package var ignored = 0
    /// Arrivals that wait now.
    package var waiting = 0
    /// Arrivals that are held now.
    package var held = 0
    /// Arrivals that their owner removed or renamed away before they were filed.
    package var withdrawn = 0
    /// Bytes: the sizes of the filed documents, added up.
    package var bytesFiled: UInt64 = 0
    /// The overflows of the kernel's queue.
    package var overflows = 0
    /// The times that everything was read again.
    package var rescans = 0

    /// Nothing counted.
    package init() {}

    /// The sum holds.
    package var isBalanced: Bool { seen == filed + duplicates + rejected + ignored + waiting + held + withdrawn }
}
