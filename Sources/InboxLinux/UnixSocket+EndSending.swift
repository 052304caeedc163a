import Glibc

extension UnixSocket {
    /// Tells the peer that nothing more is sent: after what was sent it reads the end. Receiving goes on. shutdown(2)
    ///
    /// Closing a socket on which unread bytes wait would reset the connection instead.
    package func endSending() throws(SyscallError) {
        _ = try systemCall(.shutdown) { Glibc.shutdown(descriptor.number, Int32(SHUT_WR)) }
    }
}
