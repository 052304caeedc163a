/// The extended attributes of a document: its annotations, and its origin.
package struct DocumentAttributes: Sendable, Hashable {
    /// Bytes: more of an origin or of an application's name says nothing.
    private static let longest = 2048

    /// The annotations, by key.
    package var annotations: [String: String]
    /// The address that the document came from, cut to scheme, host and path: what browsers leave in the rest may be a
    /// password. Nil where none is known.
    package var origin: String?
    /// The application that made it or delivered it; nil where none is known.
    package var application: String?

    /// Attributes of these values.
    package init(annotations: [String: String] = [:], origin: String? = nil, application: String? = nil) {
        self.annotations = annotations
        self.origin = origin
        self.application = application
    }

    /// The host of the origin in lower case; nil where there is none.
    package var originHost: String? {
        guard let origin, let scheme = origin.firstRange(of: "://") else { return nil }
        let host = origin[scheme.upperBound...].prefix { $0 != "/" }
        return host.isEmpty ? nil : String(host)
    }

    /// Reads those of an open document. What is not text or too long is none.
    package static func read(from file: borrowing FileDescriptor) throws(SyscallError) -> DocumentAttributes {
        guard try file.hasAttributes(), let names = try file.attributeNames() else { return DocumentAttributes() }
        var found = DocumentAttributes(annotations: try Annotations.read(names, from: file))
        for name in names {
            if name.bytes.elementsEqual(originAddress.utf8) {
                found.origin = try Annotations.value(name, of: file).flatMap(address)
            } else if name.bytes.elementsEqual(creator.utf8) {
                found.application = try Annotations.value(name, of: file).flatMap { isText($0) ? $0 : nil }
            }
        }
        return found
    }

    /// The attribute with the address that the content comes from.
    package static let originAddress = "user.xdg.origin.url"
    /// The attribute that names the application.
    package static let creator = "user.xdg.creator"

    /// Returns whether a text can be an origin, or an application.
    package static func isText(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// The scheme, the host and the path of an address; nil for what is none.
    package static func address(_ text: String) -> String? {
        guard isText(text), let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound]
        guard !scheme.isEmpty,
            scheme.utf8.allSatisfy({ byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
            })
        else { return nil }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        let path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        // What is before the last @ is a user, with a password perhaps.
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let host: Substring =
            if place.first == "[", let end = place.firstIndex(of: "]") {
                place[...end]
            } else {
                place.prefix { $0 != ":" }
            }
        return scheme.lowercased() + "://" + host.lowercased() + path
    }
}
