import InboxLinux

/// What came of an attempt to file an arrival.
enum Outcome: Sendable {
    /// It is at its destination and recorded.
    case filed(FiledRecord)
    /// Somebody has it open for writing.
    case writer
    /// No lease can be had for it.
    case unprovable
    /// A writer was there a moment ago and may come back: look again then.
    case unsettled(until: Instant)
    /// It is not what it was when it was last looked at.
    case changed
    /// Another process has claimed it, perhaps another daemon that copies it.
    case claimed
    /// It belongs on another filesystem, so that it has to be copied.
    case across
    /// A passing failure, in words.
    case retry(String)
    /// A passing failure that is none of its own, and is told of elsewhere.
    case postponed(String)
    /// It stays, for this reason, with more in words.
    case hold(HoldReason, String?)

    var isFiled: Bool {
        if case .filed = self { return true }
        return false
    }
}

extension Intake {
    /// Hands over arrivals for filing, at most so many; they are in hand until they are resolved.
    func takeReady(most: Int) -> [ArrivalID] {
        let taken = Array(ready.prefix(most))
        ready.removeFirst(taken.count)
        return taken.filter(takeInHand)
    }

    /// Whether an arrival that stood in a row is still ready; it is in hand then.
    func takeInHand(_ id: ArrivalID) -> Bool {
        table.update(id) { arrival in
            arrival.isQueued = false
            // What changed since it became ready has a time of its own.
            guard case .waiting = arrival.state, arrival.nextLook == .never else { return false }
            arrival.isInHand = true
            return true
        } ?? false
    }

    /// An arrival that is in hand has left the Inbox for its destination: its name is free for another.
    func hasLeft(_ id: ArrivalID) {
        guard let arrival = table[id] else { return }
        table.forget(id, in: arrival.folder, as: arrival.name)
        arrival.folder.wasFilled = true
        considerRemoval(of: arrival.folder)
    }

    /// Ends an arrival's time in hand.
    func resolve(_ id: ArrivalID, _ outcome: Outcome, at moment: Moment) {
        guard let arrival = table[id] else { return }
        table.update(id) { arrival in
            arrival.isInHand = false
            arrival.copying = nil
        }
        noteCopyEnds(id)
        if !outcome.isFiled, arrival.folder.isGone || arrival.folder.arrivals[arrival.name] != id {
            // Its folder left the tree with it, or its name is another's: nobody looks there for it again, so it turns
            // up elsewhere or is withdrawn.
            table.forget(id, in: arrival.folder, as: arrival.name)
            expect(id, at: moment)
            return
        }
        switch outcome {
        case .filed(let record):
            table.remove(id)
            counted.filed += 1
            counted.bytesFiled &+= record.size
            tell(.filed(record))
            events.record(.filed(record), of: arrival)
        case .hold(let reason, let detail):
            hold(id, reason, detail, at: moment)
        case .writer:
            table.update(id) { $0.sawWriter = moment.now }
            wait(id, .writing, stalled(arrival, at: moment), at: moment)
        case .unsettled(let until):
            come(id, to: .waiting(.settling), at: moment)
            table.update(id) { $0.nextLook = until }
            schedule(id)
        case .unprovable:
            table.update(id) { $0.isUnprovable = true }
            evaluate(id, at: moment)
        case .retry(let words):
            failed(id, words, at: moment)
            // Once, however often it fails: that it was filed tells of the end.
            if !arrival.isFailureTold { tell(.retrying(path: arrival.path, detail: words)) }
            table.update(id) { $0.isFailureTold = true }
        case .postponed(let words):
            failed(id, words, at: moment)
        case .claimed:
            wait(id, .writing, "another process has it locked", at: moment)
        case .across:
            awaitCopy(id, at: moment)
        case .changed:
            lookAgain(id, at: moment)
        }
    }

    private func lookAgain(_ id: ArrivalID, at moment: Moment) {
        guard let arrival = table[id] else { return }
        openFolders.forget(arrival.folder)
        if arrival.folder.arrivals[arrival.name] == id {
            look(arrival.folder, arrival.name, because: .request, at: moment)
        } else {
            expect(id, at: moment)
        }
    }

    /// Waits for somebody else: 50 ms, doubling to 5 s.
    private func wait(_ id: ArrivalID, _ reason: WaitingReason, _ detail: String?, at moment: Moment) {
        come(id, to: .waiting(reason), detail: detail, at: moment)
        table.update(id) { arrival in
            arrival.nextLook = moment.now + arrival.patience
            arrival.patience = Settling.next(arrival.patience)
        }
        schedule(id)
    }

    private func stalled(_ arrival: Arrival, at moment: Moment) -> String {
        let stallAfter = arrival.folder.inbox.settings.stallAfter
        guard arrival.grown + stallAfter <= moment.now else { return "a process has it open for writing" }
        return "stalled: a process has it open for writing, and it has not grown for \(TimeSpan.text(stallAfter))"
    }

    /// Tries again after the back-off.
    private func failed(_ id: ArrivalID, _ words: String, at moment: Moment) {
        come(id, to: .waiting(.retrying), detail: words, at: moment)
        table.update(id) { arrival in
            arrival.failures += 1
            arrival.nextLook =
                moment.now
                + Settling.backOff(failures: arrival.failures, ceiling: arrival.folder.inbox.settings.retryMax)
        }
        schedule(id)
    }
}
