import InboxLinux

/// One run of a ``ClaimJob``.
final class ClaimRun {
    let means: ClaimJob.Means
    let isDurable: Bool
    let claims: [Claim]
    var report = FilingReport()
    private var notes = ClaimNotes()
    /// The claims that have ended; the rest is left to recovery.
    private var closed: Set<RecordID> = []

    init(_ documents: [ClaimDocument], _ means: ClaimJob.Means) {
        self.means = means
        isDurable = documents.contains { $0.prepared.request.settings.durability == .full || $0.twin != nil }
        claims = documents.map { Claim($0) }
    }

    /// The results of the documents, in their order.
    var results: [FilingResult] {
        claims.map { claim in
            let result = claim.result ?? .refused(.changed)
            let twin = claim.document.twin?.document
            switch result {
            case .refused(let otherwise) where !closed.contains(claim.id):
                let recorded = twin.map { FilingOutcome.duplicate($0.record(at: .now())) }
                return .left(claim.id, recorded: recorded, otherwise: otherwise)
            case .filed(let record, _): return twin.map { .discarded($0.record(at: record.time)) } ?? result
            case .returned, .unrecorded: return twin == nil ? result : .refused(.changed)
            case .refused, .discarded, .left: return result
            }
        }
    }

    /// Goes through all steps.
    func perform() {
        means.staging.begin()
        each(enter)
        announce()
        each(take)
        each(copy)
        syncCopies()
        each(prove)
        syncClaims()
        announce()
        each(publish)
        syncNames()
        record()
        removeSources()
        for claim in claims { claim.releaseLeases() }
        end()
    }

    /// The documents whose result is still open.
    var open: [Claim] { claims.filter { $0.result == nil } }

    private func each(_ step: (Claim) throws(Refusal) -> Void) {
        for claim in open {
            do throws(Refusal) { try step(claim) } catch { refuse(claim, error) }
        }
    }

    /// Ends the claim of a document that has no name at its destination yet: what was made of the copy is removed, and the
    /// source returns to its folder.
    func refuse(_ claim: Claim, _ refusal: Refusal) {
        claim.result = .refused(refusal.outcome)
        guard claim.files.staged != nil else {
            // Not claimed: an entry names nothing, unless the reply of a server was lost.
            guard claim.files.mayBeStaged else { return close(claim) }
            return leaveOpen(claim, "its server did not say whether it is there")
        }
        do throws(SyscallError) {
            try claim.files.target?.discard(claim.id, in: claim.document.target)
            try putBack(claim)
        } catch {
            leaveOpen(claim, "\(error)")
        }
    }

    /// Writes down what is known of all that are under way: the claims, and the marks of the copies before any of them gets
    /// its name.
    private func announce() {
        let open = open
        do throws(Refusal) { try note(open, isDurable: isDurable) } catch {
            for claim in open { refuse(claim, error) }
        }
    }

    /// Writes down what is known of these documents: in the journal for this daemon, and beside their sources for another
    /// one that starts first after a kill.
    func note(_ claims: [Claim], isDurable: Bool) throws(Refusal) {
        let entries = claims.compactMap(\.entry)
        guard !entries.isEmpty else { return }
        do throws(SyscallError) { try means.journal.note(entries, isDurable: isDurable) } catch {
            stateFailed("the journal", error)
            throw Refusal(.postponed("cannot write the journal: \(error.errno)"))
        }
        for claims in Dictionary(grouping: claims, by: { $0.staging.map(ObjectIdentifier.init) }).values {
            guard let staging = claims[0].staging else { continue }
            let isCopied = claims.contains { $0.entry?.copied != nil && $0.way?.copies == true }
            do throws(SyscallError) {
                try notes.note(
                    claims.compactMap(\.entry), in: staging, state: means.staging.place,
                    isDurable: isDurable && isCopied)
                _ = means.staging.noteClaimNotes(areWritten: true)
            } catch {
                noteFailed("written", error)
            }
        }
    }

    /// Writes down beside their sources that these documents are recorded, or that their journal has what that needs.
    func note(recorded ids: [RecordID]) {
        if ids.isEmpty { return }
        do throws(SyscallError) { try notes.note(recorded: ids) } catch { noteFailed("written", error) }
    }

    /// A failed note does not stop filing, which is what makes room on a full disk: without the note, another daemon may
    /// file a document whose copy is published already, if this one is killed just now. It is reported once until notes
    /// can be written again.
    private func noteFailed(_ participle: String, _ error: SyscallError) {
        guard means.staging.noteClaimNotes(areWritten: false) else { return }
        report.notices.append("the claims in a staging folder cannot be \(participle) for other daemons: \(error)")
    }

    /// Puts a source back into the folder that it came from, which ends its claim.
    func putBack(_ claim: Claim) throws(SyscallError) {
        claim.releaseLeases()
        guard let staged = claim.files.staged else { return }
        let request = claim.document.prepared.request
        let outcome = try SourceReturn.perform(
            staged, of: means.staging, to: claim.document.folder, as: request.name, at: request,
            isDurable: isDurable)
        switch outcome {
        case .stays(let obstacle): return leaveOpen(claim, obstacle)
        case .back(let name) where name != request.name:
            report.notices.append("\(claim.path) is named \(name) now: its own name was taken while it was copied")
        case .back: break
        }
        claim.files.staged = nil
        close(claim)
    }

    /// Nothing is left in its staging folder: its entry ends.
    func close(_ claim: Claim) { closed.insert(claim.id) }

    /// Leaves a claim that could not be ended now to recovery.
    func leaveOpen(_ claim: Claim, _ why: String) {
        report.notices.append("\(claim.path) waits in its staging folder: \(why)")
    }

    private func end() {
        let entered = claims.filter { $0.entry != nil }.map(\.id)
        do throws(SyscallError) { try means.journal.end(entered.filter(closed.contains)) } catch {
            stateFailed("the journal", error)
        }
        if closed.isSuperset(of: entered) {
            do throws(SyscallError) { try notes.end() } catch { noteFailed("removed", error) }
        } else {
            report.hasOpenEntries = true
        }
        means.journal.rest(entered)
        // What is open keeps a folder from being removed on some filesystems.
        for claim in claims { claim.files = Claim.Files() }
        do throws(SyscallError) { if try !means.staging.end() { report.hasOpenEntries = true } } catch {
            folderStays(error)
        }
    }

    /// A staging folder, or one in it, could not be removed.
    func folderStays(_ error: SyscallError) {
        report.hasOpenEntries = true
        report.notices.append("a staging folder could not be removed: \(error)")
    }

    func stateFailed(_ file: String, _ error: SyscallError) {
        report.stateFailure = FilingReport.StateFailure(file: file, error: error)
    }
}
