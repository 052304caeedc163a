import InboxCore
import InboxFiling
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// Copies what clients deliver into the Inbox: one delivery of each user at a time, so that a file that cannot be read, or
/// a large one, keeps nobody else waiting.
final class Deliveries {
    /// The maximum number of deliveries that are under way at a time.
    private static let mostAtOnce = 16
    /// The maximum number of deliveries of one user that wait at a time.
    private static let mostPerUser = 15
    /// The maximum number of deliveries of all users that wait at a time.
    private static let mostWaiting = 256

    /// A delivery that a client waits for.
    private final class Ticket {
        /// The news for the client: only the newest, however slowly the client reads.
        private var news: PutNews?

        func add(_ news: PutNews) { self.news = news }

        func take() -> PutNews? {
            defer { news = nil }
            return news
        }
    }

    private let lane: PoolLane
    private let clock: @Sendable () -> Instant
    private var queue = OwnerQueue<(job: DeliveryJob, ticket: Ticket)>()

    init(in pool: FairPool, clock: @escaping @Sendable () -> Instant = Instant.now) {
        lane = PoolLane(of: pool, most: Self.mostAtOnce)
        self.clock = clock
    }

    /// Begins a delivery; there is no news until it has ended, but its progress for a caller who takes it.
    /// - Parameter makesInbox: whether the Inbox is made where it is missing.
    func begin(
        _ call: PutCall, from caller: UnixSocket.Peer, to inbox: BytePath, makesInbox: Bool = false
    ) throws(ServiceError) -> () -> PutNews? {
        var type: UTType?
        if let identifier = call.type {
            type = UTType(identifier)
            guard type != nil else { throw .invalidParameter("type") }
        }
        var delivery = Delivery(name: Delivery.name(call.name, of: type))
        delivery.annotations = call.annotations
        delivery.application = call.application
        delivery.type = type
        delivery.owner = caller.user
        let ticket = Ticket()
        guard queue.count(of: caller.user) < Self.mostPerUser, queue.count < Self.mostWaiting else {
            throw .notDelivered(reason: "too many deliveries are under way: try again in a moment")
        }
        let job = DeliveryJob(
            delivery: delivery, file: call.file, inbox: inbox, makesInbox: makesInbox,
            reportsProgress: call.reportsProgress, begun: clock())
        queue.append((job, ticket), of: caller.user)
        proceed()
        return { ticket.take() }
    }

    /// Begins what waits, one delivery of each user at a time.
    private func proceed() {
        while lane.isFree, let (job, ticket) = queue.popFirst(besides: lane.owners), let owner = job.delivery.owner {
            lane.begin(
                of: [owner],
                reporting: { [clock] report in
                    report(job.perform(now: clock, report: report))
                }
            ) { [weak self] (outcome: DeliveryJob.Outcome?) in
                switch outcome {
                case .copied(let count)?: ticket.add(.copied(count))
                case .delivered(let path, let file)?:
                    ticket.add(.delivered(path: path.escapedText, file: file?.numbers))
                case .foreign(let reason)?: ticket.add(.refused(.foreignFile(reason: reason)))
                case .failed(let reason)?: ticket.add(.refused(.notDelivered(reason: reason)))
                case nil: self?.proceed()
                }
            }
        }
    }
}
