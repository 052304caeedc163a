import InboxLinux

/// Discards documents that are identical to files at their destinations, on a worker.
///
/// The steps are those of ``ClaimRun``, with the identical file for the copy: it reaches the disk, the document is claimed,
/// both are still what was compared, the discarding is recorded, and only then is the document removed.
package struct DiscardBatch: Sendable {
    /// Appends lines to the history, and makes sure that they are on the disk.
    package typealias Append = @Sendable ([UInt8]) throws(SyscallError) -> Void

    private let documents: [IdenticalDocument]
    private let claims: ClaimJob.Means
    private let append: Append

    /// A batch of these documents.
    package init(_ documents: [IdenticalDocument], claims: ClaimJob.Means, append: @escaping Append) {
        self.documents = documents
        self.claims = claims
        self.append = append
    }

    /// Discards the documents.
    package func perform() -> BatchReport {
        var report = BatchReport()
        let sources = SourceFolders()
        var claimed: [IdenticalDocument] = []
        let run = ClaimRun(
            documents.compactMap { identical in
                do throws(Refusal) {
                    let document = try ClaimDocument(discarding: identical, sources)
                    claimed.append(identical)
                    return document
                } catch {
                    report.resolve(identical.document.request, error.outcome)
                    return nil
                }
            }, means)
        run.perform()
        for (identical, result) in zip(claimed, run.results) {
            let request = identical.document.request
            switch result {
            case .filed(let record, _): report.resolve(request, .duplicate(identical.record(at: record.time)))
            case .returned, .unrecorded: report.resolve(request, .changed)
            case .refused(let outcome): report.resolve(request, outcome)
            case .left(_, let outcome):
                report.left.append(
                    LeftDiscard(arrival: request.id, record: identical.record(at: .now()), otherwise: outcome))
            }
        }
        report.stateFailure = run.report.stateFailure
        report.hasOpenEntries = run.report.hasOpenEntries
        report.notices = run.report.notices
        return report
    }

    private var means: ClaimJob.Means {
        var means = claims
        means.log = DuplicateLog(
            documents: Dictionary(documents.map { ($0.document.id, $0) }) { first, _ in first },
            mark: claims.log.mark, append: append)
        return means
    }
}

/// The log of claims that discard documents: it writes down that they were discarded.
private struct DuplicateLog: HistoryLog {
    let documents: [RecordID: IdenticalDocument]
    let mark: HistoryMark
    let append: DiscardBatch.Append

    func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError) {
        try append(Array(records.compactMap { documents[$0.id]?.record(at: $0.time).line }.joined()))
    }
}

extension ClaimDocument {
    /// A document that is identical to a file at its destination.
    convenience init(discarding identical: IdenticalDocument, _ sources: SourceFolders) throws(Refusal) {
        let prepared = try identical.document.reopened(in: try sources.folder(of: identical.document.request))
        try self.init(
            prepared, from: sources, documents: nil, progress: CopyProgress(total: prepared.status.size),
            twin: try IdenticalFile(of: identical))
    }
}
