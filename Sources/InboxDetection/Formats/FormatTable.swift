import CUniformTypeData
import UniformTypeIdentifiers

/// The known formats and their fixed signatures, read at first use from the texts in `CUniformTypeData/formats`.
struct FormatTable: Sendable {
    /// The built-in table.
    static let builtIn =
        TableImages.ofFormats.flatMap { FormatTable(image: $0, of: builtInText) } ?? FormatTable(reading: builtInText)

    /// The texts of the built-in table.
    static var builtInText: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: inbox_formats(), count: inbox_formats_size())
    }

    /// The formats, in the order of the text.
    nonisolated(unsafe) let formats: UnsafeBufferPointer<Format>
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
        formats = reader.formats.kept
        signatures = SignatureTable(reader.signatures)
        mimes = reader.mimes
        identifiers = reader.identifiers
        extensions = reader.extensions
    }

    /// The table of a text as an image has it; nil where the image was made of another one.
    init?(image: UnsafeRawPointer, of memory: UnsafeRawBufferPointer) {
        guard var reader = TableImage.Reader(image, ofText: memory.count) else { return nil }
        self.memory = memory
        formats = reader.next()
        signatures = SignatureTable(reading: &reader)
        mimes = FormatNames(reading: &reader)
        identifiers = FormatNames(reading: &reader)
        extensions = FormatNames(reading: &reader)
    }

    /// An image of the table.
    var image: TableImage {
        var image = TableImage(ofText: memory.count)
        image.append(formats)
        signatures.write(to: &image)
        for names in [mimes, identifiers, extensions] { names.write(to: &image) }
        return image
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

/// A hash table from names to the formats that have them, in the order in which they were added. It lives as long as the
/// program.
struct FormatNames: Sendable {
    /// A format that has a name; `next` is the next one of the same name, or -1.
    private struct Claim: BitwiseCopyable {
        let name: FormatWord
        let format: UInt16
        var next: Int16 = -1
    }

    /// The first and the last claim of a name, -1 where the slot is free.
    private struct Slot: BitwiseCopyable {
        var first: Int16 = -1
        var last: Int16 = -1
    }

    private nonisolated(unsafe) let claims: UnsafeMutableBufferPointer<Claim>
    private var count = 0
    /// Twice as many as there is room for claims, or more.
    private nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<Slot>

    /// A table with room for so many names; more than these are left out.
    init(room: Int) {
        var size = 64
        while size < room * 2 { size *= 2 }
        slots = .allocate(capacity: size)
        slots.initialize(repeating: Slot())
        claims = .allocate(capacity: size / 2)
    }

    /// The next table of an image, to which nothing is added.
    init(reading image: inout TableImage.Reader) {
        claims = UnsafeMutableBufferPointer(mutating: image.next())
        slots = UnsafeMutableBufferPointer(mutating: image.next())
        count = claims.count
    }

    /// Adds the table to an image.
    func write(to image: inout TableImage) {
        image.append(UnsafeBufferPointer(rebasing: claims[..<count]))
        image.append(UnsafeBufferPointer(slots))
    }

    /// Adds a format's name, which is a piece of the text.
    mutating func add(_ name: FormatWord, of format: Int, in text: Bytes) {
        guard count < claims.count, let claim = Int16(exactly: count) else { return }
        let slot = slot(of: text[name.range], in: text)
        if slots[slot].first < 0 {
            slots[slot].first = claim
        } else {
            claims[Int(slots[slot].last)].next = claim
        }
        slots[slot].last = claim
        claims.initializeElement(at: count, to: Claim(name: name, format: UInt16(clamping: format)))
        count += 1
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

extension Array where Element: BitwiseCopyable {
    /// The elements in memory that is not freed: the tables live as long as the program.
    var kept: UnsafeBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
        _ = memory.initialize(from: self)
        return UnsafeBufferPointer(memory)
    }
}
