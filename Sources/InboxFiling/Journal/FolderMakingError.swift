import InboxLinux

/// The reason why a folder was not made, or not finished.
package enum FolderMakingError: Error {
    /// A call about the folder failed: EEXIST where the name is taken.
    case folder(SyscallError)
    /// It could not be written down in the journal, which says nothing of the place that it was to be made in.
    case journal(SyscallError)

    /// The call that failed.
    package var failure: SyscallError {
        switch self {
        case .folder(let failure), .journal(let failure): failure
        }
    }

    /// The name is taken.
    var isTaken: Bool {
        if case .folder(let failure) = self { failure.errno == .exists } else { false }
    }

    /// The folder to make it in has gone, or so it seems.
    var isAbsent: Bool {
        if case .folder(let failure) = self { failure.errno == .noEntry } else { false }
    }

    /// Makes a call about the folder.
    static func ofFolder<Value>(
        _ call: @autoclosure () throws(SyscallError) -> Value
    ) throws(FolderMakingError) -> Value {
        do throws(SyscallError) { return try call() } catch { throw .folder(error) }
    }

    /// Writes into the journal, where there is one.
    static func ofJournal(_ call: @autoclosure () throws(SyscallError) -> Void?) throws(FolderMakingError) {
        do throws(SyscallError) { _ = try call() } catch { throw .journal(error) }
    }
}
