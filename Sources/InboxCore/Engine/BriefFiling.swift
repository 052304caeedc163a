import InboxConfiguration
import InboxFiling
import InboxLinux

/// Which batches the loop files itself: those that are over before a worker would have woken for them.
struct BriefFiling {
    /// One document takes a tenth of a millisecond; one that took longer than this has waited for a disk that is busy.
    private static let most = Duration.milliseconds(5)
    /// The time for which workers file everything after such a wait.
    private static let pause = Duration.seconds(10)

    private var next = Instant(nanoseconds: 0)

    /// Returns true if the loop may file these requests: a single document whose content is neither synced nor
    /// compared.
    func admits(_ requests: [FilingRequest], at now: Instant) -> Bool {
        guard requests.count == 1, let settings = requests.first?.settings, next <= now else { return false }
        return settings.durability == .relaxed && settings.onConflict == .number
    }

    /// The loop has filed a batch.
    /// - Parameter now: when it was done.
    mutating func note(_ duration: Duration, at now: Instant) {
        if duration > Self.most { next = now + Self.pause }
    }
}
