import InboxLinux

/// The reason why a file of the state folder cannot be used.
package enum StateFileError: Error, CustomStringConvertible {
    /// A system call failed on this file.
    case failed(FileName, SyscallError)
    /// It is larger than any that a daemon writes.
    case tooLarge(FileName)
    /// It does not end with a line that a daemon has written, whole or torn.
    case unending(FileName)
    /// It is a symbolic link: nobody knows whose file it leads to.
    case link(FileName)

    /// For a person's eyes.
    package var description: String {
        switch self {
        case .failed(let name, let error) where error.errno.isFolder: "\(name) is a folder: move it away"
        case .failed(let name, let error): "\(name): \(error)"
        case .tooLarge(let name): "\(name) is larger than any file that inboxd writes there"
        case .link(let name): "\(name) is a symbolic link: put a file in its place, or remove it"
        case .unending(let name):
            "\(name) ends with more than 64 MiB without a line: move it away, or cut it off after its last line"
        }
    }
}

extension OpenFolder {
    /// Returns whether an open file has this name here; assumed where the resources are missing to find out.
    func has(_ file: OpenFile, at name: FileName) -> Bool {
        do throws(SyscallError) {
            let named = try directory.status(of: name)
            return try file.descriptor.status().identity.file == named.identity.file
        } catch {
            return error.errno.isWantOfResources
        }
    }

    /// The content of a file of this state folder; nil where there is none.
    package func stateFile(_ name: FileName, limit: Int) throws(StateFileError) -> [UInt8]? {
        let content: [UInt8]?
        do throws(SyscallError) {
            content = try directory.file(name).contents(limit: limit)
        } catch {
            switch error.errno {
            case .noEntry: return nil
            case .loop: throw .link(name)
            default: throw .failed(name, error)
            }
        }
        guard let content else { throw .tooLarge(name) }
        return content
    }
}
