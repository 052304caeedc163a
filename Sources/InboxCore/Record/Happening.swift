import InboxLinux

/// What the core tells to whoever writes the log, the status and the events. The core itself never logs.
public enum Happening: Sendable {
    /// A document was filed and recorded.
    case filed(FiledRecord)
    /// An arrival is held from now on.
    case held(path: BytePath, reason: HoldReason, detail: String?)
    /// A held or retried arrival goes on.
    case released(path: BytePath)
    /// A passing failure: the arrival is tried again.
    case retrying(path: BytePath, detail: String)
    /// Something is wrong with the daemon's surroundings.
    case problemBegan(String)
    /// It no longer is.
    case problemEnded(String)
    /// Something that is worth a line, and no problem.
    case notice(String)
    /// The kernel's queue overflowed: everything is looked at again.
    case overflow
}

/// What is wrong with the daemon's surroundings, each with its words: told when it begins and when it ends.
public struct Problems: Sendable {
    /// What a problem is about.
    public enum Subject: Hashable, Sendable {
        /// An Inbox, by its path, cannot be reached or made.
        case inbox(BytePath)
        /// Something else stands under an Inbox's name.
        case impostor(BytePath)
        /// Watches ran out.
        case watchLimit
        /// A folder that cannot be read.
        case folder(FileKey)
        /// Documents cannot be reached.
        case documents
        /// A mount inside Documents, by its path, cannot be reached.
        case mount(BytePath)
        /// There is no room for more arrivals.
        case crowd
        /// The state folder cannot be written.
        case state
        /// There is no control socket.
        case control
        /// A folder's names may not be on the disk.
        case names
        /// It cannot be told what became of documents after an interruption.
        case recovery
    }

    private var words: [Subject: String] = [:]
    private var order: [Subject] = []

    /// No problem.
    public init() {}

    /// The words of all that stand, oldest first.
    public var all: [String] { order.compactMap { words[$0] } }

    /// Whether none stands.
    public var isEmpty: Bool { words.isEmpty }

    /// Whether this one stands.
    func stands(_ subject: Subject) -> Bool { words[subject] != nil }

    /// Takes note of a problem; answers what to tell, once for the same words.
    mutating func begin(_ subject: Subject, _ text: String) -> Happening? {
        let former = words.updateValue(text, forKey: subject)
        if former == nil { order.append(subject) }
        return former == text ? nil : .problemBegan(text)
    }

    /// Takes note that a problem is over; answers what to tell, once.
    mutating func end(_ subject: Subject) -> Happening? {
        guard let text = words.removeValue(forKey: subject) else { return nil }
        order.removeAll { $0 == subject }
        return .problemEnded(text)
    }
}
