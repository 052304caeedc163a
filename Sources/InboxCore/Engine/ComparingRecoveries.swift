import InboxFiling
import InboxLinux

/// The recoveries that compare contents: of one claim each, since somebody may have made a source that takes long to
/// compare. The users whose documents they are take turns.
struct ComparingRecoveries {
    private var waiting = OwnerQueue<RecoveriesUnderWay.Numbered>()
    private var underWay: [RecordID: Recovery] = [:]
    /// Those of which it is known that they hang.
    private var hanging: Set<RecordID> = []

    /// A recovery is waiting for a worker.
    var isWaiting: Bool { !waiting.isEmpty }

    /// The shares that no other recovery may work on.
    var shares: [RecoveryShare] { waiting.elements.map(\.recovery.share) + underWay.values.map(\.share) }

    /// Queues what another recovery has left to be compared.
    mutating func append(_ shares: [RecoveryShare], of recovery: Recovery) {
        for share in shares {
            let owner = share.comparing?.min() ?? 0
            waiting.append((recovery.journal.nextID(), recovery.of(share)), of: owner)
        }
    }

    /// Returns true if a recovery for a user other than these is waiting.
    func isAwaited(besides owners: Set<UInt32>) -> Bool { waiting.hasOwner(besides: owners) }

    /// The next one of other users than these, which begins.
    mutating func takeNext(besides owners: Set<UInt32>) -> RecoveriesUnderWay.Numbered? {
        guard let next = waiting.popFirst(besides: owners) else { return nil }
        underWay[next.number] = next.recovery
        return next
    }

    /// One of them has ended; nil where it is none of them.
    mutating func end(_ number: RecordID) -> Recovery? {
        hanging.remove(number)
        return underWay.removeValue(forKey: number)
    }

    /// Those that are under way and have to do with a server that does not answer, and whether these are others than
    /// before.
    mutating func noteHanging(_ silent: FolderSet) -> (all: [Recovery], isNew: Bool) {
        let now = underWay.filter { $0.value.share.servers.contains(where: silent.contains) }
        defer { hanging = Set(now.keys) }
        return (Array(now.values), Set(now.keys) != hanging)
    }

    /// Drops those that wait for a worker: the state folder is lost.
    mutating func suspend() { waiting = OwnerQueue() }
}
