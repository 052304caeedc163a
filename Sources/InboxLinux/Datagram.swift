import CInboxLinux

/// A single message to a datagram socket of unix(7): the transport of sd_notify(3) and of the native journal protocol.
package enum Datagram {
    /// Sends the bytes to the socket at an address, without waiting: EAGAIN where the receiver's queue is full.
    package static func send(_ bytes: [UInt8], to address: SocketAddress) throws(SyscallError) {
        let path = address.path.bytes
        _ = try systemCall(.sendmsg) { inbox_unix_datagram(path, path.count, bytes, bytes.count) }
    }
}
