import CInboxLinux

/// What a filesystem is known by when it is met again, perhaps after it was unmounted or the machine started anew.
///
/// A device number is not enough: another disk may get it, and the same disk another one. So the filesystem's own
/// identifier decides where it has one: its UUID (`FS_IOC_GETFSUUID`, Linux 6.9), else what statfs(2) tells, else, as
/// for network filesystems and FUSE, its type and what is mounted.
public struct FilesystemMark: Hashable, Sendable {
    /// The device that it is mounted as, in the form of ``FileKey/device``.
    public let device: UInt64
    /// Its own identifier, as text; nil where it has none.
    public let identifier: String?

    /// A mark of these parts.
    public init(device: UInt64, identifier: String?) {
        self.device = device
        self.identifier = identifier
    }

    /// Asks the kernel for the filesystem that an open file lies on.
    /// - Parameter device: the file's own, which statx(2) has told already.
    public init(of descriptor: borrowing FileDescriptor, device: UInt64) throws(SyscallError) {
        self.device = device
        if let uuid = try descriptor.filesystemUUID() {
            identifier = uuid
        } else {
            let told = try Filesystem(of: descriptor)
            identifier =
                told.identifier == 0
                ? try Self.source(ofDevice: device)
                : "\(String(told.magic, radix: 16))-\(String(told.identifier, radix: 16))"
        }
    }

    /// The type and the source of what is mounted as a device, by proc(5), `/proc/self/mountinfo`; nil where no line
    /// tells of it.
    private static func source(ofDevice device: UInt64) throws(SyscallError) -> String? {
        let table: [UInt8]
        do throws(SyscallError) {
            table = try FileDescriptor.reading(path: Array("/proc/self/mountinfo".utf8)).contents(limit: 16 << 20)
        } catch  where !error.errno.isTransient {
            return nil
        }
        let number = "\(device >> 32):\(device & 0xFFFF_FFFF)"
        for line in table.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 2, fields[2].elementsEqual(number.utf8),
                let dash = fields.firstIndex(where: { $0.elementsEqual("-".utf8) })
            else { continue }
            return fields[dash...].dropFirst().prefix(2).map { EscapedBytes.text($0) }.joined(separator: " ")
        }
        return nil
    }

    /// Whether both are marks of one filesystem.
    public func isSame(as other: FilesystemMark) -> Bool {
        guard let identifier, let others = other.identifier else { return device == other.device }
        return identifier == others
    }
}

extension Directory {
    /// Which filesystem the folder lies on.
    public func filesystemMark() throws(SyscallError) -> FilesystemMark {
        try FilesystemMark(of: descriptor, device: try status().identity.file.device)
    }
}

extension FileDescriptor {
    /// The UUID of the file's filesystem in hexadecimal digits; nil where it has none, or the kernel cannot tell.
    fileprivate func filesystemUUID() throws(SyscallError) -> String? {
        let number = number
        var bytes = [UInt8](repeating: 0, count: 16)
        do throws(SyscallError) {
            let count = try systemCall(.ioctl, .descriptor(number)) { inbox_filesystem_uuid(number, &bytes) }
            let uuid = bytes.prefix(Int(count))
            guard uuid.contains(where: { $0 != 0 }) else { return nil }
            return uuid.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        } catch  where error.errno.lacksRequest {
            return nil
        }
    }
}
