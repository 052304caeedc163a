/// A reason why an arrival is not filed yet that is, or will be, worked on without a request: section 1 of the
/// contract.
package enum WaitingReason: String, Sendable, CaseIterable {
    /// A process has it open for writing.
    case writing
    /// Its quiet time is not over, or its filing is under way.
    case settling
    /// It is empty and may still be a placeholder.
    case empty
    /// Its own format shows that it is cut off: the rest may come.
    case incomplete
    /// A partial download of it lies beside it.
    case sibling
    /// Its marker is not there yet, or does not count.
    case unready
    /// A check decides about it, or is about to.
    case checking
    /// It was created in a folder that is being filled.
    case gathering
    /// A passing failure: it is tried again.
    case retrying
    /// It is being copied to another filesystem, or waits for its turn.
    case copying
}
