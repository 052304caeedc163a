import InboxConfiguration
import InboxFiling
import InboxLinux

// What checks request, and the results that they return.
extension Intake {
    /// An arrival waits for a check, unless those that it has replaced one after another were changed too often.
    func waitForCheck(_ check: CheckInForce, of id: ArrivalID, at moment: Moment) {
        if let arrival = parts.book[id], let progress = arrival.facts?.checks, progress.isInherited {
            let own = progress.accepting()
            parts.book.update(id) { $0.checks = own }
            if own.failures > 0 {
                let outcome = outcome(of: own, arrival.folder.inbox.settings, Self.words(changing: check))
                return apply(outcome, to: arrival, at: moment)
            }
        }
        let words = "it waits for its check \(check.command.program)"
        parts.course.transition(id, to: .waiting(.checking), .observing(until: .never), detail: words, at: moment)
        let book = parts.book
        checkTurns.append(id, of: book.owner(of: id), for: check) { other in
            (book[other]?.isAwaitingCheck == true, book.owner(of: other))
        }
    }

    /// Hands over the next arrival that waits for a check; it is in flight until ``endCheck(_:by:_:at:)``.
    func takeForCheck(_ check: CheckInForce, at moment: Moment) -> FilingRequest? {
        while let id = checkTurns.popFirst(of: check) {
            guard let arrival = parts.book[id], arrival.isAwaitingCheck, let facts = arrival.facts,
                !parts.course.delays(arrival, facts, at: moment)
            else { continue }
            let words = "its check \(check.command.program) runs"
            parts.course.transition(id, to: .waiting(.checking), .inFlight, detail: words, at: moment)
            let request = self.request(
                for: arrival, facts, in: Self.origin(arrival.folder), members: parts.course.takeMembers(of: id),
                at: moment)
            if let request = postponingSilent([request], at: moment).first { return request }
        }
        return nil
    }

    /// Applies what came of a check.
    func endCheck(_ request: FilingRequest, by check: CheckInForce, _ result: CheckResult, at moment: Moment) {
        let id = request.id
        let progress = (parts.book[id]?.facts?.checks ?? CheckProgress()).of(request.status)
        func note(_ progress: CheckProgress?) { parts.book.update(id) { $0.checks = progress } }
        func fail(_ progress: CheckProgress, _ words: String) {
            note(progress)
            resolve(id, outcome(of: progress, request.settings, words), at: moment)
        }
        switch result {
        case .ruled(let verdicts):
            note(CheckProgress(verdicts: verdicts))
            resolve(id, .checked, at: moment)
        case .later(let words): resolve(id, .postponed(words), at: moment)
        case .failed(let words): fail(progress.failing(on: request.status), words)
        case .changed:
            let progress = progress.changing()
            let (what, program) = (
                request.members.isEmpty ? "it" : "it, or a file that goes with it,", check.command.program
            )
            var result = FilingOutcome.postponed(
                "\(what) has changed while its check \(program) ran, so that it is checked anew")
            if progress.failures > (parts.book[id]?.facts?.checks?.failures ?? 0) {
                result = outcome(of: progress, request.settings, Self.words(changing: check, what))
            }
            let successor = successor(of: request, at: moment)
            note(progress)
            resolve(id, result, at: moment)
            guard let successor, parts.book[successor]?.facts?.checks == nil else { return }
            parts.book.update(successor) { $0.checks = progress }
            if parts.book[successor]?.isInFlight == false { resolve(successor, result, at: moment) }
        case .refused(let outcome): resolve(id, outcome, at: moment)
        case .short(let words): resolve(id, .postponed("its check cannot begin: \(words)"), at: moment)
        case .abandoned: resolve(id, .postponed("its check was killed"), at: moment)
        }
    }

    /// The arrival that has a document's name since its check, or somebody, has saved that anew under another name and renamed it;
    /// nil where there is none.
    private func successor(of request: FilingRequest, at moment: Moment) -> ArrivalID? {
        guard let folder = parts.book[request.id]?.folder else { return nil }
        // Its events may not have been read yet.
        parts.inspection.inspect(request.name, in: folder, because: .request, at: moment)
        let found = parts.book.id(of: request.name, in: folder)
        return found == request.id ? nil : found
    }

    private static func words(changing check: CheckInForce, _ what: String = "it") -> String {
        "\(what) changes each time while its check \(check.command.program) runs: that changes it, or somebody does"
    }

    /// Returns the outcome of a try that has failed.
    private func outcome(
        of progress: CheckProgress, _ settings: InboxSettings, _ words: String
    ) -> FilingOutcome {
        progress.failures <= settings.checkRetries
            ? .retry(words)
            : .hold(.check, "\(words): a document is never filed unchecked, so mend that, then inboxctl retry")
    }

    /// Other checks may be in force: what waits for one that is not any more is decided anew.
    func endChecks(where isOver: (CheckInForce) -> Bool, at moment: Moment) {
        for id in checkTurns.takeAll(where: isOver) where parts.book[id]?.isAwaitingCheck == true {
            parts.book.transition(id, to: .observing(until: moment.now))
        }
    }
}

extension Arrival {
    /// It waits for its turn to be checked.
    var isAwaitingCheck: Bool { state == .waiting(.checking) && phase == .observing(until: .never) }
}
