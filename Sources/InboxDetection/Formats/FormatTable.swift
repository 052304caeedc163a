import CUniformTypeData

/// The known formats and their fixed signatures, read at first use from the texts in `CUniformTypeData/formats`.
struct FormatTable: Sendable {
    /// The built-in table.
    static let builtIn = FormatTable(
        reading: UnsafeRawBufferPointer(start: inbox_formats(), count: inbox_formats_size()))

    /// The formats, in the order of the text.
    let formats: [Format]
    /// The signatures with which the formats must begin.
    let signatures: SignatureTable
    private nonisolated(unsafe) let memory: UnsafeRawBufferPointer
    private let mimes: FormatNames
    private let identifiers: FormatNames
    private let extensions: FormatNames

    /// Reads a text that lives as long as the program.
    init(reading memory: UnsafeRawBufferPointer) {
        var reader = FormatReader(Bytes(memory))
        reader.read()
        self.memory = memory
        formats = reader.formats
        signatures = SignatureTable(reader.signatures)
        mimes = reader.mimes
        identifiers = reader.identifiers
        extensions = reader.extensions
    }

    subscript(id: FormatID) -> Format { formats[Int(id.index)] }

    /// The text that the formats' names are pieces of.
    var text: Bytes { Bytes(memory) }

    /// The format of a MIME type, written as in the table.
    func format(mime: String) -> FormatID? { Bytes.lending(mime) { format(mime: $0) } }

    /// As `format(mime:)`, for a window.
    func format(mime: Bytes) -> FormatID? { mimes.first(mime, in: text).map { mimes.format($0) } }

    /// The first format of an identifier that the table gives.
    func format(identifier: String) -> FormatID? {
        Bytes.lending(identifier) { identifiers.first($0, in: text).map { identifiers.format($0) } }
    }

    /// The formats that are kept under an extension in small letters, in the table's order.
    func claims(ofExtension tag: [UInt8]) -> [FormatID] {
        var found: [FormatID] = []
        var claim = tag.withUnsafeBytes { extensions.first(Bytes($0), in: text) }
        while let known = claim {
            found.append(extensions.format(known))
            claim = extensions.next(known)
        }
        return found
    }
}

/// A hash table from names to the formats that have them, in the order in which they were added.
struct FormatNames: Sendable {
    /// A format that has a name; `next` is the next one of the same name, or -1.
    private struct Claim {
        let name: FormatWord
        let format: UInt16
        var next: Int16 = -1
    }

    private var claims: [Claim] = []
    /// The first and the last claim of each name, -1 where the slot is free.
    private var slots: [(first: Int16, last: Int16)]

    /// A table with room for so many names; more than these are left out.
    init(room: Int) {
        var size = 64
        while size < room * 2 { size *= 2 }
        slots = [(first: Int16, last: Int16)](repeating: (-1, -1), count: size)
        claims.reserveCapacity(room)
    }

    /// Adds a format's name, which is a piece of the text.
    mutating func add(_ name: FormatWord, of format: Int, in text: Bytes) {
        guard claims.count * 2 < slots.count, let claim = Int16(exactly: claims.count) else { return }
        let slot = slot(of: text[name.range], in: text)
        if slots[slot].first < 0 {
            slots[slot].first = claim
        } else {
            claims[Int(slots[slot].last)].next = claim
        }
        slots[slot].last = claim
        claims.append(Claim(name: name, format: UInt16(clamping: format)))
    }

    /// Returns the first claim of a name.
    func first(_ name: Bytes, in text: Bytes) -> Int? {
        let claim = slots[slot(of: name, in: text)].first
        return claim < 0 ? nil : Int(claim)
    }

    /// Returns the claim after another.
    func next(_ claim: Int) -> Int? { claims[claim].next < 0 ? nil : Int(claims[claim].next) }

    /// Returns the format that claims a name.
    func format(_ claim: Int) -> FormatID { FormatID(index: claims[claim].format) }

    /// The slot that has the name, or the free one where it belongs.
    private func slot(of name: Bytes, in text: Bytes) -> Int {
        let mask = slots.count - 1
        var hash = UInt32(2_166_136_261)
        name.withRaw { for byte in $0 { hash = (hash ^ UInt32(byte)) &* 16_777_619 } }
        var slot = Int(hash ^ hash >> 15) & mask
        while slots[slot].first >= 0, !text[claims[Int(slots[slot].first)].name.range].isEqual(to: name) {
            slot = (slot + 1) & mask
        }
        return slot
    }
}
