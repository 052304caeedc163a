import InboxFiling

/// A client that follows the events, and the last event that it has received.
package final class EventFollower {
    /// A message to a follower.
    package enum Message: Sendable {
        /// The first one: the events after this number follow.
        case following(after: Int)
        /// Events were lost, up to this number; how many, where that is known, and why in words.
        case gap(upTo: Int, lost: Int?, String)
        /// An event.
        case event(Event)
    }

    /// The event that was asked for as the last one known has not happened yet.
    package struct Ahead: Error {}

    private let ring: EventRing
    /// The number of the last event that it knows or has lost.
    private var known: Int
    private var first: [Message]

    /// Follows from now on, or from an event that it has received.
    /// - Parameters:
    ///   - since: the number of the last event that is known; nil for what happens from now on.
    ///   - boot: which start of the daemon that number belongs to; nil where that is not known, so that a number that
    ///     is beyond the newest means another one.
    package init(_ ring: EventRing, since: Int? = nil, boot: String? = nil) throws(Ahead) {
        self.ring = ring
        let isOther = since.map { boot.map { $0 != ring.boot } ?? ($0 > ring.last) } ?? false
        if let since, !isOther, !(0...ring.last).contains(since) { throw Ahead() }
        known = isOther ? 0 : since ?? ring.last
        first = [.following(after: known)]
        if isOther {
            let words =
                "inboxd was restarted: the events of its last run that you have not seen are lost, but the history has "
                + "what it filed"
            first.append(.gap(upTo: 0, lost: nil, words))
        }
        ring.followers += 1
    }

    deinit { ring.followers -= 1 }

    /// Removes and returns the next message for the follower; nil if it has received everything so far.
    package func next() -> Message? {
        if !first.isEmpty { return first.removeFirst() }
        let lost = ring.oldest - 1 - known
        if lost > 0 {
            known += lost
            return .gap(
                upTo: known, lost: lost,
                "\(lost == 1 ? "1 event is" : "\(lost) events are") lost: no more than \(ring.limit) are kept"
            )
        }
        guard let event = ring[known + 1] else { return nil }
        known += 1
        return .event(event)
    }
}
