import InboxCore
import InboxLinux

/// Why the control socket cannot be had.
public enum ControlSocketError: Error {
    /// A daemon answers there already.
    case taken(BytePath)
    /// Something that is no socket stands there.
    case occupied(BytePath)
    /// A system call failed on this path.
    case failed(BytePath, SyscallError)
}

/// The listening socket and its name, which goes when the daemon ends.
struct ControlSocket: ~Copyable {
    let listener: UnixListener
    /// Where it was made; nil for one that systemd handed over, and removes itself.
    private let path: BytePath?
    private let file: FileKey?

    private init(_ listener: consuming UnixListener, at path: BytePath?, file: FileKey?) {
        self.listener = listener
        self.path = path
        self.file = file
    }

    /// Takes the socket of socket activation, if there is one, else makes one at the path.
    static func open(at path: BytePath, mode: UInt32) throws(ControlSocketError) -> ControlSocket {
        do throws(SyscallError) {
            if let inherited = try UnixListener.inherited(named: "control") {
                return ControlSocket(inherited, at: nil, file: nil)
            }
        } catch {
            throw .failed(path, error)
        }
        let listener = try listen(at: path, mode: mode)
        let file: FileKey?
        do throws(SyscallError) {
            file = try status(of: path)?.identity.file
        } catch {
            throw .failed(path, error)
        }
        return ControlSocket(listener, at: path, file: file)
    }

    /// Refuses a path where a daemon answers already, or something stands that is no socket; makes nothing.
    static func refuseTaken(_ path: BytePath) throws(ControlSocketError) {
        guard Process.environment("LISTEN_FDS") == nil else { return }
        let isSocket: Bool
        do throws(SyscallError) {
            guard let status = try status(of: path) else { return }
            isSocket = status.isSocket
            if isSocket { _ = try UnixSocket.connect(path: path.bytes) }
        } catch {
            // Nobody answers: what else is wrong shows when it is made.
            return
        }
        throw isSocket ? .taken(path) : .occupied(path)
    }

    private static func listen(at path: BytePath, mode: UInt32) throws(ControlSocketError) -> UnixListener {
        do throws(SyscallError) {
            try makeFolder(around: path)
            do throws(SyscallError) {
                return try UnixListener(path: path.bytes, mode: mode)
            } catch  where error.errno == .addressInUse {
                return try replace(path, mode: mode)
            }
        } catch {
            if error.errno == .addressInUse { throw .taken(path) }
            if error.errno == .notSocket { throw .occupied(path) }
            throw .failed(path, error)
        }
    }

    /// A socket that nobody answers is left over from a daemon that did not end well.
    private static func replace(_ path: BytePath, mode: UInt32) throws(SyscallError) -> UnixListener {
        guard let status = try status(of: path) else { return try UnixListener(path: path.bytes, mode: mode) }
        do throws(SyscallError) {
            _ = try UnixSocket.connect(path: path.bytes)
        } catch  where error.errno == .connectionRefused && status.isSocket {
            if let parent = path.parent, let name = FileName(path.lastComponent) {
                try Directory.open(path: parent.bytes).removeFile(name)
            }
            return try UnixListener(path: path.bytes, mode: mode)
        } catch  where error.errno == .connectionRefused {
            throw SyscallError(.bind, .notSocket)
        }
        throw SyscallError(.bind, .addressInUse)
    }

    private static func makeFolder(around path: BytePath) throws(SyscallError) {
        guard let folder = path.parent, let around = folder.parent, let name = FileName(folder.lastComponent) else {
            return
        }
        do throws(SyscallError) {
            _ = try Directory.open(path: folder.bytes)
        } catch  where error.errno == .noEntry {
            try Directory.open(path: around.bytes).makeFolder(name, mode: 0o700)
        }
    }

    private static func status(of path: BytePath) throws(SyscallError) -> FileStatus? {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return nil }
        do throws(SyscallError) {
            return try Directory.open(path: parent.bytes).status(of: name)
        } catch  where error.errno == .noEntry {
            return nil
        }
    }

    /// Removes the socket's name, if it is still this socket's.
    borrowing func remove() throws(SyscallError) {
        guard let path, let file, try Self.status(of: path)?.identity.file == file, let parent = path.parent,
            let name = FileName(path.lastComponent)
        else { return }
        try Directory.open(path: parent.bytes).removeFile(name)
    }
}
