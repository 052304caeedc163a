import InboxLinux

/// The reason why a document is not filed now, as the outcome for its arrival.
package struct Refusal: Error {
    /// The outcome for the arrival.
    package let outcome: FilingOutcome
    /// The process has too many files open.
    package let isWantOfDescriptors: Bool
    /// The mount that is not the one that is remembered, where that is the reason.
    package let strangeMount: StrangeMount?

    /// The failure to write the journal, if that is the reason.
    package let journalFailure: SyscallError?
    /// Files that belong together are apart, and could not be brought together again: recovery does that, by their entry.
    package private(set) var leavesApart = false

    /// A mount that is not the one that is remembered.
    package struct StrangeMount: Sendable {
        /// Where it is.
        package let path: BytePath
        /// The way in which the mount differs.
        package let error: RootError
    }

    /// The reason why it stays, for a person.
    package var words: String {
        switch outcome {
        case .hold(let reason, let words): words.map { "\(reason.rawValue): \($0)" } ?? "\(reason.rawValue)"
        case .retry(let words), .postponed(let words): words
        default: "it is changing"
        }
    }

    /// A refusal with this outcome.
    package init(_ outcome: FilingOutcome) {
        self.outcome = outcome
        strangeMount = nil
        journalFailure = nil
        isWantOfDescriptors = false
    }

    /// Its destination lies in a private folder of somebody else.
    package init(privateFolder path: BytePath) {
        self.init(.hold(.permission, "\(path) is a private folder of somebody else"))
    }

    /// A document with the same bytes was filed before, and is at this path.
    package init(filedBeforeAs path: BytePath) {
        self.init(.hold(.duplicate, "it was filed before, as \(path): remove it, or inboxctl retry files it again"))
    }

    /// A filesystem on its way has no file of its size.
    init(tooLarge words: String) {
        self.init(
            .hold(
                .tooLarge,
                "\(words): its filesystem, or the limit of the daemon (ulimit -f), takes no file of that size: change "
                    + "Destination=, or split it"))
    }

    /// The journal could not be written.
    init(journal error: SyscallError) {
        outcome = .postponed("cannot write the journal: \(error.errno)")
        isWantOfDescriptors = false
        strangeMount = nil
        journalFailure = error
    }

    /// A mount is not the one that is remembered: filing waits until that one is back.
    init(strangeMount path: BytePath, _ error: RootError) {
        outcome = .retry("\(error)")
        isWantOfDescriptors = false
        journalFailure = nil
        strangeMount = StrangeMount(path: path, error: error)
    }

    /// Creates the refusal that a failed call means for the document that it was made for.
    /// - Parameter place: the path of the file or folder that the call was about.
    package init(_ error: SyscallError, at place: BytePath) {
        let words = error.words(at: place)
        isWantOfDescriptors = error.errno.isWantOfDescriptors
        strangeMount = nil
        journalFailure = nil
        if let obstruction = Obstruction(error, at: place) {
            outcome = .obstructed(obstruction)
            return
        }
        outcome =
            switch error.errno {
            case let code where code.isAbsent: .changed
            case let code where code.isWantOfDescriptors: .postponed(words)
            case let code where code.isTransient: .retry(words)
            case let code where code.isDenied: .hold(.permission, words)
            case let code where code.isUnmappedOwner: .hold(.permission, words)
            case let code where code.isTooLargeFile: Refusal(tooLarge: words).outcome
            case let code where code.isUnfitName: .hold(.name, "\(words): rename the document, or its folder")
            default: .retry(words)
            }
    }

    /// Files that belong to the document are where it is not, since a call failed twice.
    init(apart error: SyscallError, at place: BytePath) {
        self.init(.retry(error.words(at: place)))
        leavesApart = true
    }

    /// Makes a call about the file or folder of this path for a document.
    static func at<Value>(
        _ place: BytePath, _ call: @autoclosure () throws(SyscallError) -> Value
    ) throws(Refusal) -> Value {
        do throws(SyscallError) { return try call() } catch { throw Refusal(error, at: place) }
    }
}
