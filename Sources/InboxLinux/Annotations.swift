/// The words that travel with a document: its extended attributes `user.inboxd.KEY`.
package enum Annotations {
    /// The prefix of the attributes' names.
    package static let prefix = "user.inboxd."
    /// Characters: the longest key.
    package static let longestKey = 64
    /// Bytes: the longest value.
    package static let longestValue = 4096
    /// More are neither delivered nor taken along: a filesystem has room for a few KiB of attributes.
    package static let most = 64

    /// Returns whether this can be the key of an annotation: `[A-Za-z0-9_]{1,64}`.
    package static func isKey(_ text: String) -> Bool {
        (1...longestKey).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Those of an open document that has attributes of these names, by key. What is not text, has no such key or is too
    /// long is none: whoever owns a file may give it any attributes, also more than can be listed.
    static func read(
        _ names: [AttributeName], from file: borrowing FileDescriptor
    ) throws(SyscallError) -> [String: String] {
        var found: [String: String] = [:]
        for name in names where found.count < most {
            guard name.bytes.starts(with: prefix.utf8),
                let key = String(validating: name.bytes.dropFirst(prefix.utf8.count), as: UTF8.self), isKey(key),
                let value = try value(name, of: file)
            else { continue }
            found[key] = value
        }
        return found
    }

    /// The text of an attribute; nil where it is none, too long or cannot be read.
    static func value(
        _ name: AttributeName, of file: borrowing FileDescriptor
    ) throws(SyscallError) -> String? {
        do throws(SyscallError) {
            guard let bytes = try file.attribute(name), bytes.count <= longestValue else { return nil }
            return String(validating: bytes, as: UTF8.self)
        } catch  where error.errno.isDenied || error.errno.isUnsupported {
            return nil
        }
    }
}
