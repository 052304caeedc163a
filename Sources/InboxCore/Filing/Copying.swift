import InboxLinux

/// Brings documents to other filesystems, one job at a time, while batches on the same filesystem go on.
final class Copying {
    /// A job has so many documents at most, and so many bytes unless it has one document only: leases are held for as
    /// long as it takes, and writers wait for them.
    private static let most = 64
    private static let mostBytes: UInt64 = 16 << 20

    private let intake: Intake
    private let history: History
    private let journal: CopyJournal
    private let worker: Worker<CopyJob, CopyJob.Report>
    private let abort = CopyAbort()
    private let nameless = NamelessFilesystems()
    private var destinations: DestinationFolders
    private var underWay: [InHand] = []
    /// How often something of a document stayed that had been copied and recorded: where nothing can be removed there
    /// would be no end of copies.
    private var stayed: [FileKey: Int] = [:]
    /// After so many it is held.
    private static let mostCopies = 3

    /// Copies from an intake into Documents. Recovery must have cleared the journal.
    init(
        intake: Intake, places: Places, history: History, journal: CopyJournal,
        worker: Worker<CopyJob, CopyJob.Report>
    ) {
        self.intake = intake
        self.history = history
        self.journal = journal
        self.worker = worker
        destinations = DestinationFolders(places, making: intake.making)
    }

    /// Copies into the Documents of these places from the next job on.
    func adopt(_ places: Places) {
        destinations = DestinationFolders(places, making: intake.making)
        stayed = [:]
    }

    /// Whether no job is under way.
    var isIdle: Bool { underWay.isEmpty }

    /// Gives up what has not reached its destination yet.
    func abandon() { abort.wish() }

    /// Begins a job, if none is under way and documents wait for one; `takeInHand` makes sure of each once more.
    func proceed(
        at moment: Moment, _ takeInHand: (ArrivalID, DestinationFolders) -> Result<InHand, Refusal>
    ) {
        while isIdle, intake.hasCopies {
            var documents: [CopyDocument] = []
            var bytes: UInt64 = 0
            while documents.count < Self.most, documents.isEmpty || bytes < Self.mostBytes,
                let id = intake.takeForCopy(fitting: documents.isEmpty ? .max : Self.mostBytes - bytes)
            {
                switch takeInHand(id, destinations).flatMap(document) {
                case .success(let (hand, document)):
                    underWay.append(hand)
                    documents.append(document)
                    // A package goes alone: writers of others would wait for all of its files.
                    bytes += document.status.kind == .directory ? Self.mostBytes : document.status.size
                    intake.beginCopy(id, document.progress, at: moment)
                case .failure(let refusal): intake.resolve(id, refusal.outcome, at: moment)
                }
            }
            destinations.close()
            if !documents.isEmpty { begin(documents, at: moment) }
        }
    }

    private func document(_ hand: InHand) -> Result<(InHand, CopyDocument), Refusal> {
        if let count = stayed[hand.status.identity.file], count >= Self.mostCopies {
            let words =
                "it was copied \(count) times, and each time something of it stayed: see whether it can be removed, and "
                + "send SIGHUP"
            return .failure(Refusal(.hold(.permission, words)))
        }
        do throws(SyscallError) {
            let folder = try intake.openFolders.directory(hand.folder)
            let progress = CopyProgress(total: hand.status.size)
            let way = destinations.way(to: hand.folders)
            guard let document = try CopyDocument(hand, from: folder, targets: way, progress: progress) else {
                let words = "it belongs on another filesystem, and may not be read"
                return .failure(Refusal(.hold(.permission, words)))
            }
            return .success((hand, document))
        } catch {
            return .failure(Refusal(error, at: hand.source))
        }
    }

    private func begin(_ documents: [CopyDocument], at moment: Moment) {
        let isDurable = underWay.contains { $0.folder.inbox.settings.durability == .full }
        let job = CopyJob(
            documents: documents, journal: journal, history: history, isDurable: isDurable, abort: abort,
            nameless: nameless)
        do throws(SyscallError) {
            try worker.begin(job)
        } catch {
            // The bell is a counter that cannot be full here; should it fail all the same, the loop itself does it.
            take(job.perform(), at: moment)
        }
    }

    /// Takes what became of the job.
    func take(_ report: CopyJob.Report, at moment: Moment) {
        let hands = underWay
        underWay = []
        for notice in report.notices { intake.tell(.notice(notice)) }
        for (hand, result) in zip(hands, report.results) {
            switch result {
            case .filed(let record, let lost):
                intake.hasLeft(hand.arrival)
                intake.resolve(hand.arrival, .filed(record), at: moment)
                tell(of: lost, record)
            case .doubled(let record, let lost, let outcome):
                if stayed.count > 1000 { stayed = [:] }
                stayed[hand.status.identity.file, default: 0] += 1
                intake.resolve(hand.arrival, filedAs: record, leaving: outcome, at: moment)
                tell(of: lost, record)
            case .refused(let outcome): intake.resolve(hand.arrival, outcome, at: moment)
            }
        }
    }

    private func tell(of lost: [String], _ record: FiledRecord) {
        guard !lost.isEmpty else { return }
        intake.tell(.notice("copied to \(record.destination) without \(lost.joined(separator: ", "))"))
    }
}
