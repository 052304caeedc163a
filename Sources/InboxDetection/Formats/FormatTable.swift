import CUniformTypeData

/// The known formats and their fixed signatures, in the tables that the compiler made of `CUniformTypeData/formats`.
///
/// `inboxctl type` needs them for a single file: nothing is read or copied at a start.
struct FormatTable: Sendable {
    /// The built-in table.
    static let builtIn = FormatTable(inbox_known_formats())

    private nonisolated(unsafe) let tables: inbox_format_tables

    private init(_ tables: inbox_format_tables) {
        self.tables = tables
    }

    /// The formats, in the order of the text.
    var formats: UnsafeBufferPointer<Format> {
        UnsafeBufferPointer(start: tables.formats, count: tables.format_count)
    }

    subscript(id: FormatID) -> Format { formats[Int(id.index)] }

    /// The text that the formats' names are pieces of.
    var text: Bytes { Bytes(UnsafeRawBufferPointer(start: tables.text, count: tables.text_size)) }

    /// What the formats must begin with.
    var signatures: SignatureTable { SignatureTable(tables) }

    /// The format of a MIME type, written as in the table.
    func format(mime: String) -> FormatID? { Bytes.lending(mime) { format(mime: $0) } }

    /// As `format(mime:)`, for a window.
    func format(mime: Bytes) -> FormatID? { first(mime, in: tables.mime_types).map { FormatID(place: Int($0.type)) } }

    /// The first format of an identifier that the table gives.
    func format(identifier: String) -> FormatID? {
        Bytes.lending(identifier) { first($0, in: tables.identifiers).map { FormatID(place: Int($0.type)) } }
    }

    /// The formats that are kept under an extension in small letters, in the table's order.
    func claims(ofExtension tag: [UInt8]) -> [FormatID] {
        var found: [FormatID] = []
        var claim = tag.withUnsafeBytes { first(Bytes($0), in: tables.extensions) }
        while let known = claim {
            found.append(FormatID(place: Int(known.type)))
            claim = known.next < 0 ? nil : tables.extensions.claims[Int(known.next)]
        }
        return found
    }

    /// The first claim of a name in a table of names, or nil.
    private func first(_ name: Bytes, in names: inbox_type_names) -> inbox_type_claim? {
        let hash = name.withRaw { inbox_type_name_hash($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }
        let mask = names.slot_count - 1
        var slot = Int(hash) & mask
        while names.slots[slot] >= 0 {
            let known = names.names[Int(names.slots[slot])]
            let key = Int(known.key.start)..<(Int(known.key.start) + Int(known.key.count))
            if known.hash == hash, text[key].isEqual(to: name) { return names.claims[Int(known.first_claim)] }
            slot = (slot + 1) & mask
        }
        return nil
    }
}
