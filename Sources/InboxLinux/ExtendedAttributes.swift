import CInboxLinux
import Glibc

/// The name of an extended attribute, as bytes: `user.comment`, `system.posix_acl_access`; see xattr(7).
package struct AttributeName: Hashable, Sendable {
    /// The bytes with a NUL after them.
    private let terminated: [UInt8]

    /// The access list of acl(5).
    package static let accessList = AttributeName(known: "system.posix_acl_access")

    /// The list of acl(5) that what is made in a folder starts with.
    package static let defaultList = AttributeName(known: "system.posix_acl_default")

    /// A name that is known to hold no NUL.
    fileprivate init(known text: StaticString) {
        terminated = text.withUTF8Buffer { Array($0) } + [0]
    }

    /// Nil where the text's UTF-8 is empty, holds a NUL, or passes 255 bytes: XATTR_NAME_MAX of linux/limits.h.
    package init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
        terminated = Array(text.utf8) + [0]
    }

    fileprivate init(_ bytes: ArraySlice<UInt8>) {
        terminated = Array(bytes) + [0]
    }

    /// The bytes, without a NUL.
    package var bytes: ArraySlice<UInt8> { terminated.dropLast() }

    fileprivate func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        terminated.withUnsafeBufferPointer { buffer in
            // An array that ends in NUL is never empty, so it has a base address.
            buffer.baseAddress.unsafelyUnwrapped.withMemoryRebound(to: CChar.self, capacity: buffer.count, body)
        }
    }
}

extension FileDescriptor {
    /// The kernel's own limit of a list and of a value: XATTR_LIST_MAX and XATTR_SIZE_MAX of linux/limits.h.
    private static let mostBytes = 65536
    /// Bytes. An access list of a hundred entries fits in.
    private static let usualBytes = 1024

    /// Returns whether the file has any extended attribute, which most have not.
    package func hasAttributes() throws(SyscallError) -> Bool {
        let number = number
        do throws(SyscallError) {
            return try systemCall(.flistxattr, .descriptor(number)) { inbox_list_attributes(number, nil, 0) } > 0
        } catch  where error.errno.isUnsupported {
            return false
        } catch  where error.errno == .inputOutput {
            if try isKnown(Self.anyAttribute) { throw error }
            return false
        }
    }

    /// One that most filesystems with attributes could have.
    private static let anyAttribute = AttributeName(known: "user.mime_type")

    /// The names of the file's extended attributes; none where the filesystem has none, and nil where they are more than
    /// the kernel lists, as XFS, btrfs and tmpfs allow: listxattr(2), E2BIG.
    package func attributeNames() throws(SyscallError) -> [AttributeName]? {
        let number = number
        var list = [UInt8](repeating: 0, count: Self.mostBytes)
        let count: Int
        do throws(SyscallError) {
            count = try systemCall(.flistxattr, .descriptor(number)) {
                list.withUnsafeMutableBytes { raw in
                    inbox_list_attributes(number, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
                }
            }
        } catch  where error.errno.isUnsupported {
            return []
        } catch  where error.errno.rawValue == E2BIG {
            return nil
        } catch  where error.errno == .inputOutput {
            if try isKnown(Self.anyAttribute) { throw error }
            return []
        }
        return list[..<count].split(separator: 0).map { AttributeName($0) }
    }

    /// The value of an extended attribute; nil where it has gone.
    package func attribute(_ name: AttributeName) throws(SyscallError) -> [UInt8]? {
        let number = number
        var value = [UInt8](repeating: 0, count: Self.mostBytes)
        do throws(SyscallError) {
            let count = try systemCall(.fgetxattr, .descriptor(number)) {
                name.withPointer { name in
                    value.withUnsafeMutableBytes { inbox_get_attribute(number, name, $0.baseAddress, $0.count) }
                }
            }
            return Array(value[..<count])
        } catch  where error.errno.rawValue == ENODATA {
            return nil
        }
    }

    /// The same of what may be open by `O_PATH` alone; nil also where the filesystem has no attributes. Most values are
    /// short, and a whole way of folders may be asked for each of many answers.
    func attributeByPath(_ name: AttributeName) throws(SyscallError) -> [UInt8]? {
        do throws(SyscallError) {
            do throws(SyscallError) {
                return try attributeByPath(name, atMost: Self.usualBytes)
            } catch  where error.errno.rawValue == ERANGE {
                return try attributeByPath(name, atMost: Self.mostBytes)
            }
        } catch  where error.errno.rawValue == ENODATA || error.errno.isUnsupported {
            return nil
        }
    }

    private func attributeByPath(_ name: AttributeName, atMost most: Int) throws(SyscallError) -> [UInt8] {
        let number = number
        return try withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { value throws(SyscallError) in
            let count = try systemCall(.fgetxattr, .descriptor(number)) {
                name.withPointer { inbox_get_attribute_by_proc(number, $0, value.baseAddress, value.count) }
            }
            return Array(value[..<count])
        }
    }

    /// Sets an extended attribute, whether it was there or not.
    package func setAttribute(_ name: AttributeName, to value: [UInt8]) throws(SyscallError) {
        let number = number
        do throws(SyscallError) {
            _ = try systemCall(.fsetxattr, .descriptor(number)) {
                name.withPointer { name in
                    value.withUnsafeBytes { inbox_set_attribute(number, name, $0.baseAddress, $0.count) }
                }
            }
        } catch  where error.errno == .inputOutput {
            throw try isKnown(name) ? error : error.unknownToServer
        }
    }

    /// Removes an extended attribute; one that is not there, or cannot be, is as good.
    package func removeAttribute(_ name: AttributeName) throws(SyscallError) {
        let number = number
        do throws(SyscallError) {
            _ = try systemCall(.fremovexattr, .descriptor(number)) {
                name.withPointer { inbox_remove_attribute(number, $0) }
            }
        } catch  where error.errno.rawValue == ENODATA || error.errno.isUnsupported {
            // There is nothing to remove.
        } catch  where error.errno == .inputOutput {
            if try isKnown(name) { throw error }
        }
    }

    /// Returns whether the server of the file's filesystem may know attributes, though a call about this one failed
    /// with EIO. Some servers of FUSE, such as rclone, return EIO for each of these calls, even if the attribute is
    /// only read.
    private func isKnown(_ name: AttributeName) throws(SyscallError) -> Bool {
        guard try Filesystem(of: self).isServedByProgram else { return true }
        do throws(SyscallError) {
            _ = try attribute(name)
            return true
        } catch {
            return error.errno != .inputOutput && !error.errno.isUnsupported
        }
    }
}
