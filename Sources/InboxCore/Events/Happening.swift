import InboxFiling
import InboxLinux

/// A report of the core to whoever writes the log, the status and the events. The core itself never logs.
package enum Happening: Sendable {
    /// A document was filed and recorded.
    case filed(FiledRecord)
    /// Recovery has made the missing record of a document that an interruption had left at its destination.
    case recovered(FiledRecord)
    /// A document was discarded because an identical one is at its destination.
    case duplicate(DuplicateRecord)
    /// A document was put back into an Inbox.
    case undone(UndoneRecord)
    /// The handler of a document wrote a line.
    case handlerWrote(id: String, documentType: String, line: [UInt8])
    /// The check of a document wrote a line.
    case checkWrote(path: BytePath, line: [UInt8])
    /// A try of a document's handler has ended.
    case handled(HandlerNews, program: BytePath)
    /// An arrival is held from now on.
    case held(path: BytePath, reason: HoldReason, detail: String?)
    /// A held or retried arrival goes on.
    case released(path: BytePath)
    /// A passing failure: the arrival is tried again.
    case retrying(path: BytePath, detail: String)
    /// Something is wrong with the daemon's surroundings.
    case problemBegan(Problem)
    /// A problem that began before is now described by these words.
    case problemChanged(Problem)
    /// A problem is over; the words are those that were reported last.
    case problemEnded(Problem)
    /// Something that is worth a line, and no problem.
    case notice(String)
    /// Something that is wrong until the next configuration, and keeps nothing from going on.
    case warning(String)
    /// The kernel's queue overflowed: everything is scanned again.
    case overflow
}

/// The problems of the daemon's surroundings, each with its description: reported when they begin and when they end.
package struct Problems: Sendable {
    /// The subject of a problem.
    package enum Subject: Hashable, Sendable {
        /// An Inbox, by its path, cannot be reached or made.
        case inbox(BytePath)
        /// Something else has an Inbox's name.
        case impostor(BytePath)
        /// Watches ran out.
        case watchLimit
        /// There is no inotify instance.
        case noEvents
        /// The process has too many files open.
        case descriptors
        /// A folder that cannot be read or watched, though that is permitted.
        case folder(FileKey)
        /// Documents cannot be reached.
        case documents
        /// Nothing more can be written to a filesystem, by the root or the mount that documents meet it in.
        case obstruction(BytePath)
        /// A quota is used up there.
        case quota(BytePath)
        /// The disk of a root, by that path, does not work.
        case disk(BytePath)
        /// A mount inside Documents, by its path, cannot be reached.
        case mount(BytePath)
        /// A mount's server does not answer.
        case silence(BytePath)
        /// The names that an Inbox of this path ignores as parts of downloads that nobody goes on with.
        case partials(BytePath)
        /// There is no room for more arrivals.
        case crowd
        /// The state folder cannot be written.
        case state
        /// Where the roots are cannot be written down.
        case places
        /// There is no control socket.
        case control
        /// The configuration on disk is broken, and the former one stays in force.
        case configuration
        /// A folder's names may not be on the disk.
        case names
        /// It is not known what became of documents after an interruption.
        case recovery
    }

    private var words: [Subject: String] = [:]
    /// The words with which each was reported, which may have been revised since.
    private var reported: [Subject: String] = [:]
    private var order: [Subject] = []
    /// The paths that a problem concerns, where its subject does not state them.
    private var places: [Subject: [BytePath]] = [:]

    /// No problem.
    package init() {}

    /// The words of all that there are, oldest first.
    package var all: [String] { order.compactMap { words[$0] } }

    /// The oldest one that keeps something from being filed; nil where there is none.
    package var firstGrave: Problem? {
        order.first(where: \.isGrave).flatMap { subject in words[subject].map { problem(subject, $0) } }
    }

    /// The words for somebody who may not know every path: of one that is not known to him as a whole only that much is
    /// shown.
    /// - Parameter known: the beginning of a path that he may know.
    package func all(known: (BytePath) -> BytePath) -> [String] {
        order.compactMap { subject in words[subject].map { problem(subject, $0).text(known: known) } }
    }

    private func problem(_ subject: Subject, _ text: String) -> Problem {
        let paths = places[subject] ?? subject.place.map { [$0] } ?? []
        return Problem(
            text,
            about: paths.first.map { Problem.Subject(path: $0, others: Array(paths.dropFirst()), gist: subject.gist) },
            as: subject)
    }

    /// There is none.
    package var isEmpty: Bool { words.isEmpty }

    /// One of them keeps something from being filed. What only might be a document does not.
    package var areGrave: Bool { words.keys.contains(where: \.isGrave) }

    /// Returns true if there is a problem with this subject.
    func has(_ subject: Subject) -> Bool { words[subject] != nil }

    /// The words of this one; nil where there is none.
    func words(of subject: Subject) -> String? { words[subject] }

    /// Takes note of a problem; returns what to report, once for the same words: with others, that they have changed.
    /// - Parameter paths: what it is about, where the subject does not say so, and what else the words name.
    mutating func begin(_ subject: Subject, _ text: String, about paths: [BytePath] = []) -> Happening? {
        places[subject] = paths.isEmpty ? nil : paths
        let former = words.updateValue(text, forKey: subject)
        if former == nil { order.append(subject) }
        if former == text { return nil }
        let past = reported.updateValue(text, forKey: subject)
        if past == text { return nil }
        let problem = problem(subject, text)
        return past == nil ? .problemBegan(problem) : .problemChanged(problem)
    }

    /// Changes the words of a problem without a report; false where there is none.
    mutating func revise(_ subject: Subject, _ text: String) -> Bool {
        guard words[subject] != nil else { return false }
        words[subject] = text
        return true
    }

    /// Takes note that a problem is over; returns what to report, once.
    mutating func end(_ subject: Subject) -> Happening? {
        guard let text = words.removeValue(forKey: subject) else { return nil }
        let problem = problem(subject, reported.removeValue(forKey: subject) ?? text)
        order.removeAll { $0 == subject }
        places[subject] = nil
        return .problemEnded(problem)
    }
}

extension Problems.Subject {
    /// It keeps something from being filed.
    fileprivate var isGrave: Bool { if case .partials = self { false } else { true } }

    /// The path that it is about, where that is not one that the status shows to everybody.
    fileprivate var place: BytePath? {
        switch self {
        case .obstruction(let path), .quota(let path), .disk(let path), .mount(let path), .silence(let path): path
        default: nil
        }
    }

    /// The problem in words, to which a path is appended.
    fileprivate var gist: String {
        switch self {
        case .obstruction, .quota: "nothing more can be written to something"
        case .disk: "the disk of something does not work"
        case .mount: "nothing is filed into something"
        case .silence: "there is no answer from something"
        case .folder: "cannot read or watch a folder"
        case .partials: "a part of a download is ignored that has not gone on for a day"
        case .recovery: "an interruption has left something that cannot be ended yet"
        default: "something is wrong"
        }
    }
}
