import CInboxLinux

/// The mark by which a filesystem is recognized later, perhaps after it was unmounted or the machine restarted.
///
/// A device number is not enough: another disk may get it, and the same disk another one. So the filesystem's own
/// identifier decides where it has one: its UUID (`FS_IOC_GETFSUUID`, Linux 6.9), else what statfs(2) reports, else,
/// as for network filesystems and FUSE, its type and what is mounted.
package struct FilesystemMark: Hashable, Sendable {
    /// The device that it is mounted as, in the form of ``FileKey/device``.
    package let device: UInt64
    /// Its own identifier, as text; nil where it has none.
    package let identifier: String?

    /// A mark of these parts.
    package init(device: UInt64, identifier: String?) {
        self.device = device
        self.identifier = identifier
    }

    /// Asks the kernel for the filesystem that an open file lies on.
    /// - Parameters:
    ///   - device: the file's own, as statx(2) has reported it.
    ///   - known: what statfs(2) has reported of it, where it was asked already.
    ///   - isLasting: whether the mark is to be compared with those of other kernels, which may not report UUIDs: it has
    ///     the second-best identifier too then.
    package init(
        of descriptor: borrowing FileDescriptor, device: UInt64, _ known: Filesystem? = nil, isLasting: Bool = false
    ) throws(SyscallError) {
        self.device = device
        let uuid = try descriptor.filesystemUUID()
        if let uuid, !isLasting {
            identifier = uuid
            return
        }
        let reported: Filesystem
        if let known { reported = known } else { reported = try Filesystem(of: descriptor) }
        let other =
            reported.identifier == 0
            ? try Self.source(ofDevice: device)
            : "\(String(reported.magic, radix: 16))-\(String(reported.identifier, radix: 16))"
        identifier = uuid.map { uuid in other.map { "\(uuid)+\($0)" } ?? uuid } ?? other
    }

    /// The type and the source of what is mounted as a device, by proc(5), `/proc/self/mountinfo`; nil where no line
    /// names it.
    private static func source(ofDevice device: UInt64) throws(SyscallError) -> String? {
        let table: [UInt8]?
        do throws(SyscallError) {
            table = try FileDescriptor.reading(path: BytePath("/proc/self/mountinfo")).contents(limit: 16 << 20)
        } catch  where !error.errno.isTransient {
            return nil
        }
        let number = "\(device >> 32):\(device & 0xFFFF_FFFF)"
        for line in (table ?? []).split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 2, fields[2].elementsEqual(number.utf8),
                let dash = fields.firstIndex(where: { $0.elementsEqual("-".utf8) })
            else { continue }
            return fields[dash...].dropFirst().prefix(2).map { EscapedBytes.text($0) }.joined(separator: " ")
        }
        return nil
    }

    /// Returns whether both are marks of one filesystem.
    package func isSame(as other: FilesystemMark) -> Bool {
        guard let identifier, let others = other.identifier else { return device == other.device }
        let (mine, theirs) = (Parts(identifier), Parts(others))
        if mine.uuid != nil, theirs.uuid != nil { return mine.uuid == theirs.uuid }
        return mine.other != nil && mine.other == theirs.other
    }

    /// An identifier taken apart: `UUID`, `UUID+OTHER` or `OTHER`.
    private struct Parts {
        let uuid: Substring?
        let other: Substring?

        init(_ identifier: String) {
            let start = identifier.prefix(33)
            let isUUID = start.utf8.prefix(32).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
            guard isUUID, start.utf8.count == 32 || start.utf8.last == UInt8(ascii: "+") else {
                (uuid, other) = (nil, identifier[...])
                return
            }
            uuid = start.prefix(32)
            other = start.count == 33 ? identifier.dropFirst(33) : nil
        }
    }
}

extension Directory {
    /// Which filesystem the folder lies on.
    package func filesystemMark() throws(SyscallError) -> FilesystemMark {
        try FilesystemMark(of: descriptor, device: try status().identity.file.device)
    }
}

extension FileDescriptor {
    /// The UUID of the file's filesystem in hexadecimal digits; nil where it has none, or the kernel does not know the request.
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
