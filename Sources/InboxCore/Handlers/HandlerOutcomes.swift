import InboxLinux

/// The counts of what became of handlers since the daemon's start, and the documents whose handlers have failed for
/// good.
package struct HandlerOutcomes: Sendable {
    /// A document whose handler has failed, and is not tried again by itself.
    package struct Failure: Sendable {
        /// The id of its record.
        package let id: String
        /// Its path.
        package let path: BytePath
        /// The ending of the last try, in words.
        package let words: String
    }

    /// More failures are counted, but not named.
    private static let mostNamed = 1000

    /// Handlers that have done their work.
    package private(set) var done = 0
    /// Documents that were gone before their handler could begin.
    package private(set) var gone = 0
    /// Tries that failed and were followed, or are, by another.
    package internal(set) var retried = 0
    /// Handlers that have failed for good.
    package private(set) var failed = 0
    /// Those of the failed ones that nobody has had run again, the newest last.
    package private(set) var failures: [Failure] = []

    /// Counts the end of a document's handler.
    mutating func note(_ ending: HandlerEnding, of document: HandledDocument) {
        resolve(document.id)
        if ending.isGone {
            gone += 1
        } else if ending.isSuccess {
            done += 1
        } else {
            failed += 1
            if failures.count == Self.mostNamed { failures.removeFirst() }
            failures.append(Failure(id: document.id, path: document.path, words: ending.words))
        }
    }

    /// The handler of a document runs again.
    mutating func resolve(_ id: String) { failures.removeAll { $0.id == id } }
}
