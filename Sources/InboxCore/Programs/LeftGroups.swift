import InboxLinux
import Synchronization

/// The processes that programs have left in their groups: one thread follows all of them, until nothing is left
/// of a group or its time is up.
final class LeftGroups: Sendable {
    private struct Left {
        var group: LeftGroup
        /// Then it is killed.
        let deadline: Instant
    }

    private struct State {
        var groups: [Int32: Left] = [:]
        /// A thread follows the groups.
        var isFollowed = false
        /// Nothing is to be left running.
        var isEnding = false
    }

    /// The pauses between two passes over all processes.
    private static let (shortest, longest) = (Duration.milliseconds(100), Duration.seconds(5))
    /// A pass takes no more than this part of the time.
    private static let share = 20
    /// So long a new group waits for the first pass, and output for being read, which slows down those who go on writing.
    private static let breath = Duration.milliseconds(20)

    private let state = Mutex(State())
    /// Wakes the thread for a group that is new.
    private let bell: Bell

    init() throws(SyscallError) { bell = try Bell() }

    /// Takes over the group of a program that has ended.
    func insert(_ group: LeftGroup, until deadline: Instant) {
        let isTaken = state.withLock { state in
            if !state.isEnding { state.groups[group.number] = Left(group: group, deadline: deadline) }
            return !state.isEnding
        }
        if isTaken { return bell.ring() }
        group.kill()
        group.free()
    }

    /// Kills all of them, and whatever else is inserted.
    func end() {
        state.withLock { state in
            state.isEnding = true
            for left in state.groups.values { left.group.kill() }
        }
    }

    /// Follows all of them on this thread until none is left; returns at once where another thread does that.
    func follow() {
        let isFollowed = state.withLock { state in
            defer { state.isFollowed = true }
            return state.isFollowed
        }
        if isFollowed { return }
        var pause = Self.shortest
        var known: Set<Int32> = []
        while let present = remaining() {
            // What a program has left often ends soon.
            if !present.isSubset(of: known) { pause = Self.shortest }
            known = present
            let start = Instant.now()
            // Others may have come meanwhile, of which the pass says nothing.
            let empty = present.subtracting(LeftGroup.living(among: present))
            let end = Instant.now()
            free { empty.contains($0.group.number) }
            let cost = (end - start) * Self.share
            rest(until: end + max(pause, cost), new: end + max(Self.breath, cost))
            free { $0.deadline <= .now() }
            pause = min(pause * 2, Self.longest)
        }
    }

    /// The numbers of those that are left; nil where none is, so that no thread follows them any more.
    private func remaining() -> Set<Int32>? {
        state.withLock { state in
            state.isFollowed = !state.groups.isEmpty
            return state.isFollowed ? Set(state.groups.keys) : nil
        }
    }

    /// Kills what is left of some groups, and gives their numbers back.
    private func free(where isOver: (Left) -> Bool) {
        let over = state.withLock { state in
            let over = state.groups.values.filter(isOver)
            for left in over {
                left.group.kill()
                state.groups[left.group.number] = nil
            }
            return over
        }
        for left in over { left.group.free() }
    }

    /// Reads and drops what they write until this instant, or the end of somebody's time.
    /// - Parameter early: where a group is new, it is no longer than until then.
    private func rest(until end: Instant, new early: Instant) {
        var end = end
        while true {
            let groups = state.withLock { $0.groups }
            guard let deadline = groups.values.map(\.deadline).min() else { return }
            end = min(end, deadline)
            LeftGroup.awaitOutput(of: groups.values.map(\.group), or: bell, until: end)
            if isRung { end = min(end, early) }
            if end <= .now() { return }
            if dropOutput() { bell.awaitRing(until: min(end, .now() + Self.breath)) }
        }
    }

    private func dropOutput() -> Bool {
        state.withLock { state in
            var hasWritten = false
            for number in Array(state.groups.keys) where state.groups[number]?.group.dropOutput() == true {
                hasWritten = true
            }
            return hasWritten
        }
    }

    /// A group was added since this property was last read.
    private var isRung: Bool {
        do throws(SyscallError) { return try bell.silence() } catch { return false }
    }
}
