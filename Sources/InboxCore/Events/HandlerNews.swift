import InboxLinux

/// The end of one try of a document's handler.
package struct HandlerNews: Sendable {
    /// The consequence of a try.
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
    /// The consequence of the try.
    package let outcome: Outcome
    /// The number of tries so far.
    package let tries: Int
    /// The failure, in words; nil for a handler that has done its work.
    package let detail: String?

    /// The number of bytes of text that it keeps besides the path.
    var weight: Int { id.utf8.count + (detail?.utf8.count ?? 0) }
}
