import CInboxLinux
import Glibc

extension FileDescriptor {
    /// Says why a descriptor that somebody passed is not to be read, where the filesystem that it lies on may never answer,
    /// because somebody who is not trusted serves it; nil where it may be read.
    ///
    /// A read of a file on FUSE waits for its server, and neither a signal nor the end of the process ends that wait. Nothing
    /// is asked of the filesystem here: only of the table of mounts, and of the kernel's own record of the descriptor
    /// (proc_pid_fdinfo(5)). A mount that the table does not have may be anybody's: one of another namespace, or one that was
    /// unmounted while the file was open.
    static func unansweredReason(_ number: Int32, trusting user: UInt32) throws(SyscallError) -> String? {
        // Files of memory have no mount, and no server: only they have seals, fcntl(2).
        if fcntl(number, inbox_f_get_seals) >= 0 { return nil }
        let limit = 16 << 20
        guard let table = try reading(path: BytePath("/proc/self/mountinfo")).contents(limit: limit),
            let record = try reading(path: BytePath("/proc/self/fdinfo/\(number)")).contents(limit: limit)
        else { return "the table of mounts is too long" }
        return MountTable(table).unansweredReason(record, trusting: user)
    }
}

extension MountTable {
    /// Says why a file is not to be read whose descriptor the kernel describes so; nil where it may be read.
    func unansweredReason(_ record: [UInt8], trusting user: UInt32) -> String? {
        let key = Array("mnt_id:".utf8)
        let line = record.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }
        let digits = line?.dropFirst(key.count).drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        guard let digits, let number = UInt64(String(decoding: digits, as: UTF8.self)),
            let mount = mount(number)
        else { return "it lies on a filesystem that is not mounted here" }
        guard let owner = mount.user, owner != 0, owner != user else { return nil }
        return "it lies on a filesystem that the user \(owner) serves, and which may never answer"
    }
}
