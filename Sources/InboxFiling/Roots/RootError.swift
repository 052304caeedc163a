import InboxLinux

/// The reason why a root cannot be used.
package enum RootError: Error, Hashable {
    /// Its path cannot be followed, or not safely.
    case path(SafePathError)
    /// Something else is there than what is remembered.
    case strange(BytePath, RememberedRoot.Difference)
    /// It is missing, and was on another filesystem than the folder in which it would be made.
    case bareMountPoint(BytePath)
    /// It was not opened for this batch, which was begun with another configuration.
    case notOpened(BytePath)
    /// No folder can be made under this path.
    case unmakeable(BytePath)
    /// It lies on this mount, whose server does not answer.
    case silent(BytePath)
    /// It is missing, and cannot be made as long as the journal cannot be written.
    case journal(SyscallError)

    /// The failed call's; nil where none failed.
    package var errno: Errno? {
        if case .path(let error) = self { error.errno } else { nil }
    }

    /// Too many files were open to inspect the root, so that nothing is known of it.
    package var isWantOfDescriptors: Bool { errno?.isWantOfDescriptors ?? false }
}

extension RootError: CustomStringConvertible {
    /// One line that a person can act on.
    package var description: String {
        let accept = "run \"inboxctl retry\" to accept this one"
        return switch self {
        case .path(let error): "\(error)"
        case .strange(let path, .filesystem):
            "\(path) is on another filesystem than before: mount the one that it was on, or \(accept)"
        case .strange(let path, .mount):
            "\(path) is on another mount or another filesystem than before: mount the one that it was on, or \(accept)"
        case .strange(let path, .folder): "\(path) is another folder than before: put the first one back, or \(accept)"
        case .strange(let path, .owner): "\(path) belongs to another user than before: give it back, or \(accept)"
        case .notOpened(let path): "\(path) became a destination a moment ago: it is used at the next try"
        case .unmakeable(let path): "no folder can be made as \(path): name another one"
        case .journal(let error): "cannot write the journal in the state folder, which comes first: \(error.errno)"
        case .silent(let mount): "the server of \(mount) does not answer: filing there waits for it"
        case .bareMountPoint(let path):
            "\(path) is missing, and was on another filesystem than before: mount the one that it was on, or run "
                + "\"inboxctl retry\" to have it made here"
        }
    }
}
