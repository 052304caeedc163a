import InboxFiling
import InboxLinux

/// The state of an arrival as it is reported.
package enum ArrivalState: Hashable, Sendable {
    /// It is or will be worked on by itself.
    case waiting(WaitingReason)
    /// It stays until it changes or someone asks.
    case held(HoldReason)
    /// The ignore list matches it.
    case ignored

    /// `waiting`, `held` or `ignored`.
    package var group: Group {
        switch self {
        case .waiting: .waiting
        case .held: .held
        case .ignored: .ignored
        }
    }

    /// The reason's word; nil for what is ignored.
    package var reason: String? {
        switch self {
        case .waiting(let reason): reason.rawValue
        case .held(let reason): reason.rawValue
        case .ignored: nil
        }
    }

    /// The three groups that the accounting counts.
    package enum Group: String, Sendable, CaseIterable {
        /// Worked on by itself.
        case waiting
        /// Stays until it changes or someone asks for a retry.
        case held
        /// Not worked on.
        case ignored
    }
}

/// The next step of the work on an arrival. Only ``ArrivalBook`` changes it.
package enum ArrivalPhase: Hashable, Sendable {
    /// It is inspected again then.
    case observing(until: Instant)
    /// Nothing is done with it until it changes or someone asks: it is held or ignored.
    case resting
    /// It is complete as far as its folder shows, and waits for its turn to be filed.
    case queued
    /// It has to be copied to another filesystem, and waits for its turn.
    case queuedForCopy
    /// It is being filed: inspections leave it alone.
    case inFlight
    /// Its name has gone. It may have been renamed, so that it turns up elsewhere until then.
    case missing(since: Instant, until: Instant)
}

extension ArrivalState {
    /// The arrival waits for time to pass, and an event reports it if it changes before: one that gives its place to
    /// another loses nothing.
    var isIdle: Bool { self == .waiting(.empty) || self == .waiting(.incomplete) }

    /// The state may last over several tries.
    var isTrouble: Bool {
        switch self {
        case .held, .waiting(.retrying): true
        case .waiting, .ignored: false
        }
    }
}

extension ArrivalBook {
    /// A change of what is reported.
    struct StateChange {
        /// The arrival after it.
        let arrival: Arrival
        /// The new state is the trouble that was reported before the last try.
        let isAgain: Bool
    }
}
