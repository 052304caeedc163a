// Works the tables of formats out of formats/*.txt while it is compiled: one format a line, its signatures indented
// below it. What does not fit the grammar does not compile.
//
//     MIME-type|identifier extension[,extension…]|- [identifier] [text] [loose] [either] [legible] [vague] [strict] [in:carrier …]
//         [is:carrier] [sub:MIME-type] [under:identifier …]
//       offset:pattern [offset:pattern …]
//
// A format without a MIME type begins with the identifier of its type, which must be a declared one.
//
// A pattern is hexadecimal digits, `'text'` and `??` for any byte; all patterns of a line must match, and each line is
// an alternative. `text` formats and `loose` ones do not need a signature; text contradicts a `loose` one, and bytes a
// `text` one, unless it is `either`. A signature of a few bytes does not count in a text, unless the format is one of
// these or `legible`: its files may be text from end to end, or no text begins so. Names of a `vague` format are never
// contradicted. An archive without the parts of a document contradicts a `strict` format. `under` gives the supertypes of
// the dynamic type, where no type is declared.
// The first extension is the usual one; under the others such files are honestly kept, though they may mean something
// else.
#include "CUniformTypeData.h"

// In C, #embed is standard; in C++, clang has it as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace {

constexpr unsigned char text[] = {
#embed "formats/images.txt"
    ,
#embed "formats/archives.txt"
    ,
#embed "formats/media.txt"
    ,
#embed "formats/documents.txt"
    ,
#embed "formats/programs.txt"
    ,
#embed "formats/texts.txt"
};
constexpr unsigned textSize = sizeof text;
static_assert(textSize < 0x10000);

/// In the order of the cases of `Carrier`.
constexpr const char *carrierNames[] = {
    "zip",       "compound", "tiff",   "xml",  "riff", "gzip",  "pdf",        "text", "json",
    "ogg",       "media",    "iff",    "matroska", "bzip", "xz", "lzma",      "zstd", "lz4",
    "lzip",      "compress", "protected", "plist", "sqlite", "hdf", "xhtml",  "postscript", "disk",
};

struct Line {
    uint16_t start, end;
};

struct Sizes {
    unsigned formats = 0, signatures = 0;
};

/// Hands the lines to `sink`, those of formats and those of signatures. What the compiler may do for one constant is
/// limited: the lines are found first, and then read.
template <typename Sink> consteval void findLines(Sink &sink) {
    for (unsigned place = 0; place < textSize; place++) {
        const unsigned start = place;
        while (text[place] != '\n') place++;
        if (place == start || text[start] == '#') continue;
        if (text[start] == ' ') sink.signature(start, place);
        else sink.format(start, place);
    }
}

struct Counting {
    Sizes sizes;
    consteval void format(unsigned, unsigned) { sizes.formats++; }
    consteval void signature(unsigned, unsigned) { sizes.signatures++; }
};

consteval Sizes counted() {
    Counting sink;
    findLines(sink);
    return sink.sizes;
}

constexpr Sizes sizes = counted();

struct Lines {
    Line formats[sizes.formats];
    Line signatures[sizes.signatures];
    /// The format that each signature belongs to.
    uint16_t formatOfSignature[sizes.signatures];
};

struct Finding {
    Lines lines{};
    unsigned formats = 0, signatures = 0;

    consteval void format(unsigned start, unsigned end) {
        lines.formats[formats++] = {(uint16_t)start, (uint16_t)end};
    }
    consteval void signature(unsigned start, unsigned end) {
        if (formats == 0) throw "a signature follows its format";
        lines.signatures[signatures] = {(uint16_t)start, (uint16_t)end};
        lines.formatOfSignature[signatures++] = formats - 1;
    }
};

consteval Lines found() {
    Finding sink;
    findLines(sink);
    return sink.lines;
}

constexpr Lines lines = found();

/// How many letters the text at a place begins with of a word that ends with NUL; 0 where it begins otherwise.
consteval unsigned begins(const char *word, unsigned place) {
    unsigned count = 0;
    for (; word[count] != 0; count++)
        if (text[place + count] != (unsigned char)word[count]) return 0;
    return count;
}

consteval bool isWord(const char *word, inbox_format_word found) { return begins(word, found.start) == found.count; }

consteval int8_t carrier(unsigned start, unsigned end) {
    for (int8_t index = 0; const char *name : carrierNames) {
        if (begins(name, start) == end - start) return index;
        index++;
    }
    throw "no carrier has this name";
}

