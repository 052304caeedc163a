import InboxFiling
import InboxLinux

/// One delivery, for the pool.
struct DeliveryJob: Sendable {
    /// The progress or the result of a delivery.
    enum Outcome: Sendable {
        /// So many bytes are copied, and it goes on.
        case copied(Int64)
        /// It has this path and is this file; nil where its filesystem cannot tell.
        case delivered(BytePath, FileKey?)
        case failed(String)
        /// The file lies on a filesystem that may never answer, and nothing of it was read.
        case foreign(String)
    }

    /// The longest time that a delivery may take.
    private static let patience = Duration.seconds(3600)

    let delivery: Delivery
    let file: PassedFile
    let inbox: BytePath
    /// The Inbox is created if it is missing.
    let makesInbox: Bool
    /// The client receives progress reports.
    let reportsProgress: Bool
    let begun: Instant

    /// Delivers.
    /// - Parameters:
    ///   - now: the clock.
    ///   - report: takes the progress of a delivery that takes long.
    func perform(now: @escaping () -> Instant, report: @escaping (Outcome) -> Void) -> Outcome {
        do throws(DeliveryError) {
            let delivered = try deliver(now, report)
            return .delivered(inbox.appending(delivered.name), delivered.file)
        } catch {
            if case .foreign(let reason) = error { return .foreign(reason) }
            return .failed("\(error)")
        }
    }

    private func refusal() throws(DeliveryError) -> String? {
        do throws(SyscallError) { return try file.unansweredReason(trusting: Process.user) } catch {
            throw .failed(error)
        }
    }

    private func deliver(
        _ now: @escaping () -> Instant, _ report: @escaping (Outcome) -> Void
    ) throws(DeliveryError) -> DeliveredFile {
        // Before it is taken: what is refused is closed by a thread that may wait for its server.
        if let reason = try refusal() { throw .foreign(reason) }
        guard let file = file.take() else { throw .changed }
        let folder = try DeliveryInbox.open(inbox, makesMissing: makesInbox)
        var delivery = delivery
        do throws(SyscallError) {
            let status = try file.descriptor.status()
            try delivery.takeOver(status, of: file.descriptor)
            delivery.permissions |= 0o600
        } catch {
            throw .failed(error)
        }
        let deadline = begun + Self.patience
        var pace = ProgressPace(begun: begun)
        return try delivery.perform(in: folder) { (target) throws(DeliveryError) in
            let content = DeliveredContent { count in
                let moment = now()
                if reportsProgress, pace.isDue(at: moment) { report(.copied(count)) }
                return moment < deadline
            }
            try content.copy(file, to: target)
        }
    }
}
