import InboxLinux

/// Why a walked folder, or what has a name in it, cannot be inspected.
enum FolderError: Error {
    /// The folder is not where it was: nothing is there, or another one.
    case moved
    /// A call failed.
    case failed(SyscallError)

    /// Whether what was to be inspected is not there.
    var isAbsent: Bool {
        switch self {
        case .moved: true
        case .failed(let error): error.errno.isAbsent
        }
    }

    /// Makes a call in an open folder.
    static func of<Result: ~Copyable>(
        _ call: () throws(SyscallError) -> Result
    ) throws(FolderError) -> Result {
        do throws(SyscallError) { return try call() } catch { throw .failed(error) }
    }
}