consteval inbox_format_word wordAt(unsigned place, unsigned end) {
    unsigned start = place;
    while (place < end && text[place] != ' ') place++;
    return {(uint16_t)start, (uint16_t)(place - start)};
}

consteval bool has(inbox_format_word word, unsigned char wanted) {
    for (unsigned place = word.start; place < (unsigned)word.start + word.count; place++)
        if (text[place] == wanted) return true;
    return false;
}

consteval void readTrait(inbox_format &format, inbox_format_word word, bool &isLoose) {
    const unsigned end = word.start + word.count;
    if (isWord("text", word)) format.isText = true;
    else if (isWord("loose", word)) isLoose = true;
    else if (isWord("either", word)) format.isEither = true;
    else if (isWord("legible", word)) format.isLegible = true;
    else if (isWord("vague", word)) format.isVague = true;
    else if (isWord("strict", word)) format.isStrict = true;
    else if (begins("sub:", word.start)) format.superclassWord = wordAt(word.start + 4, end);
    else if (begins("is:", word.start)) format.carriedNumber = carrier(word.start + 3, end);
    else if (begins("in:", word.start)) {
        const int8_t known = carrier(word.start + 3, end);
        if (format.carrierNumber < 0) format.carrierNumber = known;
        format.carrierBits |= 1u << known;
    } else if (!begins("under:", word.start)) {
        if (!has(word, '.')) throw "a trait is misspelt";
        format.identifierWord = word;
    }
}

struct Formats {
    inbox_format formats[sizes.formats];
};

consteval Formats readFormats() {
    Formats table{};
    for (unsigned index = 0; index < sizes.formats; index++) {
        const Line line = lines.formats[index];
        inbox_format &format = table.formats[index];
        format.carrierNumber = format.carriedNumber = -1;
        format.mimeWord = wordAt(line.start, line.end);
        if (!has(format.mimeWord, '/')) {
            if (!has(format.mimeWord, '.')) throw "a format begins with its MIME type or its identifier";
            format.identifierWord = format.mimeWord;
        }
        unsigned place = line.start + format.mimeWord.count + 1;
        if (place >= line.end) throw "extensions follow the name, or -";
        format.extensionsWord = wordAt(place, line.end);
        place += format.extensionsWord.count + 1;
        bool isLoose = false;
        if (place < line.end) {
            format.traits = {(uint16_t)place, (uint16_t)(line.end - place)};
            while (place < line.end) {
                const inbox_format_word word = wordAt(place, line.end);
                readTrait(format, word, isLoose);
                place += word.count + 1;
            }
        }
        format.isMandatory = !format.isText && !isLoose;
    }
    return table;
}

constexpr Formats formats = readFormats();

/// Room for more than there is; what is kept has the right size.
struct Patterns {
    unsigned char bytes[0x4000];
    inbox_signature_part parts[0x1000];
    inbox_signature signatures[sizes.signatures];
    unsigned byteCount, partCount;
};

consteval unsigned hexadecimal(unsigned char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    throw "a pattern is digits in capitals, text in quotes and ??";
}

/// Reads one signature's patterns, a byte of the content at a time.
struct PatternReader {
    Patterns &patterns;
    inbox_signature &signature;
    bool isOpen = false;

    /// A byte that is wanted at an offset of the content.
    consteval void want(unsigned char byte, unsigned offset) {
        if (!isOpen) {
            patterns.parts[patterns.partCount++] = {offset, (uint16_t)patterns.byteCount, 0};
            isOpen = true;
        }
        if (signature.fixed == 0) {
            signature.offset = offset;
            signature.byte = byte;
        }
        patterns.bytes[patterns.byteCount++] = byte;
        patterns.parts[patterns.partCount - 1].count++;
        signature.fixed++;
    }

    consteval void read(unsigned place, unsigned end) {
        signature.first_part = patterns.partCount;
        while (place < end) {
            unsigned offset = 0;
            for (; text[place] >= '0' && text[place] <= '9'; place++) offset = offset * 10 + (text[place] - '0');
            if (text[place++] != ':') throw "a pattern follows its offset and a colon";
            while (place < end && text[place] != ' ') {
                if (text[place] == '\'') {
                    for (place++; text[place] != '\''; place++) want(text[place], offset++);
                    place++;
                } else if (text[place] == '?') {
                    isOpen = false;
                    offset++;
                    place += 2;
                } else {
                    want(hexadecimal(text[place]) << 4 | hexadecimal(text[place + 1]), offset++);
                    place += 2;
                }
            }
            isOpen = false;
            while (place < end && text[place] == ' ') place++;
        }
        signature.end_of_parts = patterns.partCount;
        if (signature.fixed == 0) throw "a signature wants a byte at least";
    }
};

