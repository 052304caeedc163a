/// A kind of tag by which a type is known outside this system, such as a file-name extension.
///
/// As Apple's `UTTagClass`. Two values are equal if their raw values are, byte for byte.
public struct UTTagClass: RawRepresentable, Codable, Hashable, Sendable {
    /// The name of the class, itself written like a type identifier.
    public let rawValue: String

    /// A tag class of any name; a class that no declaration uses finds only dynamic types.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// File-name extensions such as `txt`, without the leading dot.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")

    /// MIME types such as `text/plain`.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}

extension UTTagClass: CustomStringConvertible, CustomDebugStringConvertible {
    /// The raw value.
    public var description: String { rawValue }

    /// The raw value, marked as a tag class.
    public var debugDescription: String { "<UTTagClass: \(rawValue)>" }
}
