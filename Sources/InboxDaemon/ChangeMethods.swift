import InboxCore
import InboxLinux
import InboxVarlink

extension StatusReports {
    func permits(_ right: Right, to method: String, _ caller: UnixSocket.Peer) -> Bool {
        access.permits(right, to: method, caller)
    }

    /// Performs `Pause`.
    func pause() -> PauseReport {
        PauseReport(changed: work.pause(), waiting: work.intake.accounting.waiting)
    }

    /// Performs `Resume`.
    func resume() -> ResumeReport {
        let (changed, ready) = work.resume()
        return ResumeReport(changed: changed, ready: ready)
    }

    /// Performs `Rescan`.
    func rescan() -> () -> RescanReport? {
        let scan = work.requestScan(at: .current())
        return { [work] in
            work.outcome(of: scan, at: .current()).map {
                RescanReport(folders: $0.folders, arrivals: $0.arrivals, complete: $0.isComplete)
            }
        }
    }

    /// Performs `Reload`.
    func reload() throws(ServiceError) -> ReloadReport {
        switch reloading() {
        case .inForce(let report): return report
        case .broken(let problems): throw .brokenConfiguration(problems)
        }
    }

    /// Returns the reply to `GetConfiguration`.
    func configuration() -> String { work.configuration.text }

    /// Returns the reply to `GetHistory`, record by record.
    func history(_ call: HistoryCall, for caller: UnixSocket.Peer) -> () -> HistoryPart {
        let records = historyReader.records(call, for: caller, in: work)
        let caller = ToldRecords(for: caller, in: work)
        return {
            let part = records()
            return if case .record(let record) = part { .record(caller.told(record)) } else { part }
        }
    }

    /// Performs `Undo`.
    func undo(_ id: String, for caller: UnixSocket.Peer) -> () -> UndoOutcome? {
        let call = UndoCall(id, for: caller, work: work, reader: historyReader)
        return { call.outcome() }
    }

    /// Performs `Put`: the first Inbox gets the document.
    func put(_ delivery: PutCall, from caller: UnixSocket.Peer) throws(ServiceError) -> () -> PutNews? {
        guard let inbox = work.configuration.inboxes.first?.path else {
            throw .notDelivered(reason: "there is no Inbox")
        }
        return try deliveries.begin(
            delivery, from: caller, to: inbox, makesInbox: !work.intake.problems.areGrave)
    }
}

/// The outcome of a reload.
enum ReloadOutcome {
    /// The configuration that was read is in force.
    case inForce(ReloadReport)
    /// It is broken, in a line for each problem, and the former one stays in force.
    case broken([String])
}
