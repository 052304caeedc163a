import InboxLinux

/// The reason why a filed document is not put back.
package enum UndoRefusal: Error, Hashable, Sendable {
    /// The history has no document of this id.
    case unknown
    /// It was discarded, since an identical document was at its destination.
    case discarded(twin: BytePath)
    /// It was put back before.
    case undone
    /// Nothing is where it was filed.
    case gone(BytePath)
    /// The file at this path is no longer the one that was filed.
    case changed(BytePath)
    /// Another file has its old name now.
    case taken(BytePath)
    /// Its old name is that of the Inbox itself.
    case inboxName(BytePath, filed: BytePath)
    /// Its handler runs, or is still to run.
    case handled
    /// A process has it open for writing.
    case written(BytePath)
    /// It was filed from or to a place that the configuration no longer names.
    case elsewhere(BytePath)
    /// Anything else that prevents it, in words.
    case failed(String)

    /// The word of the interface.
    package var word: String {
        switch self {
        case .unknown: "unknown"
        case .discarded: "discarded"
        case .undone: "undone"
        case .gone: "gone"
        case .changed: "changed"
        case .taken, .inboxName: "taken"
        case .handled: "handled"
        case .written: "written"
        case .elsewhere: "elsewhere"
        case .failed: "failed"
        }
    }
}

extension UndoRefusal {
    /// That the journal still has an entry of the document.
    package static func unfinished(_ entry: Journal.Unfinished) -> UndoRefusal {
        let next =
            "try again in a moment; \"inboxctl status\" says what it waits for, and \"inboxctl retry\" goes on with it"
        return switch entry {
        case .underWay: .failed("it is still being filed: try again in a moment")
        case .filing: .failed("its filing was interrupted and has not ended: \(next)")
        case .unsynced:
            .failed(
                "the disk may have lost the name that it was filed under, which only a restart of the machine shows: restart "
                    + "it, then try again")
        case .undo: .failed("its return to the Inbox was interrupted and has not ended: \(next)")
        }
    }
}

extension UndoRefusal: CustomStringConvertible {
    /// The reason and the remedy, in words for a person.
    package var description: String {
        switch self {
        case .unknown: "the history has no filed document of this id: \"inboxctl history\" lists them"
        case .discarded(let twin): "it was discarded, because \(twin) is identical: copy that one"
        case .undone: "it was put back before"
        case .gone(let path): "\(path) is no longer there: whoever moved it can move it into the Inbox"
        case .changed(let path): "\(path) has changed since it was filed: move it into the Inbox yourself"
        case .taken(let path): "\(path) is there already: rename it, then try again"
        case .inboxName(let path, let filed):
            "\(path) had the name of the Inbox, which is a folder now: move \(filed) where you want it yourself"
        case .handled: "its handler has not ended: try again when it has, or set RunTimeout="
        case .written(let path): "a process has \(path) open for writing: end it, then try again"
        case .elsewhere(let path): "\(path) lies in no Inbox, Documents or destination of the configuration"
        case .failed(let words): words
        }
    }
}
