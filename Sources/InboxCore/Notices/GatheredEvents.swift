import InboxConfiguration
import InboxFiling
import InboxLinux

/// The events that a notice has gathered since the last one. An event that ends meanwhile is left out.
struct GatheredEvents {
    /// The subject of an event, by which its end is recognised.
    enum Subject: Hashable {
        case arrival(ArrivalID)
        case problem(Problems.Subject)
        case handler(String)
        case filed(RecordID)
    }

    private struct Item {
        let kind: NoticeEvent
        /// Nil of what is only counted.
        var event: Event?
        /// The notice reports the event; otherwise the event is kept only to recognize its end.
        let isTold: Bool
    }

    /// Events that a notice has lines for.
    static let mostLines = 100
    /// Events whose ends are recognised; of more there is only a count.
    private static let mostItems = 10_000

    private var items: [Subject: Item] = [:]
    /// Those that have lines, in their order.
    private var order: [Subject] = []
    private var uncounted: [NoticeEvent: Int] = [:]
    /// When the first of them came; nil while there is nothing to tell.
    private(set) var begun: Instant?

    /// The number of events of each kind.
    var counts: [NoticeEvent: Int] {
        items.values.lazy.filter(\.isTold).reduce(into: uncounted) { $0[$1.kind, default: 0] += 1 }
    }

    /// The events that have lines, in their order.
    var events: [(kind: NoticeEvent, event: Event)] {
        order.compactMap { subject in items[subject].flatMap { item in item.event.map { (item.kind, $0) } } }
    }

    /// Takes an event.
    /// - Parameter wanted: what is told.
    mutating func take(_ event: Event, _ wanted: [NoticeEvent], at now: Instant) {
        switch event.kind {
        case .held:
            if let arrival = event.arrival { add(.held, event, .arrival(arrival), wanted, at: now) }
        case .renamed:
            guard let arrival = event.arrival, let known = items[.arrival(arrival)]?.event else { return }
            items[.arrival(arrival)]?.event = Event(
                number: event.number, time: event.time, arrival: arrival, place: event.place, kind: known.kind)
        case .waiting, .ignored, .withdrawn, .duplicate: end(event.arrival.map { .arrival($0) })
        case .filed(let record):
            end(event.arrival.map { .arrival($0) })
            add(.filed, event, .filed(record.id), wanted, at: now)
        case .handler(let news):
            switch news.outcome {
            case .failed: add(.handlerFailed, event, .handler(news.id), wanted, at: now)
            case .done, .gone: end(.handler(news.id))
            case .retrying: break
            }
        case .problem(let problem):
            guard let subject = problem.key else { return }
            if let known = items[.problem(subject)], known.kind == .recovered { return end(.problem(subject)) }
            // One that is not told is looked for all the same: its end within the same time is none.
            add(.problem, event, .problem(subject), wanted, at: now, isRemembered: wanted.contains(.recovered))
        case .problemOver(let problem):
            guard let subject = problem.key else { return }
            if let known = items[.problem(subject)], known.kind == .problem { return end(.problem(subject)) }
            add(.recovered, event, .problem(subject), wanted, at: now)
        case .arrived, .copying, .paused, .resumed, .content: break
        }
    }

    private mutating func add(
        _ kind: NoticeEvent, _ event: Event, _ subject: Subject, _ wanted: [NoticeEvent], at now: Instant,
        isRemembered: Bool = false
    ) {
        let isTold = wanted.contains(kind)
        guard isTold || isRemembered else { return }
        if let known = items[subject] {
            items[subject] = Item(kind: kind, event: known.event == nil ? nil : event, isTold: known.isTold)
            return
        }
        if isTold, begun == nil { begun = now }
        guard items.count < Self.mostItems else {
            if isTold { uncounted[kind, default: 0] += 1 }
            return
        }
        let hasLine = isTold && order.count < Self.mostLines
        items[subject] = Item(kind: kind, event: hasLine ? event : nil, isTold: isTold)
        if hasLine { order.append(subject) }
    }

    private mutating func end(_ subject: Subject?) {
        guard let subject, let item = items.removeValue(forKey: subject) else { return }
        if item.event != nil { order.removeAll { $0 == subject } }
        if uncounted.isEmpty, !items.values.contains(where: \.isTold) { begun = nil }
    }
}
