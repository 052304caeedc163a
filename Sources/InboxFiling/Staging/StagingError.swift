import InboxLinux

/// The reason why no staging folder is available.
package enum StagingError: Error {
    /// A call in the root failed.
    case root(SyscallError)
    /// No identifier could be drawn: this file of the state folder cannot be written.
    case identifier(in: BytePath, SyscallError)

    /// The call that failed.
    package var failure: SyscallError {
        switch self {
        case .root(let failure), .identifier(_, let failure): failure
        }
    }

    /// Makes a call in the root.
    static func ofRoot<Value>(_ call: @autoclosure () throws(SyscallError) -> Value) throws(StagingError) -> Value {
        do throws(SyscallError) { return try call() } catch { throw .root(error) }
    }

    /// Returns the refusal of a document that was to be claimed in the root of this path.
    func refusal(at root: BytePath) -> Refusal {
        switch self {
        case .root(let error): Refusal(error, at: root)
        case .identifier(let file, let error): Refusal(.obstructed(Obstruction(ofIdentifiersIn: file, error)))
        }
    }
}
