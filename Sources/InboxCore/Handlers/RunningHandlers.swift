import InboxLinux

/// The tries that are under way, each on a thread of its own, and what earlier ones have left running.
struct RunningHandlers {
    private typealias Try = (task: HandlerQueue.Task, control: ProgramControl)

    private var tries: [String: Try] = [:]
    /// The process groups that finished tries have left running.
    let left: LeftGroups
    /// No other try begins.
    private(set) var isEnding = false

    init() throws(SyscallError) { left = try LeftGroups() }

    /// No try is known.
    var isEmpty: Bool { tries.isEmpty }

    /// No try is under way. While the daemon ends, a try that is still looking for its document does not count: it
    /// starts no program, and the server on which it looks may never answer.
    var haveEnded: Bool { tries.values.allSatisfy { isEnding && $0.control.isOver } }

    /// The try of a document that is under way.
    func task(_ id: String) -> HandlerQueue.Task? { tries[id]?.task }

    /// A try begins.
    mutating func insert(_ task: HandlerQueue.Task, _ control: ProgramControl) {
        tries[task.document.id] = (task, control)
    }

    /// A try has ended; nil where it was given up before.
    mutating func remove(_ id: String, _ control: ProgramControl) -> HandlerQueue.Task? {
        tries[id]?.control === control ? tries.removeValue(forKey: id)?.task : nil
    }

    /// Gives up the tries that look for their documents where a server does not answer; returns these.
    /// - Parameter silence: the mount that a document is on, where its server does not answer.
    mutating func giveUp(
        where silence: (HandledDocument) -> BytePath?
    ) -> [(task: HandlerQueue.Task, mount: BytePath)] {
        var over: [(task: HandlerQueue.Task, mount: BytePath)] = []
        for (task, control) in tries.values {
            if let mount = silence(task.document), control.abandonSearch() { over.append((task, mount)) }
        }
        for (task, _) in over { tries[task.document.id] = nil }
        return over
    }

    /// Kills what runs.
    mutating func end() {
        isEnding = true
        for (_, control) in tries.values { control.abandon() }
        left.end()
    }
}
