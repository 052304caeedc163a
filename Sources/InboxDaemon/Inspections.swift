import InboxCore
import InboxDetection
import InboxLinux
import InboxVarlink

/// Reads files that clients have explained: one of each user at a time, so that a disk that is slow to answer keeps nobody
/// else waiting.
final class Inspections {
    /// The outcome of reading a file.
    typealias Found = Result<DroppedFile, InspectionFailure>

    /// The number of files that are read at a time.
    private static let mostAtOnce = 4
    /// The number of files of one user that wait at a time.
    private static let mostPerUser = 15
    /// The number of files of all users that wait at a time.
    private static let mostWaiting = 256

    /// A file that a client waits for.
    private final class Ticket {
        var found: Found?
    }

    /// A file to be read.
    enum Subject: Sendable {
        /// A client has passed it.
        case passed(PassedFile)
        /// It waits in an Inbox of a local filesystem, and the daemon has opened it.
        case opened(OpenFile)
    }

    private struct Job: Sendable {
        let subject: Subject
        let name: FileName
        let detector: Detector
        let search: DroppedFile.TwinSearch?

        func perform() -> Found {
            do throws(InspectionFailure) { return .success(try inspect()) } catch { return .failure(error) }
        }

        private func inspect() throws(InspectionFailure) -> DroppedFile {
            let file = try open()
            do throws(Explanation.Failure) {
                return try DroppedFile.inspect(file, as: name, with: detector, search: search)
            } catch {
                throw .explanation(error)
            }
        }

        private func open() throws(InspectionFailure) -> OpenFile {
            switch subject {
            case .opened(let file): return file
            case .passed(let file):
                // Before it is taken: what is refused is closed by a thread that may wait for its server.
                let reason: String?
                do throws(SyscallError) { reason = try file.unansweredReason(trusting: Process.user) } catch {
                    throw .explanation(.failed(error))
                }
                if let reason { throw .foreign(reason) }
                guard let file = file.take() else { throw .explanation(.denied) }
                return file
            }
        }
    }

    private let lane: PoolLane
    private var queue = OwnerQueue<(job: Job, ticket: Ticket, owner: UInt32)>()

    init(in pool: FairPool) {
        lane = PoolLane(of: pool, most: Self.mostAtOnce)
    }

    /// Begins to read a file; what is returned is nil until that is done.
    func begin(
        _ subject: Subject, as name: FileName, with detector: Detector, search: DroppedFile.TwinSearch?,
        for caller: UnixSocket.Peer
    ) throws(ServiceError) -> () -> Found? {
        guard queue.count(of: caller.user) < Self.mostPerUser, queue.count < Self.mostWaiting else {
            throw .foreignFile(reason: "too many files are being read: try again in a moment")
        }
        let ticket = Ticket()
        let job = Job(subject: subject, name: name, detector: detector, search: search)
        queue.append((job, ticket, caller.user), of: caller.user)
        proceed()
        return { ticket.found }
    }

    private func proceed() {
        while lane.isFree, let (job, ticket, owner) = queue.popFirst(besides: lane.owners) {
            lane.begin(of: [owner], { job.perform() }) { [weak self] found in
                ticket.found = found
                self?.proceed()
            }
        }
    }
}

/// The reason why a passed file was not read.
enum InspectionFailure: Error {
    /// It lies on a filesystem that may never answer: why, in words.
    case foreign(String)
    case explanation(Explanation.Failure)
}
