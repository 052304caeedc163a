import CInboxLinux
import Glibc

/// Open files that travel beside the bytes: `SCM_RIGHTS` of unix(7).
extension UnixSocket {
    /// Receives what has arrived, and the descriptors that came with it: at most `most` of them, the kernel drops the
    /// others.
    ///
    /// The kernel ends a receive after the part that had descriptors, so that they belong to its last byte.
    /// - Parameter user: who is at the other end.
    package func receive(
        into buffer: inout [UInt8], files: inout [PassedFile], atMost most: Int, of user: UInt32
    ) throws(SyscallError) -> Reception {
        var numbers = [Int32](repeating: -1, count: max(0, most))
        var passed = 0
        let count: Int
        do throws(SyscallError) {
            count = try systemCall(.recvmsg) {
                buffer.withUnsafeMutableBytes {
                    inbox_receive(descriptor.number, $0.baseAddress, $0.count, &numbers, numbers.count, &passed)
                }
            }
        } catch  where error.errno == .again {
            return .nothing
        }
        files += numbers.prefix(passed).map { PassedFile(owning: $0, of: user) }
        return count == 0 ? .end : .bytes(count)
    }

    /// Sends what the socket takes now, and an open file with its first byte; 0 when the socket is full.
    package func send(
        _ bytes: ArraySlice<UInt8>, with file: borrowing FileDescriptor
    ) throws(SyscallError) -> Int {
        let number = file.number
        do throws(SyscallError) {
            return try systemCall(.sendmsg) {
                bytes.withUnsafeBytes { inbox_send(descriptor.number, $0.baseAddress, $0.count, number) }
            }
        } catch  where error.errno == .again {
            return 0
        }
    }
}

extension UnixSocket.Peer {
    /// Nobody: it has no rights at all.
    package static let nobody = UnixSocket.Peer(process: 0, user: .max, group: .max, groups: [])

    /// A peer of this user and this group, in place of what the kernel reports.
    package init(user: UInt32, group: UInt32, groups: [UInt32] = []) {
        self.init(process: 0, user: user, group: group, groups: groups)
    }

    /// Returns whether the peer belongs to one of these groups: its own or a supplementary one.
    package func belongs(to others: Set<UInt32>) -> Bool {
        others.contains(group) || groups.contains(where: others.contains)
    }
}
