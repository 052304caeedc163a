import CInboxLinux
import Glibc

/// A stream socket of unix(7), connected: close-on-exec and non-blocking.
package struct UnixSocket: ~Copyable, Sendable {
    /// The peer, as the kernel reports it (SO_PEERCRED).
    package struct Peer: Hashable, Sendable {
        /// The process that connected.
        package let process: Int32
        /// Its effective user.
        package let user: UInt32
        /// Its effective group.
        package let group: UInt32
        /// Its supplementary groups, at most 1,024 of them; empty where the kernel would not say.
        package let groups: [UInt32]
    }

    /// The result of receiving.
    package enum Reception: ~Copyable {
        /// So many bytes, and the descriptors that came with them.
        case bytes(Int)
        /// Nothing yet.
        case nothing
        /// The peer has closed.
        case end
    }

    /// The descriptor, for epoll(7).
    package let descriptor: FileDescriptor

    /// Takes a connected socket, such as one that socket activation handed over.
    package init(owning descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Connects to the socket at an address.
    package static func connect(to address: SocketAddress) throws(SyscallError) -> UnixSocket {
        let socket = FileDescriptor(owning: try systemCall(.socket) { inbox_unix_socket() })
        let number = socket.number
        _ = try systemCall(.connect) { inbox_unix_connect(number, address.path.bytes, address.path.bytes.count) }
        return UnixSocket(owning: socket)
    }

    /// Who connected: SO_PEERCRED and SO_PEERGROUPS.
    package func peer() throws(SyscallError) -> Peer {
        var (process, user, group): (Int32, UInt32, UInt32) = (0, 0, 0)
        _ = try systemCall(.getsockopt) { inbox_peer_credentials(descriptor.number, &process, &user, &group) }
        var groups = [UInt32](repeating: 0, count: 1024)
        let count: Int32
        do throws(SyscallError) {
            count = try systemCall(.getsockopt) { inbox_peer_groups(descriptor.number, &groups, groups.count) }
        } catch {
            // Without the list the peer has no more rights than by its user and group.
            count = 0
        }
        return Peer(process: process, user: user, group: group, groups: Array(groups.prefix(Int(count))))
    }

    /// Sends what the socket takes now; 0 when it is full.
    package func send(_ bytes: ArraySlice<UInt8>) throws(SyscallError) -> Int {
        do throws(SyscallError) {
            return try systemCall(.sendmsg) {
                bytes.withUnsafeBytes { inbox_send(descriptor.number, $0.baseAddress, $0.count, -1) }
            }
        } catch  where error.errno == .again {
            return 0
        }
    }

    /// Receives what has arrived into the buffer. The kernel drops descriptors that someone sends along.
    package func receive(into buffer: inout [UInt8]) throws(SyscallError) -> Reception {
        var passed = 0
        let count: Int
        do throws(SyscallError) {
            count = try systemCall(.recvmsg) {
                buffer.withUnsafeMutableBytes {
                    inbox_receive(descriptor.number, $0.baseAddress, $0.count, nil, 0, &passed)
                }
            }
        } catch  where error.errno == .again {
            return .nothing
        }
        return count == 0 ? .end : .bytes(count)
    }

    /// Waits until the socket is readable (or writable), for at most so long; false when the time ran out. poll(2).
    package func wait(toWrite: Bool = false, for duration: Duration?) throws(SyscallError) -> Bool {
        let deadline = duration.map { Instant.now() + $0 }
        while true {
            var entry = pollfd(fd: descriptor.number, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
            let count = try systemCall(.poll, .descriptor(descriptor.number)) {
                // After EINTR the remaining time is computed anew.
                let left = deadline.map { max(0, ($0 - Instant.now()).wholeNanoseconds / 1_000_000 + 1) } ?? -1
                return Glibc.poll(&entry, 1, Int32(clamping: left))
            }
            if count > 0 { return true }
            if let deadline, deadline <= Instant.now() { return false }
        }
    }

    /// Waits, for however long, until the socket is readable; false when nobody reads the other descriptor any more: it
    /// is a pipe or a socket whose other end was closed, or it is not open. poll(2).
    package func wait(whileRead output: Int32) throws(SyscallError) -> Bool {
        // poll(2) reports errors and hang-ups even where no event is requested.
        var entries = [
            pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0),
        ]
        _ = try systemCall(.poll, .descriptor(descriptor.number)) { Glibc.poll(&entries, nfds_t(entries.count), -1) }
        return entries[1].revents == 0
    }
}

/// A stream socket that listens at a path.
package struct UnixListener: ~Copyable {
    /// The descriptor, for epoll(7).
    package let descriptor: FileDescriptor

    /// Takes a socket that already listens: sd_listen_fds(3).
    package init(owning descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Makes the socket at an address that is free, with this mode: EADDRINUSE where the name exists.
    ///
    /// The mode is set before anybody can connect, because listen(2) is called last.
    package init(at address: SocketAddress, mode: UInt32) throws(SyscallError) {
        let socket = FileDescriptor(owning: try systemCall(.socket) { inbox_unix_socket() })
        let number = socket.number
        let path = address.path
        _ = try systemCall(.bind) { inbox_unix_bind(number, path.bytes, path.bytes.count) }
        do throws(SyscallError) {
            if !address.isAbstract { try Self.setMode(mode, of: path) }
            _ = try systemCall(.listen) { Glibc.listen(number, 128) }
        } catch {
            // Otherwise a name would remain on which nobody listens.
            if !address.isAbstract { Self.remove(path) }
            throw error
        }
        descriptor = socket
    }

    /// Gives a socket's name this mode, as chmod(2): who may write to it may connect. A name that is something else's is left
    /// alone: whoever may write to the folder could have put a link to another file there.
    package static func setMode(_ mode: UInt32, of path: BytePath) throws(SyscallError) {
        let flags = inbox_o_path | inbox_o_nofollow | O_CLOEXEC
        let name = try FileDescriptor.open(path: path, flags: flags, mode: 0)
        guard try name.status().isSocket else { return }
        let own = BytePath(name.ownPath)
        _ = try systemCall(.fchmodat) { own.withPointer { fchmodat(AT_FDCWD, $0, mode_t(mode), 0) } }
    }

    /// Removes a name that was created a moment ago; the failure that led here is the one to report.
    private static func remove(_ path: BytePath) {
        do throws(SyscallError) {
            _ = try systemCall(.unlinkat, .path(path)) { path.withPointer { unlinkat(AT_FDCWD, $0, 0) } }
        } catch {
            // It stays, as after a kill: the next start replaces it.
        }
    }

    /// The next connection that waits; nil when there is none.
    package func accept() throws(SyscallError) -> UnixSocket? {
        do throws(SyscallError) {
            return UnixSocket(
                owning: FileDescriptor(owning: try systemCall(.accept4) { inbox_unix_accept(descriptor.number) }))
        } catch  where error.errno == .again || error.errno.rawValue == ECONNABORTED {
            return nil
        }
    }

    /// Takes an inherited descriptor of socket activation, close-on-exec and non-blocking from now on; nil where it is not
    /// a listening stream socket of unix(7), as getsockopt(2) says.
    package static func inherited(_ number: Int32) throws(SyscallError) -> UnixListener? {
        for (option, wanted) in [(SO_DOMAIN, AF_UNIX), (SO_TYPE, Int32(SOCK_STREAM.rawValue)), (SO_ACCEPTCONN, 1)] {
            var value: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            do throws(SyscallError) {
                _ = try systemCall(.getsockopt) { getsockopt(number, SOL_SOCKET, option, &value, &size) }
            } catch  where error.errno == .notSocket {
                return nil
            }
            guard value == wanted else { return nil }
        }
        _ = try systemCall(.fcntl) { fcntl(number, F_SETFD, FD_CLOEXEC) }
        _ = try systemCall(.fcntl) { fcntl(number, F_SETFL, O_NONBLOCK) }
        return UnixListener(owning: FileDescriptor(owning: number))
    }
}
