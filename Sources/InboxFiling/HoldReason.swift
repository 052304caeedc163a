/// The reason why an arrival stays until it changes or someone asks for a retry.
package enum HoldReason: String, Sendable, CaseIterable {
    /// A symbolic link, where those are held.
    case symlink
    /// A FIFO, socket or device.
    case special
    /// The daemon may not move it, or may not write where it belongs.
    case permission
    /// The destination's filesystem cannot hold its name.
    case name
    /// A folder that lies too deep to be walked, or that travels in one piece and has too much in it.
    case depth
    /// Its destination lies in an Inbox.
    case loops
    /// Its content contradicts its name, where that is not accepted.
    case mismatch
    /// Somebody had it put back after it was filed.
    case undone
    /// The disk refused to keep its content.
    case syncFailed = "sync-failed"
    /// A filesystem on its way has no room for a file of its size, however much is free there.
    case tooLarge = "too-large"
    /// Its own format shows that it is cut off, and the rest has not come.
    case incomplete
    /// Its content has not the sum that its marker says.
    case checksum
    /// One that was filed before has the same bytes, where such documents are held.
    case duplicate
    /// Its check fails again and again, so that nobody knows whether it may be filed.
    case check
    /// Its check has rejected it, and there is no folder for such documents.
    case rejected
}
