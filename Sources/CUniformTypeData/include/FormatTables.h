#ifndef FORMAT_TABLES_H
#define FORMAT_TABLES_H

// CUniformTypeData.h includes this file, with all that it needs before it.

#ifdef __cplusplus
extern "C" {
#endif

/// A piece of the formats' text; empty where there is none.
struct inbox_format_word {
    uint16_t start;
    uint16_t count;
};

/// A format: its names, and what its files must begin with. The grammar of the text is at the top of formats.cpp.
struct inbox_format {
    /// The freedesktop or IANA name; the identifier, which has no slash, where there is none.
    struct inbox_format_word mimeWord;
    /// `first,other,other`, or `-`.
    struct inbox_format_word extensionsWord;
    /// Where the MIME type alone would not lead to the type.
    struct inbox_format_word identifierWord;
    /// A MIME type that this one is a special case of, in addition to the types' conformance.
    struct inbox_format_word superclassWord;
    /// Everything after the extensions.
    struct inbox_format_word traits;
    /// What the format may be written in, a bit each.
    uint32_t carrierBits;
    /// The first of them, and what this format carries for others; -1 where there is none.
    int8_t carrierNumber, carriedNumber;
    /// Whether its files are text.
    bool isText;
    /// Whether a file without one of its signatures is not of this format.
    bool isMandatory;
    /// Whether its files may be text or not.
    bool isEither;
    /// Whether its files may be text from end to end, though it is no text format, or no text begins as they do.
    bool isLegible;
    /// Whether its extension is used for anything, so that no content contradicts it.
    bool isVague;
    /// Whether an archive that was shown to lack the parts of a document is not of this format.
    bool isStrict;
};

/// Bytes that must be at an offset: a piece of `pattern`.
struct inbox_signature_part {
    uint32_t offset;
    uint16_t start;
    uint16_t count;
};

/// Parts of which all must match. The first byte of the first one is repeated: nearly every signature fails there.
struct inbox_signature {
    uint32_t offset;
    uint16_t format;
    uint16_t first_part, end_of_parts;
    /// How many bytes the parts have together.
    uint16_t fixed;
    uint8_t byte;
};

/// The formats that the program knows, worked out by the compiler. Everything lives as long as the program.
struct inbox_format_tables {
    const unsigned char *text;
    size_t text_size;
    /// In the order of the text.
    const struct inbox_format *formats;
    size_t format_count;
    /// By MIME type, by identifier and by extension: the claims are formats in the order of the text.
    struct inbox_type_names mime_types, identifiers, extensions;
    /// By the byte that they want at offset 0: those of byte b are from `signature_starts[b]` to `[b + 1]`; at 256 those
    /// that want none. Within a byte they are in the order of the text.
    const struct inbox_signature *signatures;
    const uint16_t *signature_starts;
    const struct inbox_signature_part *parts;
    const unsigned char *pattern;
    size_t pattern_size;
};

/// The tables of the formats.
struct inbox_format_tables inbox_known_formats(void);

#ifdef __cplusplus
}
#endif

#endif
