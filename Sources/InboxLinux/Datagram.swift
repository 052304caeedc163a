import CInboxLinux

/// A single message to a datagram socket of unix(7): the transport of sd_notify(3) and of the native journal protocol.
package enum Datagram {
    /// Sends the bytes to the socket at a path; `@name` names one in the abstract namespace.
    ///
    /// - Parameter waits: whether to wait for a receiver whose queue is full; else the call fails with EAGAIN.
    package static func send(_ bytes: [UInt8], toSocketAt path: [UInt8], waits: Bool = true) throws(SyscallError) {
        _ = try systemCall(.sendmsg) { inbox_unix_datagram(path, path.count, bytes, bytes.count, waits ? 1 : 0) }
    }
}
