import InboxLinux

/// The reason why the control socket is not available.
package enum ControlSocketError: Error {
    /// A daemon answers there already.
    case taken(BytePath)
    /// Something that is no socket has that name.
    case occupied(BytePath)
    /// A system call failed on this path.
    case failed(BytePath, SyscallError)
    /// The socket that systemd passed cannot be used; the text says what to set.
    case passed(String)
}

/// The listening socket and its name, which goes when the daemon ends.
struct ControlSocket: ~Copyable {
    let listener: UnixListener
    /// Where it was made; nil for one that systemd handed over, and removes itself.
    private let path: BytePath?
    private let file: FileKey?
    /// The mode of its name; nil for one that systemd handed over.
    private var mode: UInt32?
    /// A remark about the socket for the log, if there is any.
    let remark: String?

    private init(_ listener: consuming UnixListener, at path: BytePath, file: FileKey?, mode: UInt32) {
        self.listener = listener
        self.path = path
        self.file = file
        self.mode = mode
        remark = nil
    }

    private init(passed listener: consuming UnixListener, remark: String?) {
        self.listener = listener
        self.remark = remark
        path = nil
        file = nil
    }

    /// Takes the socket of socket activation, if there is one, else makes one at the address.
    static func open(at address: SocketAddress, mode: UInt32) throws(ControlSocketError) -> ControlSocket {
        if let passed = try passed() { return passed }
        let path = address.path
        let listener = try listen(at: address, mode: mode)
        let file: FileKey?
        do throws(SyscallError) {
            file = try status(of: path)?.identity.file
        } catch {
            throw .failed(path, error)
        }
        return ControlSocket(listener, at: path, file: file, mode: mode)
    }

    /// The socket of socket activation; nil where there is none.
    private static func passed() throws(ControlSocketError) -> ControlSocket? {
        switch PassedSockets.ofThisProcess().choice {
        case .none: return nil
        case .ambiguous(let text): throw .passed(text)
        case .descriptor(let number, let remark):
            let listener: UnixListener?
            do throws(SyscallError) { listener = try UnixListener.inherited(number) } catch {
                throw .passed("\(error)")
            }
            guard let listener else {
                throw .passed("it is no listening stream socket: set ListenStream= in the socket unit, and Accept=no")
            }
            return ControlSocket(passed: listener, remark: remark)
        }
    }

    /// Refuses an address at which another daemon listens, or whose name belongs to something else. Creates nothing.
    static func refuseTaken(_ address: SocketAddress) throws(ControlSocketError) {
        guard PassedSockets.ofThisProcess().choice == .none else { return }
        let path = address.path
        let isSocket: Bool
        do throws(SyscallError) {
            guard let status = try status(of: path) else { return }
            isSocket = status.isSocket
            if isSocket { _ = try UnixSocket.connect(to: address) }
        } catch {
            // Nobody listens there. Any other failure is reported when the socket is created.
            return
        }
        throw isSocket ? .taken(path) : .occupied(path)
    }

    private static func listen(at address: SocketAddress, mode: UInt32) throws(ControlSocketError) -> UnixListener {
        let path = address.path
        let occupant: Occupant
        do throws(SyscallError) {
            try makeFolder(around: path)
            do throws(SyscallError) {
                return try UnixListener(at: address, mode: mode)
            } catch  where error.errno == .addressInUse {
                occupant = try Self.occupant(of: address)
            }
            if occupant == .leftover, let parent = path.parent, let name = FileName(path.lastComponent) {
                try Directory.open(path: parent).removeFile(name)
            }
            if occupant == .leftover || occupant == .nothing {
                return try UnixListener(at: address, mode: mode)
            }
        } catch {
            throw error.errno == .addressInUse ? .taken(path) : .failed(path, error)
        }
        throw occupant == .other ? .occupied(path) : .taken(path)
    }

    /// The holder of the name of a socket that cannot be made.
    private enum Occupant {
        /// A daemon that answers.
        case daemon
        /// A socket on which nobody listens: left by a daemon that was killed.
        case leftover
        /// Something that is no socket.
        case other
        /// It has gone since.
        case nothing
    }

    private static func occupant(of address: SocketAddress) throws(SyscallError) -> Occupant {
        guard let status = try status(of: address.path) else { return .nothing }
        do throws(SyscallError) {
            _ = try UnixSocket.connect(to: address)
            return .daemon
        } catch  where error.errno == .connectionRefused {
            return status.isSocket ? .leftover : .other
        }
    }

    private static func makeFolder(around path: BytePath) throws(SyscallError) {
        guard let folder = path.parent, let around = folder.parent, let name = FileName(folder.lastComponent) else {
            return
        }
        do throws(SyscallError) {
            _ = try Directory.open(path: folder)
        } catch  where error.errno == .noEntry {
            try Directory.open(path: around).makeFolder(name, mode: 0o700)
        }
    }

    private static func status(of path: BytePath) throws(SyscallError) -> FileStatus? {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return nil }
        do throws(SyscallError) {
            return try Directory.open(path: parent).status(of: name)
        } catch  where error.errno == .noEntry {
            return nil
        }
    }

    /// Gives the socket's name another mode, if it is still this socket's.
    mutating func adopt(mode: UInt32) throws(SyscallError) {
        guard let former = self.mode, mode != former, let path = try ownPath else { return }
        try UnixListener.setMode(mode, of: path)
        self.mode = mode
    }

    /// Where the socket's name is; nil where that is not this socket's any more, or systemd's.
    private var ownPath: BytePath? {
        get throws(SyscallError) {
            guard let path, let file, try Self.status(of: path)?.identity.file == file else { return nil }
            return path
        }
    }

    /// Removes the socket's name, if it is still this socket's.
    borrowing func remove() throws(SyscallError) {
        guard let path = try ownPath, let parent = path.parent, let name = FileName(path.lastComponent) else { return }
        try Directory.open(path: parent).removeFile(name)
    }
}
