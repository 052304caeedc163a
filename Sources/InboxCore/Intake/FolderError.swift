import InboxFiling
import InboxLinux

/// The reason why a walked folder, or something with a name in it, cannot be inspected.
enum FolderError: Error {
    /// The folder is not where it was: nothing is there, or another one.
    case moved
    /// It lies on this mount, whose server does not answer: it is inspected when it does.
    case silent(BytePath)
    /// A call failed.
    case failed(SyscallError)

    /// The folder or name that was to be inspected is not there.
    var isAbsent: Bool {
        switch self {
        case .moved: true
        case .silent: false
        case .failed(let error): error.errno.isAbsent
        }
    }

    /// The filesystem cannot hold anything with that name.
    var isUnfitName: Bool {
        if case .failed(let error) = self { return error.errno.isUnfitName }
        return false
    }

    /// Converts the failure of a call on a foreign mount.
    init(_ error: MountError<SyscallError>) {
        switch error {
        case .silent(let mount): self = .silent(mount)
        case .failed(let error): self = .failed(error)
        }
    }

    /// Makes a call in an open folder.
    static func of<Result: ~Copyable>(
        _ call: () throws(SyscallError) -> Result
    ) throws(FolderError) -> Result {
        do throws(SyscallError) { return try call() } catch { throw .failed(error) }
    }
}
