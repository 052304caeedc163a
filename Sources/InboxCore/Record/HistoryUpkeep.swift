import InboxConfiguration
import InboxLinux

/// Keeps the history to its limits: rotates the present file and removes old ones.
final class HistoryUpkeep {
    /// The longest time between two inspections, and the time until the next one where old files are left or still
    /// needed.
    private static let pause = (longest: Duration.seconds(600), short: Duration.seconds(1))

    private let history: History
    /// When old files are searched for next; `never` where records are kept for ever.
    private(set) var nextDeadline = Instant.never
    private var wasReported = false

    /// Keeps to these limits, beginning at this moment.
    init(_ history: History, _ settings: HistorySettings, at moment: Moment) {
        self.history = history
        adopt(settings, at: moment)
    }

    /// Keeps to other limits from now on.
    func adopt(_ settings: HistorySettings, at moment: Moment) {
        history.adopt(maxSize: settings.maxSize, maxAge: settings.maxAge)
        nextDeadline = settings.maxAge > .zero ? moment.now : .never
    }

    /// Does what is due.
    /// - Parameter isNeeded: whether records of the old files may still be looked for.
    /// - Returns: what failed, in words, once.
    func proceed(isNeeded: Bool, at moment: Moment) -> String? {
        guard nextDeadline <= moment.now else { return nil }
        let span = history.limits.withLock { $0.span }
        nextDeadline = moment.now + min(span, Self.pause.longest)
        do throws(SyscallError) {
            if try !history.rotate(at: moment.wall) {
                nextDeadline = moment.now + Self.pause.short
            } else if isNeeded {
                nextDeadline = moment.now + Self.pause.short
            } else if try history.expire(at: moment.wall) {
                nextDeadline = moment.now + Self.pause.short
            }
            wasReported = false
            return nil
        } catch {
            defer { wasReported = true }
            return wasReported ? nil : "cannot remove old files of the history: \(error)"
        }
    }
}
