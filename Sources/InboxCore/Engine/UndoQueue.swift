import InboxFiling

/// The documents that wait to be put back, small ones and large ones as in the lanes that copy. Of each kind the users who
/// ask for it take turns, and so do these and the copies: no user's undos delay all copies, nor the other way round.
struct UndoQueue {
    /// The jobs of a lane.
    private struct Row {
        var jobs = OwnerQueue<UndoJob>()
        /// Whether the last job of the lane was one of these: then a waiting copy is next.
        var wasLast = false
    }

    private var small = Row()
    private var large = Row()

    /// Whether none waits.
    var isEmpty: Bool { small.jobs.isEmpty && large.jobs.isEmpty }

    /// A document waits.
    mutating func append(_ job: UndoJob, large isLarge: Bool) {
        if isLarge { large.jobs.append(job, of: job.order.user) } else { small.jobs.append(job, of: job.order.user) }
    }

    /// Whether one of other users than these waits.
    func has(large isLarge: Bool, besides owners: Set<UInt32>) -> Bool {
        (isLarge ? large : small).jobs.hasOwner(besides: owners)
    }

    /// Takes the next one of other users than these.
    mutating func pop(large isLarge: Bool, besides owners: Set<UInt32>) -> UndoJob? {
        isLarge ? large.jobs.popFirst(besides: owners) : small.jobs.popFirst(besides: owners)
    }

    /// Whether the last job of a lane was one of these.
    func wasLast(large isLarge: Bool) -> Bool { (isLarge ? large : small).wasLast }

    /// A job of a lane begins.
    mutating func noteJob(isUndo: Bool, large isLarge: Bool) {
        if isLarge { large.wasLast = isUndo } else { small.wasLast = isUndo }
    }

    /// Takes all of them.
    mutating func takeAll() -> [UndoJob] {
        var jobs: [UndoJob] = []
        while let job = small.jobs.popFirst() ?? large.jobs.popFirst() { jobs.append(job) }
        return jobs
    }
}
