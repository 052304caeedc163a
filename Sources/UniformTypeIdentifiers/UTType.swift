@_exported import struct FoundationEssentials.URL

/// A type of data: what a file, a folder or a piece of data is, under a name in reverse DNS such as `public.jpeg`.
///
/// This is Apple's `UTType` for Linux, under the same module name and with the same source. Differences from Apple's:
/// - The declared types are built into the library and come with it, not from the applications installed; own ones are
///   added with ``declare(_:)``.
/// - Descriptions are in English.
/// - `Codable` is a single string, and an unknown identifier fails to decode.
/// - The tags of built-in types are file-name extensions and MIME types; their version and reference URL are nil.
/// - A malformed declaration is reported with its file, entry and rule, where Apple's system ignores it.
/// - `URLResourceValues.contentType` and `UTTypeReference` are missing.
///
/// A value is small, and stays valid when ``declare(_:)`` puts another catalogue in force: an own type that is no
/// longer declared keeps its properties. Two values are equal if their identifiers are, in any case of letters.
public struct UTType: Sendable {
    /// The content of the value; a built-in type holds no reference, so that copying it costs nothing.
    enum Storage: Sendable {
        /// A row that means the same type in every catalogue.
        case builtIn(row: Int32)
        /// An own type, with the catalogue that declares it.
        case own(Catalogue, row: Int32)
        /// A type that is not declared.
        case loose(LooseType)
    }

    let storage: Storage

    @inline(__always)
    init(catalogue: Catalogue, row: Int) {
        let row32 = Int32(truncatingIfNeeded: row)
        storage = row < catalogue.types.builtInCount ? .builtIn(row: row32) : .own(catalogue, row: row32)
    }

    init(loose: LooseType) {
        storage = .loose(loose)
    }

    /// Where a declared type's facts are: a built-in one may have got tags by an import since the value was made.
    var place: (catalogue: Catalogue, row: Int)? {
        switch storage {
        case .builtIn(let row): (.current, Int(row))
        case .own(let catalogue, let row): (catalogue, Int(row))
        case .loose: nil
        }
    }

    /// The parts of a type that is not declared; nil for a declared one.
    var loose: LooseType? {
        if case .loose(let loose) = storage { loose } else { nil }
    }

    /// The row of this type in a catalogue, or nil where it is not declared there.
    @inline(__always)
    func row(in catalogue: Catalogue) -> Int? {
        if case .builtIn(let row) = storage { return Int(row) }
        if case .own(let own, let row) = storage, own === catalogue { return Int(row) }
        return withKey { catalogue.row(identifier: $0) }
    }

    /// Hands out the identifier in lower case.
    func withKey<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let (catalogue, row): (Catalogue, Int32)
        switch storage {
        case .loose(let loose): return loose.key.withUnsafeBufferPointer(body)
        case .builtIn(let place): (catalogue, row) = (.builtIn, place)
        case .own(let own, let place): (catalogue, row) = (own, place)
        }
        return catalogue.names.arena.withUnsafeBufferPointer { body(catalogue.types.rows[Int(row)].key.bytes(in: $0)) }
    }
}

extension UTType: Hashable {
    /// Returns whether both have the same identifier, in any case of letters.
    public static func == (left: UTType, right: UTType) -> Bool {
        switch (left.storage, right.storage) {
        case (.builtIn(let leftRow), .builtIn(let rightRow)): return leftRow == rightRow
        // No own type has a built-in one's identifier.
        case (.builtIn, .own), (.own, .builtIn): return false
        default: break
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
