import InboxFiling
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// Copies what clients deliver into the Inbox: each user has a thread, so that a file that cannot be read, or a large
/// one, keeps nobody else waiting.
final class Deliveries {
    /// How many users are served at a time.
    private static let mostUsers = 16
    /// How many deliveries of one user wait or are under way at a time.
    private static let mostPerUser = 16

    /// A delivery that a client waits for.
    private final class Ticket {
        /// What there is to say: the newest only, however slowly the client reads.
        private var news: PutNews?

        func add(_ news: PutNews) { self.news = news }

        func take() -> PutNews? {
            defer { news = nil }
            return news
        }
    }

    /// One user's thread.
    private final class Lane {
        let worker: Worker<DeliveryJob, DeliveryJob.Outcome>
        var tickets: [Ticket] = []
        var token: Epoll.Token?

        init(clock: @escaping @Sendable () -> Instant) throws(SyscallError) {
            worker = try Worker(reporting: { $0.perform(now: clock, report: $1) })
        }
    }

    private let loop: EventLoop
    private let clock: @Sendable () -> Instant
    private var lanes: [UInt32: Lane] = [:]

    init(loop: EventLoop, clock: @escaping @Sendable () -> Instant = Instant.now) {
        self.loop = loop
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
        delivery.type = type
        delivery.owner = caller.user
        let ticket = Ticket()
        do throws(SyscallError) {
            if let lane = try lane(of: caller.user), lane.tickets.count < Self.mostPerUser {
                lane.worker.begin(
                    DeliveryJob(
                        delivery: delivery, file: call.file, inbox: inbox, makesInbox: makesInbox,
                        reportsProgress: call.reportsProgress, begun: clock()))
                lane.tickets.append(ticket)
                return { ticket.take() }
            }
        } catch {
            throw .notDelivered(reason: "\(error.errno)")
        }
        throw .notDelivered(reason: "too many deliveries are under way: try again in a moment")
    }

    /// Nil where too many users are served.
    private func lane(of user: UInt32) throws(SyscallError) -> Lane? {
        if let lane = lanes[user] { return lane }
        guard lanes.count < Self.mostUsers else { return nil }
        let lane = try Lane(clock: clock)
        lane.token = try loop.add(lane.worker.bell.descriptor, for: .readable) { [unowned self] _ in
            takeFinished(of: user)
        }
        lanes[user] = lane
        return lane
    }

    private func takeFinished(of user: UInt32) {
        guard let lane = lanes[user] else { return }
        do throws(SyscallError) {
            for outcome in try lane.worker.finished() where !lane.tickets.isEmpty {
                switch outcome {
                case .copied(let count): lane.tickets[0].add(.copied(count))
                case .delivered(let path, let file):
                    lane.tickets.removeFirst().add(.delivered(path: path.escapedText, file: file?.numbers))
                case .foreign(let reason): lane.tickets.removeFirst().add(.refused(.foreignFile(reason: reason)))
                case .failed(let reason): lane.tickets.removeFirst().add(.refused(.notDelivered(reason: reason)))
                }
            }
            guard lane.tickets.isEmpty else { return }
            lanes[user] = nil
            lane.worker.end()
            if let token = lane.token { try loop.remove(lane.worker.bell.descriptor, token) }
        } catch {
            // A bell that cannot be silenced rings again.
        }
    }
}
