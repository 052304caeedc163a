import InboxLinux

/// The tries that are under way, each on a thread of its own, and what earlier ones have left running.
struct RunningHandlers {
    private typealias Try = (task: HandlerQueue.Task, control: HandlerControl)

    private var tries: [String: Try] = [:]
    /// What tries that have ended have left running.
    let left: LeftGroups
    /// Whether no other begins.
    private(set) var isEnding = false

    init() throws(SyscallError) { left = try LeftGroups() }

    /// Whether none is under way.
    var isEmpty: Bool { tries.isEmpty }

    /// The try of a document that is under way.
    func task(_ id: String) -> HandlerQueue.Task? { tries[id]?.task }

    /// A try begins.
    mutating func insert(_ task: HandlerQueue.Task, _ control: HandlerControl) {
        tries[task.document.id] = (task, control)
    }

    /// A try has ended; nil where it is not known.
    mutating func remove(_ id: String) -> HandlerQueue.Task? { tries.removeValue(forKey: id)?.task }

    /// Kills what runs.
    mutating func end() {
        isEnding = true
        for (_, control) in tries.values { control.abandon() }
        left.end()
    }
}
