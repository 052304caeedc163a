import InboxFiling
import InboxLinux

/// A report of a handler, or of work that is done for handlers in the pool.
enum HandlerReport: Sendable {
    /// A handler wrote a line.
    case wrote(HandledDocument, [UInt8])
    /// A try ended.
    case ended(HandledDocument, ProgramControl, HandlerEnding, Duration)
    /// The journal was read for these owners, and has others of some.
    case read(HandlerReading.Found, of: [UInt32], others: Set<UInt32>)
    /// The records of what is due could not be read.
    case readFailed(SyscallError)
    /// The ends of handlers were written to the history, or could not be.
    case recorded(SyscallError?)
    /// The documents whose types have no handler any more are due no longer.
    case dropped
    /// That a handler is to run again is in the journal, or could not be written.
    case noted(SyscallError?)
    /// The due handlers of an earlier version are in the journal, or could not be taken over.
    case takenOver(SyscallError?)
}
