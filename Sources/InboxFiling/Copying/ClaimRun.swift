import InboxLinux

/// One run of a ``ClaimJob``, with the state of each document.
struct ClaimRun {
    let means: ClaimJob.Means
    let isDurable: Bool
    var ways: [ClaimWay]
    var report = ClaimJob.Report()
    private var notes = ClaimNotes()
    private var ended: [RecordID] = []

    init(_ documents: [ClaimDocument], _ means: ClaimJob.Means) {
        self.means = means
        isDurable = documents.contains { $0.prepared.request.settings.durability == .full || $0.twin != nil }
        ways = documents.map { ClaimWay(document: $0) }
    }

    /// What came of the documents, in their order.
    var results: [ClaimResult] { ways.map { $0.result ?? .refused(.changed) } }

    /// Goes through all steps.
    mutating func perform() {
        means.staging.begin()
        enter()
        for index in under { claim(index) }
        for index in under { copy(index) }
        syncCopies()
        for index in under { prove(index) }
        syncClaims()
        announce()
        for index in under { publish(index) }
        syncNames()
        record()
        removeSources()
        for way in ways { way.releaseLeases() }
        end()
    }

    /// The indices of the documents whose result is still open.
    var under: [Int] { ways.indices.filter { ways[$0].result == nil } }

    /// Ends the way of a document that has no name at its destination yet: what was made of the copy is removed, and the
    /// source returns to its folder.
    mutating func refuse(_ index: Int, _ refusal: Refusal) {
        let way = ways[index]
        ways[index].result = .refused(refusal.outcome)
        guard way.staged != nil else {
            // Not claimed: the entry names nothing.
            if way.entry != nil { close(index) }
            return
        }
        do throws(SyscallError) {
            if let source = way.source { try way.target?.discard(way.id, in: way.document.target, source) }
            way.releaseLeases()
            if let why = try putBack(index) { leaveOpen(index, why) } else { close(index) }
        } catch {
            leaveOpen(index, "\(error)")
        }
    }

    /// Writes down what is known of these documents: in the journal for this daemon, and beside their sources for another
    /// one that starts first after a kill.
    mutating func note(_ indices: [Int], isDurable: Bool) throws(Refusal) {
        let entries = indices.compactMap { ways[$0].entry }
        guard !entries.isEmpty else { return }
        do throws(SyscallError) { try means.journal.note(entries, isDurable: isDurable) } catch {
            stateFailed("the journal", error)
            throw Refusal(.postponed("cannot write the journal: \(error.errno)"))
        }
        var groups: [ObjectIdentifier: (staging: StagingFolder, indices: [Int])] = [:]
        for index in indices {
            guard let staging = ways[index].staging else { continue }
            groups[ObjectIdentifier(staging), default: (staging, [])].indices.append(index)
        }
        for (staging, indices) in groups.values {
            let isCopied = indices.contains { ways[$0].entry?.copied != nil && ways[$0].target?.isCopy == true }
            let claims = indices.compactMap { ways[$0].entry }
            do throws(SyscallError) {
                try notes.note(claims, in: staging, state: means.staging.place, isDurable: isDurable && isCopied)
                _ = means.staging.takeNote(isWritten: true)
            } catch {
                noteFailed("written", error)
            }
        }
    }

    /// Writes down beside their sources that these documents are recorded.
    mutating func note(recorded ids: [RecordID]) {
        do throws(SyscallError) { try notes.note(recorded: ids) } catch { noteFailed("written", error) }
    }

    /// A failed note does not stop filing, which is what makes room on a full disk: without the note, another daemon may
    /// file a document whose copy is published already, if this one is killed just now. It is reported once until notes
    /// can be written again.
    private mutating func noteFailed(_ participle: String, _ error: SyscallError) {
        guard means.staging.takeNote(isWritten: false) else { return }
        report.notices.append("the claims in a staging folder cannot be \(participle) for other daemons: \(error)")
    }

    /// Puts a source back into the folder that it came from.
    /// - Returns: why it cannot be put back now; nil where it was.
    mutating func putBack(_ index: Int) throws(SyscallError) -> String? {
        let way = ways[index]
        guard let staged = way.staged else { return nil }
        let request = way.document.prepared.request
        let obstacle = try SourceReturn.perform(
            staged, to: way.document.folder, as: request.name, at: request, isDurable: isDurable)
        if let obstacle { return obstacle }
        ways[index].staged = nil
        try staged.end()
        return nil
    }

    /// What could not be ended now is left to recovery.
    mutating func leaveOpen(_ index: Int, _ why: String) {
        report.hasOpenEntries = true
        report.notices.append("\(ways[index].document.prepared.source) waits in its staging folder: \(why)")
    }

    /// Nothing is left in its staging folder: its entry ends.
    mutating func close(_ index: Int) { ended.append(ways[index].id) }

    private mutating func end() {
        do throws(SyscallError) { try means.journal.end(ended) } catch { stateFailed("the journal", error) }
        let closed = Set(ended)
        let isLeft = ways.contains { $0.entry != nil && !closed.contains($0.id) }
        do throws(SyscallError) { if !isLeft { try notes.end() } } catch { noteFailed("removed", error) }
        means.journal.rest(ways.compactMap { $0.entry?.id })
        // What is open keeps a folder from being removed on some filesystems.
        for index in ways.indices {
            ways[index].staged = nil
            ways[index].source = nil
            ways[index].target = nil
            ways[index].manifest = nil
        }
        do throws(SyscallError) {
            if try !means.staging.end() { report.hasOpenEntries = true }
        } catch {
            report.hasOpenEntries = true
            report.notices.append("a staging folder could not be removed: \(error)")
        }
    }

    mutating func stateFailed(_ file: String, _ error: SyscallError) {
        report.stateFailure = BatchReport.StateFailure(file: file, error: error)
    }
}
