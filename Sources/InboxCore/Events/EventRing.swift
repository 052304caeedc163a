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
    /// How many events are kept at most.
    package private(set) var limit: Int
    /// The number of the newest event; 0 before the first.
    package private(set) var last = 0
    /// How many follow.
    package internal(set) var followers = 0
    /// How long documents took from their last change to their record.
    package private(set) var delays = FilingDelays()

    /// The event of number n is at (n - 1) % limit; those that were dropped are nil.
    private var slots: [Event?] = []
    private var count = 0
    private var weight = 0

    /// A ring without events.
    /// - Parameter limit: how many events are kept at most; at least 1.
    package init(limit: Int) {
        self.limit = max(1, limit)
        boot = (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The number of the oldest event that is still kept; one after the newest where none is.
    package var oldest: Int { last - count + 1 }

    /// The event of this number; nil where it is not kept any more, or has not happened.
    package subscript(number: Int) -> Event? {
        number >= oldest && number <= last ? slots[place(number)] : nil
    }

    /// Adds an event, and drops the oldest ones where there is no room.
    /// - Parameter quietSince: since when a document that was filed had been quiet.
    package func record(
        _ kind: Event.Kind, of arrival: ArrivalID? = nil, at location: Event.Place? = nil, quietSince: Instant? = nil
    ) {
        if case .filed = kind, let quietSince { delays.add(.now() - quietSince) }
        let event = Event(number: last + 1, time: .now(), arrival: arrival, place: location, kind: kind)
        if count == limit { drop() }
        last += 1
        count += 1
        weight += event.weight
        if place(last) == slots.count { slots.append(event) } else { slots[place(last)] = event }
        while weight > limit * Self.meanWeight, count > 1 { drop() }
    }

    /// Keeps so many events from now on, the newest of those that are there.
    package func adopt(limit: Int) {
        let limit = max(1, limit)
        guard limit != self.limit else { return }
        // Numbers stay: the places of a ring of another size are others.
        let kept = (max(oldest, last - limit + 1)..<last + 1).compactMap { self[$0] }
        self.limit = limit
        slots = last == 0 ? [] : Array(repeating: nil, count: limit)
        for event in kept { slots[place(event.number)] = event }
        count = kept.count
        weight = kept.reduce(0) { $0 + $1.weight }
    }

    private func place(_ number: Int) -> Int { (number - 1) % limit }

    private func drop() {
        let index = place(last - count + 1)
        weight -= slots[index]?.weight ?? 0
        slots[index] = nil
        count -= 1
    }
}
