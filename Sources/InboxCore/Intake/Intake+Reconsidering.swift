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
            inbox.top.map(reconsiderFolders)
            parts.scanner.enqueueAll(of: inbox, retrying: .everything)
        }
        parts.hidden.reconsider(at: moment)
    }

    /// Decides anew which folders are walked, and which may be removed when.
    private func reconsiderFolders(_ top: Folder) {
        var rest = [top]
        while let folder = rest.popLast() {
            for (name, inner) in folder.folders {
                if folder.ignores(name) || folder.inbox.settings.folders == .whole {
                    parts.course.leave(inner)
                    continue
                }
                inner.past.mayBeWhole = parts.inspection.isPackage(name)
                if inner.past.mayBeWhole, parts.inspection.isUntouched(inner) {
                    // Found as a whole when the folder around it is read.
                    parts.course.absorb(inner)
                } else {
                    rest.append(inner)
                }
            }
            parts.emptied.consider(folder)
        }
    }

    /// Tries again soon what failed, and decides anew on what is held, since its surroundings have changed.
    func tryAgain() {
        var aim = RetryWalk.Aim()
        aim.isState = { state in
            switch state {
            case .held(.permission), .held(.loops), .held(.name), .waiting(.retrying): true
            case .held, .waiting, .ignored: false
            }
        }
        parts.retries.noteSurroundings(aim)
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

    /// Decides anew on what is held or waits for its next try, a round in each turn of the loop.
    func retry(_ aim: RetryWalk.Aim = RetryWalk.Aim()) -> RetryWalk {
        let walk = RetryWalk(aim)
        parts.retries.append(walk)
        return walk
    }
}
