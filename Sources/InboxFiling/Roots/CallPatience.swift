import InboxLinux

/// The time for which the loop waits for a call on a mount: as long as the server has been seen to need, within
/// limits, so that a distant server is used, and one that hangs keeps nobody waiting.
struct CallPatience {
    /// The time to wait for a call if nothing is known; less after a wait in vain.
    private static let wait = (usual: Duration.milliseconds(500), wary: Duration.milliseconds(100))
    /// No call is waited for longer than this, however slow the server has been.
    static let most = Duration.seconds(2)
    /// The time for which a question may be unanswered before the loop hardly waits for a call queued behind it, and
    /// the wait from then on.
    private static let doubt = (after: Duration.milliseconds(200), wait: Duration.milliseconds(20))
    /// The time for which an observation of the mount counts.
    private static let memory = Duration.seconds(60)

    /// The longest answer of late, and when one last took about as long.
    private var longest: (took: Duration, at: Instant)?
    /// When the loop last waited in vain.
    private var abandoned: Instant?

    /// An answer took so long. What takes longer than the loop ever waits says that the server hung, not that it is slow.
    mutating func note(took: Duration, at now: Instant) {
        guard took <= Self.most, took * 2 >= needed(at: now) else { return }
        longest = (max(took, needed(at: now)), now)
    }

    /// A call was waited for in vain.
    mutating func noteAbandoned(at now: Instant) { abandoned = now }

    /// Returns the time to wait for a call that begins now.
    /// - Parameter question: the time of a question that the call is queued behind; nil if none is under way.
    func wait(at now: Instant, behind question: Instant?) -> Duration {
        let isWary = abandoned.map { now < $0 + Self.memory } ?? false
        let slow = min(needed(at: now) * 2, Self.most)
        let wait = max(isWary ? Self.wait.wary : Self.wait.usual, slow)
        guard let question else { return wait }
        return min(wait, max(question + max(Self.doubt.after, slow) - now, Self.doubt.wait))
    }

    private func needed(at now: Instant) -> Duration {
        longest.flatMap { now < $0.at + Self.memory ? $0.took : nil } ?? .zero
    }
}
