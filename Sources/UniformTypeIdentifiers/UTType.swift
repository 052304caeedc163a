@_exported import struct FoundationEssentials.URL

/// A type of data: what a file, a folder or a piece of data is, under a name in reverse DNS such as `public.jpeg`.
///
/// This is Apple's `UTType` for Linux, under the same module name and with the same source. Differences from Apple's:
/// - The declared types are built into the library and come with it, not from the applications installed; own ones are
///   added with ``declare(_:)``.
/// - Descriptions are in English.
/// - `Codable` is a single string, and an unknown identifier fails to decode.
/// - `URLResourceValues.contentType` and `UTTypeReference` are missing.
///
/// A value is small, and stays valid when ``declare(_:)`` puts another catalogue in force: an own type that is no longer
/// declared answers as it did. Two values are equal if their identifiers are, in any case of letters.
public struct UTType: Sendable {
    /// Where the type was looked up; kept alive by the value.
    let catalogue: Catalogue
    /// Its row there; -1 where `loose` is set.
    let row: Int
    /// Set for types that are not declared.
    let loose: LooseType?

    init(catalogue: Catalogue, row: Int) {
        self.catalogue = catalogue
        self.row = row
        loose = nil
    }

    init(loose: LooseType) {
        catalogue = .builtIn
        row = -1
        self.loose = loose
    }

    /// Whether the row means the same type in every catalogue.
    @inline(__always)
    var isBuiltIn: Bool { loose == nil && row < catalogue.builtInCount }

    /// The row of this type in another catalogue, or nil where it is not declared there.
    func row(in other: Catalogue) -> Int? {
        if loose == nil, other === catalogue || row < catalogue.builtInCount { return row }
        return withKey { other.row(identifier: $0) }
    }

    /// Hands out the identifier in lower case.
    func withKey<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let loose { return loose.key.withUnsafeBufferPointer(body) }
        return catalogue.arena.withUnsafeBufferPointer { body(catalogue.rows[row].key.bytes(in: $0)) }
    }
}

extension UTType: Hashable {
    /// Whether both have the same identifier, in any case of letters.
    public static func == (left: UTType, right: UTType) -> Bool {
        if left.loose == nil, right.loose == nil {
            if left.catalogue === right.catalogue { return left.row == right.row }
            if left.isBuiltIn || right.isBuiltIn { return left.row == right.row }
        }
        return left.withKey { leftKey in right.withKey { leftKey.elementsEqual($0) } }
    }

    /// Hashes the identifier in lower case.
    public func hash(into hasher: inout Hasher) {
        withKey { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
    /// The identifier.
    public var description: String { identifier }

    /// The identifier and what kind of type it is.
    public var debugDescription: String {
        let kind = isDynamic ? "dynamic" : isDeclared ? "declared" : "not declared"
        return "<UTType: \(identifier) (\(kind))>"
    }
}

extension UTType: Codable {
    /// Decodes a single string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an identifier that is malformed or unknown.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let identifier = try container.decode(String.self)
        guard let type = UTType(identifier) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(identifier)\" is not the identifier of a known type")
        }
        self = type
    }

    /// Encodes the identifier as a single string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
