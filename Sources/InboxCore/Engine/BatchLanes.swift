import InboxFiling
import InboxLinux

/// The lanes of batches, and what waits for them.
final class BatchLanes: Lanes {
    /// At most this many documents are in one batch that shares its syncs.
    private static let most = 512
    /// At most this many are in one that has none to share: nobody is answered while the loop takes its outcomes.
    private static let mostRelaxed = 128
    /// So many requests are taken from the intake at once.
    static let portion = mostRelaxed
    /// At most this many bytes are in one batch of several documents: their syncs delay the next batch.
    private static let mostBytes: UInt64 = 64 << 20
    /// A document of this many bytes does not share a batch.
    private static let large: UInt64 = 8 << 20
    /// At most this many documents are discarded at once.
    private static let mostDiscards = 64
    /// Folders: what waits to be discarded keeps no more destinations open.
    private static let mostFolders = 512
    /// A batch of this many takes a while.
    private static let many = 64

    private let pool: FairPool
    /// The documents that are identical to one at their destination, and are discarded when the large lane is free.
    private var identical = OwnerQueue<IdenticalDocument>()
    /// The number of identical documents for each destination folder, which stays open for them.
    private var identicalFolders: [ObjectIdentifier: Int] = [:]
    /// The maximum number of documents that may be open at once while descriptors are short.
    private var mostAtOnce: Int?
    /// The number of documents in the small lane's job.
    private var documentCount = 0
    /// The batches that need no worker.
    var brief = BriefFiling()

    init(of pool: FairPool) {
        self.pool = pool
        super.init(of: pool, large: Self.large) { $0.perform() }
    }

    /// No document is waiting for a worker.
    var isEmpty: Bool { queuedCount == 0 && identical.isEmpty }

    /// So few small documents are queued that more may be taken from the intake.
    var takesMore: Bool { small.queue.count < mostSmall }

    private var mostSmall: Int {
        small.queue.first?.settings.durability == .relaxed ? Self.mostRelaxed : Self.most
    }

    /// A queued document could begin at once.
    override var hasRoom: Bool { super.hasRoom || (large.isFree && identical.hasOwner(besides: large.owners)) }

    /// When what waits for a lane has waited for long enough to begin beside its job.
    var nextSharing: Instant { min(nextLargeSharing, comparing.nextSharing()) }

    private var nextLargeSharing: Instant { large.nextSharing(isAwaited: identical.hasOwner(besides: large.owners)) }

    /// Goes on with what has waited for that long.
    func share(at now: Instant) {
        if nextLargeSharing <= now { large.share(at: now) }
        if comparing.nextSharing() <= now { comparing.share(at: now) }
    }

    /// While many documents are being filed, waits for the end of their batch, though no longer than until this instant.
    func awaitBatch(until end: Instant) {
        if documentCount >= Self.many, !small.isFree { pool.awaitFinished(until: end) }
    }

    /// Documents wait to be discarded.
    /// - Returns: those for whose destination folders there is no room.
    func append(identical documents: [IdenticalDocument]) -> [IdenticalDocument] {
        documents.filter { identical in
            let folder = ObjectIdentifier(identical.document.reached.folder)
            let count = identicalFolders[folder]
            guard identicalFolders.count < Self.mostFolders || count != nil else { return true }
            identicalFolders[folder] = (count ?? 0) + 1
            self.identical.append(identical, of: identical.document.status.owner)
            return false
        }
    }

    /// Takes the next batch of small documents, where its worker is free and some wait.
    func takeSmall() -> [FilingRequest]? {
        guard small.hasRoom else { return nil }
        let requests = small.queue.take(most: min(mostAtOnce ?? Self.most, mostSmall), bytes: Self.mostBytes)
        // A server that hangs keeps a whole batch waiting: no document that lies elsewhere shares it.
        guard let first = requests.first, requests.contains(where: { $0.isShared != first.isShared }) else {
            return requests
        }
        for request in requests where request.isShared != first.isShared { small.queue.append(request) }
        return requests.filter { $0.isShared == first.isShared }
    }

    /// Takes what is to be discarded next, where the large lane's worker is free and something waits.
    func takeIdentical() -> [IdenticalDocument]? {
        guard large.isFree else { return nil }
        let owners = large.owners
        var documents: [IdenticalDocument] = []
        while documents.count < Self.mostDiscards, let next = identical.popFirst(besides: owners) {
            documents.append(next)
            let folder = ObjectIdentifier(next.document.reached.folder)
            identicalFolders[folder] = identicalFolders[folder].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        return documents.isEmpty ? nil : documents
    }

    /// Takes everything that waits.
    override func takeAll() -> [FilingRequest] {
        var requests = super.takeAll()
        while let next = identical.popFirst() { requests.append(next.document.request) }
        identicalFolders = [:]
        return requests
    }

    /// Begins a job on the worker of small documents, which is free.
    func beginSmall(_ job: FilingWork, of count: Int = 0) {
        small.begin(job)
        documentCount = count
    }

    /// A batch found that only so many documents can be open at once (nil: as many as it had).
    func note(mostAtOnce most: Int?) {
        if let most {
            mostAtOnce = most
        } else if let now = mostAtOnce {
            mostAtOnce = now * 2 < Self.most ? now * 2 : nil
        }
    }
}
