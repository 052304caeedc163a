import InboxConfiguration
import InboxFiling
import InboxLinux

// Other rules, other surroundings, and requests to try again.
extension Intake {
    /// Decides anew on everything, as after a change of the configuration.
    func reconsider(at moment: Moment) {
        for arrival in parts.book.allActive where !arrival.isInFlight && arrival.facts != nil {
            parts.course.evaluate(arrival.id, at: moment)
        }
        for inbox in inboxes {
            inbox.top.map(leaveUnwalked)
            parts.scanner.enqueueAll(of: inbox, retrying: .everything)
        }
    }

    private func leaveUnwalked(_ top: Folder) {
        var rest = [top]
        while let folder = rest.popLast() {
            for (name, inner) in folder.folders {
                if folder.ignores(name) || folder.inbox.settings.folders == .whole {
                    parts.course.leave(inner)
                } else {
                    rest.append(inner)
                }
            }
        }
    }

    /// Tries at once what failed, and decides anew on what is held, since its surroundings have changed.
    func tryAgain(at moment: Moment) {
        let isMeant = { (state: ArrivalState) in
            switch state {
            case .held(.permission), .held(.loops), .held(.name), .waiting(.retrying): true
            case .held, .waiting, .ignored: false
            }
        }
        retry(at: moment, in: isMeant)
    }

    /// Whatever filesystem an Inbox is on now is the one that is meant.
    func accept(_ inbox: Inbox, at moment: Moment) { verification.accept(inbox, at: moment) }

    /// Inspects what is at a path in an Inbox, and decides anew on it.
    func inspectAgain(_ path: BytePath, at moment: Moment) {
        guard let inbox = inboxes.first(where: { path.isInside($0.path) }) else { return }
        let names = path.names.dropFirst(inbox.path.names.count)
        let folder = names.dropLast().reduce(inbox.top) { $0?.folders[$1] }
        guard let name = names.last, let folder else { return }
        parts.inspection.inspect(name, in: folder, because: .request, at: moment)
    }

    /// Decides anew on what is held or waits for its next try; returns how many arrivals were meant, those included that
    /// go on by themselves.
    @discardableResult
    func retry(
        at moment: Moment, in isState: (ArrivalState) -> Bool = { $0 != .ignored },
        where isMeant: (Arrival) -> Bool = { _ in true }
    ) -> Int {
        var (count, atOnce) = (0, 1_000)
        // Of a million, only those in such a state are put together.
        for id in parts.book.ids() where parts.book.state(of: id).map(isState) == true {
            guard let arrival = parts.book[id], isMeant(arrival) else { continue }
            count += 1
            if arrival.isInFlight { continue }
            if arrival.state == .held(.undone) { undone.release(at: arrival.path) }
            switch arrival.state {
            case .held where atOnce <= 0: parts.scanner.enqueue(arrival.folder, retrying: .everything)
            case .held, .waiting(.retrying):
                atOnce -= 1
                parts.book.update(arrival.id) { $0.failures = 0 }
                parts.inspection.inspect(arrival.name, in: arrival.folder, because: .request, at: moment)
            case .waiting, .ignored: break
            }
        }
        return count
    }
}
