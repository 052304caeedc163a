import InboxLinux

extension Intake {
    /// Decides where an arrival stands, from what is known of it.
    func evaluate(_ id: ArrivalID, at moment: Moment) {
        guard let arrival = table[id] else { return }
        let facts = facts(of: arrival, at: moment)
        switch Settling.decide(facts, arrival.folder.inbox.settings, at: moment.now) {
        case .ignore:
            come(id, to: .ignored, at: moment)
            arrival.folder.hasPartial = arrival.folder.hasPartial || arrival.name.isPartial
        case .hold(let reason):
            hold(id, reason, nil, at: moment)
        case .wait(let reason, let until):
            // Who writes on and on never has a quiet time: say what it is.
            let isWritten = reason == .settling && arrival.sawWriter != nil
            come(id, to: .waiting(isWritten ? .writing : reason), at: moment)
            table.update(id) { arrival in
                arrival.nextLook = until
                if reason != .settling { arrival.patience = Settling.next(arrival.patience) }
            }
            schedule(id)
        case .prove:
            if arrival.state.group != .waiting { come(id, to: .waiting(.settling), at: moment) }
            table.update(id) { $0.nextLook = .never }
            if !arrival.isQueued {
                table.update(id) { $0.isQueued = true }
                ready.append(id)
            }
        }
    }

    /// What is known of an arrival, for the decision.
    func facts(of arrival: Arrival, at moment: Moment) -> Settling.Facts {
        Settling.Facts(
            kind: arrival.status.kind, isPackage: arrival.isPackage, isEmpty: arrival.isEmpty,
            isIgnored: !arrival.folder.isAround && arrival.folder.inbox.ignoring.ignores(arrival.name),
            quietSince: arrival.quietSince, needsQuiet: arrival.needsQuiet, isUnprovable: arrival.isUnprovable,
            hasSibling: arrival.hasPartial || (arrival.folder.hasPartial && hasLivelySibling(arrival, at: moment)),
            patience: arrival.patience)
    }

    /// Whether a partial download of the arrival stands beside it that has grown within `StallAfter`.
    private func hasLivelySibling(_ arrival: Arrival, at moment: Moment) -> Bool {
        let folder = arrival.folder
        for name in Ignoring.partialNames(of: arrival.name) {
            guard let id = folder.arrivals[name] else { continue }
            // Nobody looks at what is ignored, so its growth shows here.
            look(folder, name, because: .due, at: moment)
            if let partial = table[id], partial.missed == nil,
                moment.now < partial.grown + folder.inbox.settings.stallAfter
            {
                return true
            }
        }
        return false
    }

    /// Brings an arrival into a state; the time of the change stays where nothing changes.
    func come(_ id: ArrivalID, to state: ArrivalState, detail: String? = nil, at moment: Moment) {
        let isNew = table.update(id) { arrival in
            arrival.detail = detail
            guard arrival.state != state else { return false }
            arrival.state = state
            arrival.since = moment.wall
            return true
        }
        guard isNew == true, let arrival = table[id] else { return }
        switch state {
        case .waiting(let reason): events.record(.waiting(reason, detail: detail), of: arrival)
        case .held(let reason): events.record(.held(reason, detail: detail), of: arrival)
        case .ignored: events.record(.ignored, of: arrival)
        }
    }

    /// Holds an arrival and tells of it once.
    func hold(_ id: ArrivalID, _ reason: HoldReason, _ detail: String?, at moment: Moment) {
        guard let arrival = table[id] else { return }
        let isNew = arrival.state != .held(reason)
        come(id, to: .held(reason), detail: detail, at: moment)
        table.update(id) { $0.nextLook = .never }
        if isNew { tell(.held(path: arrival.folder.path(of: arrival.name), reason: reason, detail: detail)) }
    }

    func schedule(_ id: ArrivalID) {
        guard let arrival = table[id] else { return }
        deadlines.add(id, at: arrival.nextLook)
    }
}
