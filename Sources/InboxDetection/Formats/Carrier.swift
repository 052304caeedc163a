/// What many formats are written in. Content that shows only the carrier does not contradict such a format's name.
enum Carrier: UInt32, Sendable {
    case zip, compound, tiff, xml, riff, gzip, pdf, text
    case json, ogg, media, iff, matroska, bzip, xz, lzma, zstd, lz4, lzip, compress
    case protected, plist, sqlite, hdf, xhtml, postscript, disk
    /// A zip archive whose directory was read to its end, and that has none of the parts of a document.
    case bareZip

    /// The carrier of this name in the table of formats, or nil.
    init?(named name: Bytes) {
        guard let index = Self.names.firstIndex(where: { name.equals($0) }) else { return nil }
        self.init(rawValue: UInt32(index))
    }

    /// In the order of the cases; `bareZip` is found by content alone and has no name.
    private static let names: [StaticString] = [
        "zip", "compound", "tiff", "xml", "riff", "gzip", "pdf", "text",
        "json", "ogg", "media", "iff", "matroska", "bzip", "xz", "lzma", "zstd", "lz4", "lzip", "compress",
        "protected", "plist", "sqlite", "hdf", "xhtml", "postscript", "disk",
    ]
}

/// Several carriers: an extension may belong to formats that are written in more than one.
struct CarrierSet: OptionSet, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ carrier: Carrier) {
        rawValue = 1 << carrier.rawValue
    }

    func contains(_ carrier: Carrier) -> Bool { contains(CarrierSet(carrier)) }
}
