import InboxFiling
import InboxLinux

/// The last events, for those who follow them: so many and no more, however many follow and however slowly.
///
/// Nobody has a queue of their own. A follower holds a place in the ring, takes what follows it when it can, and is
/// sent the number of events that it has missed where the ring went round meanwhile. An event costs its place here and nothing
/// else: it is put into words when a follower takes it.
package final class EventRing {
    /// So many bytes of text an event may keep, taken over all of them: a tree of long names cannot fill the memory.
    private static let meanWeight = 1024

    /// Says which start of the daemon the numbers belong to: random, 32 hexadecimal digits.
    package let boot: String
    /// The number of followers.
    package internal(set) var followers = 0
    /// The times that documents took from their last change to their record.
    package private(set) var delays = FilingDelays()

    /// Receives each event as it happens, besides those who follow.
    var observe: (Event) -> Void = { _ in }

    private var kept: Kept

    /// The events that are kept: one value, which is changed in one access for each event.
    private struct Kept {
        let limit: Int
        var last = 0
        /// The event of number n is at (n - 1) % limit; those that were dropped are nil.
        var slots: [Event?] = []
        var count = 0
        var weight = 0

        var oldest: Int { last - count + 1 }

        func place(_ number: Int) -> Int { (number - 1) % limit }

        mutating func add(
            _ kind: Event.Kind, of arrival: ArrivalID?, at location: Event.Place?, _ time: Timestamp
        ) -> Event {
            if count == limit { drop() }
            last += 1
            count += 1
            weight += (location?.weight ?? 0) + kind.weight
            let event = Event(number: last, time: time, arrival: arrival, place: location, kind: kind)
            let place = place(last)
            if place == slots.count { slots.append(event) } else { slots[place] = event }
            while weight > limit * EventRing.meanWeight, count > 1 { drop() }
            return event
        }

        private mutating func drop() {
            let index = place(oldest)
            weight -= slots[index]?.weight ?? 0
            slots[index] = nil
            count -= 1
        }
    }

    /// A ring without events.
    /// - Parameter limit: how many events are kept at most; at least 1.
    package init(limit: Int = 4096) {
        kept = Kept(limit: max(1, limit))
        boot = (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The maximum number of events that are kept.
    package var limit: Int { kept.limit }

    /// The number of the newest event; 0 before the first.
    package var last: Int { kept.last }

    /// The number of the oldest event that is still kept; one after the newest where none is.
    package var oldest: Int { kept.oldest }

    /// The event of this number; nil where it is not kept any more, or has not happened.
    package subscript(number: Int) -> Event? {
        number >= oldest && number <= last ? kept.slots[kept.place(number)] : nil
    }

    /// Adds an event, and drops the oldest ones where there is no room.
    /// - Parameter quietSince: since when a document that was filed had been quiet.
    package func record(
        _ kind: Event.Kind, of arrival: ArrivalID? = nil, at location: Event.Place? = nil, quietSince: Instant? = nil
    ) {
        if case .filed = kind, let quietSince { delays.add(.now() - quietSince) }
        observe(kept.add(kind, of: arrival, at: location, .now()))
    }
}
