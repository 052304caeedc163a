import CInboxLinux

/// A single message to a datagram socket of unix(7): how sd_notify(3) and the native journal are spoken to.
public enum Datagram {
    /// Sends the bytes to the socket at a path; `@name` names one in the abstract namespace.
    public static func send(_ bytes: [UInt8], toSocketAt path: [UInt8]) throws(SyscallError) {
        _ = try systemCall(.sendmsg) { inbox_unix_datagram(path, path.count, bytes, bytes.count) }
    }
}
