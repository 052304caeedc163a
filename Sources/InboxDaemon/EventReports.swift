import FoundationEssentials
import InboxConfiguration
import InboxCore
import InboxLinux
import InboxVarlink

extension StatusReports {
    /// Returns the reply to `Subscribe`: a follower's place in the ring, and each event, put into words when the
    /// client takes it.
    func events(
        since number: Int64?, boot: String?, for caller: UnixSocket.Peer
    ) throws(ServiceError) -> () -> EventNews {
        let ring = work.intake.events
        let follower: EventFollower
        do throws(EventFollower.Ahead) {
            follower = try EventFollower(ring, since: number.map(Int.init), boot: boot)
        } catch {
            throw .invalidParameter("since")
        }
        // Before the first reply, which says that nothing is missed from then on.
        contents.proceed(at: .now())
        if AccessControl.isTrusted(caller.user) {
            return { follower.next().map { .event(EventReport($0, boot: ring.boot)) } ?? .notYet }
        }
        let access = EventAccess(for: caller, in: work, mayPut: self.access.mayPut(caller))
        return {
            guard let message = follower.next() else { return .notYet }
            return access.report(message, boot: ring.boot).map { .event($0) } ?? .passedOver
        }
    }
}

extension EventAccess {
    /// Returns the part of a message that the caller may know; nil if that is nothing.
    fileprivate func report(_ message: EventFollower.Message, boot: String) -> EventReport? {
        var report = EventReport(message, boot: boot)
        guard case .event(let event) = message else { return report }
        if let problem = event.kind.problem { report.detail = words(of: problem) }
        switch extent(of: event) {
        case .nothing: return nil
        case .all: break
        case .withoutFormerPath: report.from = nil
        case .withoutPath: report.path = nil
        case .withoutDestination:
            (report.destination, report.id, report.type, report.mime, report.evidence) = (nil, nil, nil, nil, nil)
            (report.renamed, report.annotations, report.members) = (nil, nil, nil)
            (report.name, report.date, report.dateFrom, report.title) = (nil, nil, nil, nil)
            (report.author, report.origin, report.application) = (nil, nil, nil)
        }
        return report
    }
}

extension EventReport {
    /// Returns an event of the daemon's start as a line of JSON without its end.
    static func line(_ event: Event, _ boot: String) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try Array(encoder.encode(EventReport(.event(event), boot: boot))) } catch {
            // A number that JSON does not have is the only way here, and there is none.
            return Array("{}".utf8)
        }
    }

    fileprivate init(_ message: EventFollower.Message, boot: String) {
        switch message {
        case .following(let number):
            self.init(boot: boot, number: Int64(number), time: Timestamp.now().text, kind: .following)
        case .gap(let number, let lost, let words):
            self.init(boot: boot, number: Int64(number), time: Timestamp.now().text, kind: .gap)
            self.lost = lost.map { Int64($0) }
            detail = words
        case .event(let event):
            self.init(boot: boot, number: Int64(event.number), time: event.time.text, kind: .init(event.kind))
            arrival = event.arrival.map { Int64(clamping: $0.number) }
            path = event.path?.escapedText
            report(event.kind)
        }
    }

    private mutating func report(_ kind: Event.Kind) {
        switch kind {
        case .withdrawn, .paused, .resumed: break
        case .content(.renamed(let former)): from = former.escapedText
        case .content: break
        case .arrived(let file, let size, _):
            self.size = Int64(clamping: size)
            self.file = file?.numbers
        case .waiting(let reason, let detail):
            self.reason = reason.rawValue
            self.detail = detail
        case .held(let reason, let detail):
            self.reason = reason.rawValue
            self.detail = detail
        case .ignored(let reason):
            self.reason = reason?.word
            detail = reason?.words
        case .renamed(let former): from = former.escapedText
        case .copying(let done, let size):
            copied = Int64(clamping: done)
            self.size = Int64(clamping: size)
        case .filed(let record):
            size = Int64(clamping: record.size)
            id = record.id.text
            destination = record.destination.escapedText
            type = record.type
            mime = record.mime
            evidence = record.evidence
            renamed = record.renamed
            (origin, application) = (record.told.origin, record.told.application)
            name = record.told.nameText
            let properties = record.told.properties
            (date, dateFrom) = (properties.date?.text, properties.dateSource?.rawValue)
            (title, author) = (properties.title, properties.author)
            annotations = record.annotations.isEmpty ? nil : record.annotations
            facts = record.facts.isEmpty ? nil : record.facts
            members = record.members.isEmpty ? nil : record.members.map(\.escapedText)
            detail = record.rejection
        case .duplicate(let record):
            size = Int64(clamping: record.size)
            id = record.id.text
            destination = record.twin.escapedText
            type = record.type
            mime = record.mime
            evidence = record.evidence
        case .handler(let news):
            id = news.id
            outcome = news.outcome.rawValue
            tries = Int64(clamping: news.tries)
            detail = news.detail
        case .problem(let problem), .problemOver(let problem): detail = problem.text
        }
    }
}

extension EventReport.Kind {
    fileprivate init(_ kind: Event.Kind) {
        self =
            switch kind {
            case .arrived: .arrived
            case .waiting: .waiting
            case .held: .held
            case .ignored: .ignored
            case .renamed: .renamed
            case .withdrawn: .withdrawn
            case .copying: .copying
            case .filed(let record): record.isRejected ? .rejected : .filed
            case .duplicate: .duplicate
            case .handler: .handler
            case .problem: .problem
            case .problemOver: .problemOver
            case .paused: .paused
            case .resumed: .resumed
            case .content(.added): .contentAdded
            case .content(.removed): .contentRemoved
            case .content(.renamed): .contentRenamed
            case .content(.unknown): .contentChanged
            }
    }
}
