import InboxLinux
import Synchronization

/// The mounts of servers and of programs (NFS, SMB, FUSE) that the roots lie on or have in them.
///
/// A server that hangs blocks whoever calls it, without an error, and a loop that is blocked is killed by the watchdog,
/// again after each restart. So each mount has a thread of its own, which makes the calls there, and the loop waits for
/// each for a moment only. Nothing is touched before the mount has answered once, nor while it owes an answer; and never
/// on a FUSE mount inside a root that was made by anybody but root, this process's user and the root's owner.
package final class ForeignMounts {
    /// The calls that have returned, reported by the threads that made them.
    private final class Answers: Sendable {
        let bell: Bell
        private let counts = Mutex<[UInt64: (count: Int, last: Instant)]>([:])

        init() throws(SyscallError) { bell = try Bell() }

        func add(of mount: UInt64) {
            counts.withLock { counts in
                if counts.isEmpty { bell.ring() }
                counts[mount] = ((counts[mount]?.count ?? 0) + 1, .now())
            }
        }

        func take() throws(SyscallError) -> [UInt64: (count: Int, last: Instant)] {
            try counts.withLock { (counts) throws(SyscallError) in
                // The bell rings as long as there are answers: without one there is nothing to silence.
                if counts.isEmpty { return [:] }
                try bell.silence()
                defer { counts = [:] }
                return counts
            }
        }
    }

    /// The time that calls may take in one turn of the loop before others are served.
    private static let share = Duration.milliseconds(200)
    /// More threads are not started: a service has few tasks (`TasksMax=`), and what lies on a mount without one waits.
    private static let mostThreads = 24

    private let answers: Answers
    private var index = MountIndex()
    private(set) var rooted = RootedMounts()
    private var silence = SilentMounts()
    /// The mounts that everybody knows to be silent.
    package private(set) var heeded: FolderSet = []
    private var now = Instant.now()
    /// The time that the calls of this turn of the loop have taken.
    private var spent = Duration.zero

    /// Nothing is asked yet.
    package init() throws(SyscallError) { answers = try Answers() }

    /// Lends the descriptor that is readable when a mount has answered.
    package func withBell<Failure: Error>(
        _ body: (borrowing FileDescriptor) throws(Failure) -> Void
    ) throws(Failure) { try body(answers.bell.descriptor) }

    /// The mounts that are not to be touched: they are closed, or do not answer.
    package var silent: FolderSet { silence.paths }

    /// The known mounts, as of now.
    package var known: KnownMounts {
        var known = rooted.known
        known.silent = heeded
        return known
    }

    /// Those of them that have been waited for long enough to call it a problem.
    package var late: Set<BytePath> { Set(index.asked.lazy.filter { $0.isLate(at: self.now) }.map(\.path)) }

    /// Returns whether a mount was never asked, since no thread was left for it.
    package func isWithoutThread(_ path: BytePath) -> Bool { index[path]?.hasThread == false }

    // MARK: Calls

    /// The mount that is touched by whoever follows a path to its end; nil where no foreign one is.
    package func mount(of path: @autoclosure () -> BytePath) -> ForeignMount? {
        index.isEmpty ? nil : index.mount(of: path())
    }

    /// Makes a call on what is at a path: where it lies on a foreign mount, on that mount's thread.
    package func call<Value: Sendable, Failure: Error>(
        at path: @autoclosure () -> BytePath, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(MountError<Failure>) -> Value {
        if let mount = mount(of: path()) { return try call(on: mount, body) }
        do throws(Failure) { return try body() } catch { throw .failed(error) }
    }

    /// Makes a call on a mount's thread, and waits for it for a moment.
    package func call<Value: Sendable, Failure: Error>(
        on mount: ForeignMount, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(MountError<Failure>) -> Value {
        let number = mount.number
        guard !mount.isSilent, index.mounts[number] === mount else { throw .silent(mount.path) }
        let result = CallResult<Result<Value, Failure>>()
        let answers = answers
        let start = Instant.now()
        let end = start + mount.wait(at: start)
        mount.perform {
            do throws(Failure) { result.put(.success(try body())) } catch { result.put(.failure(error)) }
            answers.add(of: number)
        }
        while !result.isThere, Instant.now() < end {
            answers.bell.awaitRing(until: end)
            do throws(SyscallError) { try takeAnswers(at: .now()) } catch {
                // A bell that cannot be silenced rings until the end of the wait.
            }
        }
        let took = Instant.now() - start
        spent += took
        let taken = result.take()
        if taken != nil { mount.note(took: took, at: start + took) }
        switch taken {
        case .success(let value)?: return value
        case .failure(let error)?: throw .failed(error)
        case nil:
            mount.abandon(since: start, at: .now())
            // Others may hang as well: those that answer this are waited for.
            ask(at: .now(), isUrgent: true)
            throw .silent(mount.path)
        }
    }

    // MARK: Questions

    /// These are the mounts and the roots now: mounts that are new are asked.
    package func follow(_ table: MountTable, concerning roots: [BytePath], at now: Instant) {
        rooted.follow(table, roots)
        follow(at: now)
    }

    private func follow(at now: Instant) {
        let found = rooted.foreign
        var mounts = index.mounts
        for (number, mount) in mounts {
            if let now = found[number], now.path == mount.path, rooted.isClosed(now) == mount.isClosed { continue }
            mount.end()
            mounts[number] = nil
        }
        for (number, mount) in found where mounts[number] == nil {
            mounts[number] = ForeignMount(mount, isClosed: rooted.isClosed(mount), at: now)
        }
        index = MountIndex(mounts)
        proceed(at: now)
    }

    /// Some may have ceased to answer, or answer again.
    private func updateSilence() { silence.update(index.asked, besides: rooted.known.closed) }

    /// A root belongs to this user, whose mounts in it are used.
    /// - Parameter real: its path without links.
    func note(_ root: BytePath, owner: UInt32, at real: BytePath?) {
        if rooted.note(root, owner: owner, at: real) { follow(at: now) }
    }

    /// Begins a turn of the loop: asks where that is due.
    /// - Parameter isUrgent: whether a worker may be waiting for one of them.
    package func proceed(at now: Instant, isUrgent: Bool = false) {
        self.now = now
        spent = .zero
        for mount in index.asked { mount.note(now) }
        ask(at: now, isUrgent: isUrgent)
        updateSilence()
    }

    private func ask(at now: Instant, isUrgent: Bool) {
        var threads = index.asked.count(where: \.hasThread)
        for mount in index.asked {
            let (number, hadThread) = (mount.number, mount.hasThread)
            mount.ask(at: now, isUrgent: isUrgent, mayStart: threads < Self.mostThreads) { [answers] in
                answers.add(of: number)
            }
            if !hadThread, mount.hasThread { threads += 1 }
        }
    }

    /// Everybody knows which mounts are silent: what was to be inspected there was left, to be found anew.
    package func noteHeeded() {
        heeded = silent
        for mount in index.asked { mount.noteHeeded() }
    }

    /// The calls of this turn of the loop have taken so long that others are to be served first.
    package var isSpent: Bool { spent > Self.share }

    /// There are no mounts.
    package var isEmpty: Bool { index.isEmpty }

    /// Takes the answers that have arrived.
    package func takeAnswers(at now: Instant) throws(SyscallError) {
        self.now = now
        for (number, (count, last)) in try answers.take() { index.mounts[number]?.take(answers: count, at: last) }
        updateSilence()
    }

    /// Waits until each mount has answered, though not for longer than this.
    package func awaitAnswers(atMost limit: Duration) throws(SyscallError) {
        let end = Instant.now() + limit
        while index.asked.contains(where: \.isSilent), now <= end {
            answers.bell.awaitRing(until: end)
            try takeAnswers(at: .now())
            proceed(at: now)
        }
    }

    /// When there is something to ask, or to call silent or late.
    package var nextDeadline: Instant { index.asked.lazy.map { $0.nextDeadline(after: self.now) }.min() ?? .never }
}
