import InboxLinux

// A document with files that belong to it.
extension UndoJob {
    /// Moves all of it back by renames, as it was filed: an entry of the journal names all of it, so that recovery ends what a
    /// kill has begun.
    func moveUnit(_ document: PreparedDocument, _ report: inout FilingReport) throws(UndoRefusal) -> Outcome {
        let folder = document.reached.folder
        for member in document.request.members {
            let name = MemberName.renamed(member.name, of: document.request.name, as: document.wanted)
            guard let name else { throw .failed("the name of \(member.name) would be too long in the Inbox") }
            let isTaken = try call(order.source) { () throws(SyscallError) in try folder.directory.has(name) }
            if isTaken { throw .taken(document.reached.path.appending(name)) }
        }
        var entry = document.entry(since: log.filing.mark)
        entry.undoes = order.id
        let name: FileName
        let source: OpenFolder
        do throws(Refusal) {
            do throws(SyscallError) { try claims.journal.note([entry], isDurable: true) } catch {
                report.stateFailure = FilingReport.StateFailure(file: "the journal", error: error)
                throw Refusal(journal: error)
            }
            source = try SourceFolders().folder(of: document.request)
            var names = FreeNames(isExact: true)
            name = try SingleRename.perform(document, from: source, &names, claims.abandonment).name
        } catch {
            document.releaseLease()
            if error.leavesApart {
                leaveOpen(entry, &report)
                throw .unfinished(.undo)
            }
            end(entry, &report)
            guard case .across = error.outcome else { throw refusal(error.outcome) }
            let names = document.request.members.map { "\($0.name)" }.joined(separator: ", ")
            throw .failed("no rename leads back, and \(names) would stay: move all of them back yourself")
        }
        document.releaseLease()
        let failure = Syncing.failure(ofNamesIn: [source] + document.reached.way)
        let undoLog = UndoLog(order, in: folder, log)
        let record = document.record(at: .now(), as: name, number: 0, document.status.identity)
        do throws(SyscallError) { try undoLog.record([record], isDurable: true) } catch {
            report.stateFailure = FilingReport.StateFailure(file: "the history", error: error)
            leaveOpen(entry, &report)
            return .unrecorded
        }
        if let failure { keep(entry, failure, &report) } else { end(entry, &report) }
        return undoLog.done.map { .done($0) } ?? .unrecorded
    }

    private func leaveOpen(_ entry: JournalEntry, _ report: inout FilingReport) {
        claims.journal.rest([entry.id])
        report.hasOpenEntries = true
    }

    private func end(_ entry: JournalEntry, _ report: inout FilingReport) {
        do throws(SyscallError) { try claims.journal.end([entry.id]) } catch {
            report.stateFailure = FilingReport.StateFailure(file: "the journal", error: error)
        }
    }

    /// The disk may not keep the names, which only a restart of the machine shows.
    private func keep(_ entry: JournalEntry, _ failure: SyscallError, _ report: inout FilingReport) {
        report.notices.append(
            "the return of \(order.destination) may not be on the disk, which only a restart of the machine shows: "
                + "\(failure)")
        do throws(SyscallError) { try claims.journal.keep([entry]) } catch {
            report.stateFailure = FilingReport.StateFailure(file: "the journal", error: error)
        }
    }
}
