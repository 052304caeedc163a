import InboxLinux

/// A report of a handler, or of work that is done for handlers in the pool.
enum HandlerReport: Sendable {
    /// A handler wrote a line.
    case wrote(HandledDocument, [UInt8])
    /// A try ended.
    case ended(HandledDocument, ProgramControl, HandlerEnding, Duration)
    /// These documents are to be handled, of all that the history has up to a place, and others of these owners.
    case found([HandledDocument], full: Set<UInt32>, upTo: History.Mark)
    /// The ends of handlers were written to the history, or could not be.
    case recorded(SyscallError?)
    /// That a handler is to run again is in the journal of handlers, or could not be written.
    case noted(SyscallError?)
    /// The history could not be searched.
    case searchFailed(SyscallError)
}
