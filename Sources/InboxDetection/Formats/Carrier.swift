/// A general format that many others are written in. Content that shows only the carrier does not contradict such a
/// format's name.
///
/// The texts of the formats name the cases as they are spelled here.
enum Carrier: Int8, CaseIterable, Sendable {
    case zip, compound, tiff, xml, riff, gzip, pdf, text
    case json, ogg, media, iff, matroska, bzip, xz, lzma, zstd, lz4, lzip, compress
    case protected, plist, sqlite, hdf, xhtml, postscript, disk
    /// A zip archive whose directory was read to its end, and that has none of the parts of a document.
    case bareZip

    /// Finds the carrier that a text of formats names.
    init?(named name: Bytes) {
        guard let index = Self.names.firstIndex(where: { name.equals($0) }) else { return nil }
        self = Self.allCases[index]
    }

    /// In the order of the cases; the last one is found in files alone.
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
        rawValue = 1 << UInt32(carrier.rawValue)
    }

    func contains(_ carrier: Carrier) -> Bool { contains(CarrierSet(carrier)) }
}
