/// A format that this program knows, by its place in the table of formats.
struct FormatID: Hashable, Sendable {
    let index: UInt16
}

/// What many formats are written in. Content that shows only the carrier does not contradict such a format's name.
enum Carrier: String, Sendable, CaseIterable {
    case zip, compound, tiff, xml, riff, gzip, pdf, text
    case json, ogg, media, iff, matroska, bzip, xz, lzma, zstd, lz4, lzip, compress
}

/// A format: its names, and what its files must begin with.
struct Format: Sendable {
    /// The freedesktop or IANA name.
    let mime: String
    /// The usual extension, without a dot; nil for formats whose files have none.
    let fileExtension: String?
    /// The identifier, where the MIME type alone would not lead to it.
    let identifier: String?
    /// What the format is written in.
    let carrier: Carrier?
    /// What this format carries for others.
    let isCarrier: Carrier?
    /// Whether its files are text.
    let isText: Bool
    /// Whether a file without one of its signatures is not of this format.
    let isMandatory: Bool
    /// A format that this one is a special case of, beyond what the types' conformance says.
    let superclass: String?
}

/// Name space of the table's text: one format a line, its signatures indented below it.
///
///     MIME-type extension|- [identifier] [text] [loose] [in:carrier] [is:carrier] [sub:MIME-type]
///       offset:pattern [offset:pattern …]
///
/// A pattern is hexadecimal digits, `'text'` and `??` for any byte; all patterns of a line must match, and each line is
/// an alternative. `text` formats and `loose` ones do not need a signature.
enum FormatText {
    static let all = [images, archives, media, documents, programs, texts]
}