consteval Patterns readSignatures() {
    Patterns patterns{};
    for (unsigned index = 0; index < sizes.signatures; index++) {
        inbox_signature &signature = patterns.signatures[index];
        signature.format = lines.formatOfSignature[index];
        unsigned place = lines.signatures[index].start;
        while (text[place] == ' ') place++;
        PatternReader{patterns, signature}.read(place, lines.signatures[index].end);
    }
    return patterns;
}

constexpr Patterns patterns = readSignatures();

struct Signatures {
    unsigned char bytes[patterns.byteCount];
    inbox_signature_part parts[patterns.partCount];
    inbox_signature signatures[sizes.signatures];
    uint16_t starts[258];
};

consteval Signatures sortedSignatures() {
    Signatures kept{};
    for (unsigned index = 0; index < patterns.byteCount; index++) kept.bytes[index] = patterns.bytes[index];
    for (unsigned index = 0; index < patterns.partCount; index++) kept.parts[index] = patterns.parts[index];
    const auto bucket = [](const inbox_signature &signature) { return signature.offset == 0 ? signature.byte : 256; };
    unsigned next[257] = {};
    for (const inbox_signature &signature : patterns.signatures) kept.starts[bucket(signature) + 1]++;
    for (unsigned index = 0; index < 257; index++) {
        next[index] = kept.starts[index];
        kept.starts[index + 1] += kept.starts[index];
    }
    for (const inbox_signature &signature : patterns.signatures) kept.signatures[next[bucket(signature)]++] = signature;
    return kept;
}

constexpr Signatures signatures = sortedSignatures();

consteval inbox_byte_range range(inbox_format_word word) { return {word.start, word.count}; }

consteval auto namedMIMETypes() {
    inbox::Names<sizes.formats> table;
    for (unsigned index = 0; index < sizes.formats; index++) table.add(text, range(formats.formats[index].mimeWord), index);
    if (table.nameCount != sizes.formats) throw "a MIME type is in the table once";
    return table;
}

consteval unsigned countedIdentifiers() {
    unsigned count = 0;
    for (const inbox_format &format : formats.formats) count += format.identifierWord.count > 0;
    return count;
}

consteval auto namedIdentifiers() {
    inbox::Names<countedIdentifiers()> table;
    for (unsigned index = 0; index < sizes.formats; index++)
        if (formats.formats[index].identifierWord.count > 0) table.add(text, range(formats.formats[index].identifierWord), index);
    return table;
}

/// Hands each extension to `body`.
template <typename Body> consteval void eachExtension(Body body) {
    for (unsigned index = 0; index < sizes.formats; index++) {
        const inbox_format_word list = formats.formats[index].extensionsWord;
        if (isWord("-", list)) continue;
        unsigned start = list.start;
        for (unsigned place = start; place <= (unsigned)list.start + list.count; place++) {
            if (place < (unsigned)list.start + list.count && text[place] != ',') continue;
            body(inbox_byte_range{start, place - start}, index);
            start = place + 1;
        }
    }
}

consteval unsigned countedExtensions() {
    unsigned count = 0;
    eachExtension([&count](inbox_byte_range, unsigned) { count++; });
    return count;
}

consteval auto namedExtensions() {
    inbox::Names<countedExtensions()> table;
    eachExtension([&table](inbox_byte_range name, unsigned format) { table.add(text, name, format); });
    return table;
}

constexpr auto mimeTypes = namedMIMETypes();
constexpr auto identifiers = namedIdentifiers();
constexpr auto extensions = namedExtensions();

}  // namespace

struct inbox_format_tables inbox_known_formats(void) {
    return {
        .text = text,
        .text_size = textSize,
        .formats = formats.formats,
        .format_count = sizes.formats,
        .mime_types = mimeTypes.lent(),
        .identifiers = identifiers.lent(),
        .extensions = extensions.lent(),
        .signatures = signatures.signatures,
        .signature_starts = signatures.starts,
        .parts = signatures.parts,
        .pattern = signatures.bytes,
        .pattern_size = patterns.byteCount,
    };
}
