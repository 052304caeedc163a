import InboxDetection
import InboxLinux
import UniformTypeIdentifiers

/// The type that whoever delivered a document has named: the extended attribute `user.inboxd-type`, which is no annotation.
package enum DeliveredType {
    static let attribute = AttributeName("user.inboxd-type")
    /// Bytes: no identifier is longer.
    private static let longest = 255

    /// The type that a document was delivered with; nil where there is none that is known here, or where it is one of
    /// folders: anybody may write the attribute, and a file is no folder.
    static func read(from file: borrowing FileDescriptor) throws(SyscallError) -> UTType? {
        guard let attribute, try file.hasAttributes(), let value = try file.attribute(attribute),
            value.count <= longest
        else { return nil }
        let type = String(validating: value, as: UTF8.self).flatMap { UTType($0) }
        return type.flatMap { $0.conforms(to: .directory) ? nil : $0 }
    }

    /// Returns whether somebody has delivered the file with a type, or with the statement that there is none.
    package static func isWritten(to file: borrowing FileDescriptor) -> Bool {
        guard let attribute else { return false }
        do throws(SyscallError) {
            guard try file.hasAttributes() else { return false }
            return try file.attribute(attribute) != nil
        } catch {
            // Of what cannot be asked nothing is known.
            return false
        }
    }

    /// Writes the type down, or that there is none: a filesystem without extended attributes keeps no more than the name.
    static func write(_ type: UTType?, to file: borrowing FileDescriptor) throws(SyscallError) {
        guard let attribute else { return }
        do throws(SyscallError) {
            try file.setAttribute(attribute, to: Array((type?.identifier ?? "").utf8))
        } catch  where error.isUnsupported {
            // The name has the type's extension all the same.
        }
    }
}

extension Detector {
    /// Identifies a file by its name and content; where the content says nothing, the type counts that whoever delivered it
    /// has named.
    package func detect(_ name: FileName, delivered file: borrowing FileDescriptor) -> Detection {
        let found = detect(name, reading: file)
        switch found.evidence {
        case .content, .nameAndContent: return found
        case .name, .none: break
        }
        do throws(SyscallError) {
            guard let type = try DeliveredType.read(from: file) else { return found }
            return Detection(
                type: type, mime: mime(of: type), evidence: .none, mismatch: false, unread: found.unread,
                incomplete: found.incomplete)
        } catch {
            // Without the attribute the name has to do.
            return found
        }
    }
}
