import InboxLinux

/// How a try of a document's handler ended.
package struct HandlerNews: Sendable {
    /// What follows.
    package enum Outcome: String, Sendable {
        /// It has done its work.
        case done
        /// The document was not there any more, so that there was nothing to do.
        case gone
        /// It has failed, and is tried again.
        case retrying
        /// It has failed for the last time.
        case failed
    }

    /// The id of the document's record.
    package let id: String
    /// Where the document is.
    package let path: BytePath
    /// What follows.
    package let outcome: Outcome
    /// How often it was tried.
    package let tries: Int
    /// How it ended, in words; nil for one that has done its work.
    package let detail: String?

    /// How many bytes of text it keeps besides the path.
    var weight: Int { id.utf8.count + (detail?.utf8.count ?? 0) }
}
