// Works the tables of the built-in types out of declarations.txt while it is compiled: a program then reads no text at
// its start. The grammar is described at the top of that file; what does not fit it does not compile.
#include "CUniformTypeData.h"

// In C, #embed is standard; in C++, clang has it as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace {

constexpr unsigned char text[] = {
#embed "declarations.txt"
};
struct Word {
    unsigned start = 0, count = 0;
};

/// Reads the text word by word. What the compiler may do for one constant is limited, so each byte is read once.
struct Reader {
    unsigned place = 0;

    constexpr unsigned char next() const { return place < sizeof text ? text[place] : '\n'; }

    /// Goes to the next line that is an entry; false at the end of the text.
    consteval bool findEntry() {
        while (place < sizeof text && (text[place] == '\n' || text[place] == '#')) {
            while (next() != '\n') place += 1;
            place += 1;
        }
        return place < sizeof text;
    }

    consteval Word word() {
        unsigned start = place;
        while (next() > ' ') place += 1;
        return {start, place - start};
    }

    consteval void skipBlanks() {
        while (next() == ' ') place += 1;
    }

    /// The text in quotes up to the end of the line.
    consteval Word description() {
        if (next() != '"') throw "an entry ends with a description";
        unsigned start = ++place;
        while (next() != '"') place += 1;
        Word found{start, place - start};
        place += 1;
        if (next() != '\n') throw "a description ends its line";
        return found;
    }
};

struct Sizes {
    unsigned rows = 0, parents = 0, extensions = 0, mimeTypes = 0, bytes = 0;
};

consteval bool hasSlash(Word word) {
    for (unsigned index = word.start; index < word.start + word.count; index++)
        if (text[index] == '/') return true;
    return false;
}

/// Hands each entry to `sink`, part by part.
template <typename Sink> consteval void readEntries(Sink &sink) {
    Reader reader;
    while (reader.findEntry()) {
        sink.row(reader.word());
        reader.skipBlanks();
        while (reader.next() != '"') {
            if (reader.next() == '<') {
                reader.place += 1;
            } else if (reader.next() == '.') {
                reader.place += 1;
                sink.extension(reader.word());
            } else {
                Word word = reader.word();
                if (hasSlash(word)) sink.mimeType(word);
                else sink.parent(word);
            }
            reader.skipBlanks();
        }
        sink.description(reader.description());
    }
}

struct Measuring {
    Sizes sizes;

    consteval void row(Word word) { sizes.rows += 1, sizes.bytes += word.count; }
    consteval void parent(Word) { sizes.parents += 1; }
    consteval void extension(Word word) { sizes.extensions += 1, sizes.bytes += word.count; }
    consteval void mimeType(Word word) { sizes.mimeTypes += 1, sizes.bytes += word.count; }
    consteval void description(Word word) { sizes.bytes += word.count; }
};

consteval Sizes measured() {
    Measuring sink;
    readEntries(sink);
    return sink.sizes;
}

constexpr Sizes sizes = measured();
constexpr unsigned tagCount = sizes.extensions + sizes.mimeTypes;

/// The entries as rows, with all their words in one arena; the parents are still words of the text.
struct Entries {
    unsigned char arena[sizes.bytes];
    inbox_type_row rows[sizes.rows];
    inbox_byte_range tags[tagCount];
    Word parents[sizes.parents];
};

struct Filling {
    Entries entries{};
    unsigned bytes = 0, rows = 0, parents = 0, tags = 0;

    consteval inbox_byte_range keep(Word word) {
        unsigned start = bytes;
        for (unsigned index = 0; index < word.count; index++) entries.arena[bytes++] = text[word.start + index];
        return {start, word.count};
    }

    /// Names are looked up in lower case, so that they are declared in it.
    consteval inbox_byte_range keepName(Word word) {
        for (unsigned index = word.start; index < word.start + word.count; index++)
            if (text[index] >= 'A' && text[index] <= 'Z') throw "names are in lower case";
        return keep(word);
    }

    consteval inbox_type_row &current() { return entries.rows[rows]; }

    consteval void row(Word word) {
        const int32_t parent = parents, tag = tags;
        current() = {keepName(word), {}, {}, parent, parent, tag, tag, tag, tag, -1};
        current().key = current().identifier;
    }

    consteval void parent(Word word) {
        entries.parents[parents++] = word;
        current().end_of_parents = parents;
    }

    consteval void extension(Word word) {
        if (current().first_mime_type != current().end_of_mime_types) throw "the extensions precede the MIME types";
        entries.tags[tags++] = keepName(word);
        current().end_of_extensions = current().first_mime_type = current().end_of_mime_types = tags;
    }

    consteval void mimeType(Word word) {
        entries.tags[tags++] = keepName(word);
        current().end_of_mime_types = tags;
    }

    consteval void description(Word word) {
        current().description = keep(word);
        rows += 1;
    }
};

consteval Entries filled() {
    Filling sink;
    readEntries(sink);
    return sink.entries;
}

constexpr Entries entries = filled();

consteval inbox::Names<sizes.rows> namedRows() {
    inbox::Names<sizes.rows> table;
    for (unsigned row = 0; row < sizes.rows; row++) table.add(entries.arena, entries.rows[row].identifier, row);
    if (table.nameCount != sizes.rows) throw "a type is declared once";
    return table;
}

/// The names that the types claim: those of a type are its tags from one place to another.
template <unsigned count>
consteval inbox::Names<count> namedTags(int32_t inbox_type_row::*first, int32_t inbox_type_row::*end) {
    inbox::Names<count> table;
    for (unsigned row = 0; row < sizes.rows; row++)
        for (int tag = entries.rows[row].*first; tag < entries.rows[row].*end; tag++)
            table.add(entries.arena, entries.tags[tag], row);
    return table;
}

constexpr inbox::Names<sizes.rows> identifiers = namedRows();
constexpr auto extensions =
    namedTags<sizes.extensions>(&inbox_type_row::first_extension, &inbox_type_row::end_of_extensions);
constexpr auto mimeTypes =
    namedTags<sizes.mimeTypes>(&inbox_type_row::first_mime_type, &inbox_type_row::end_of_mime_types);

struct Parents {
    int32_t rows[sizes.parents];
};

consteval Parents foundParents() {
    Parents parents{};
    for (unsigned index = 0; index < sizes.parents; index++) {
        const Word word = entries.parents[index];
        const unsigned char *bytes = text + word.start;
        const int32_t row = identifiers.slots[identifiers.find(
            entries.arena, bytes, word.count, inbox_type_name_hash(bytes, word.count))];
        if (row < 0) throw "a supertype is declared too";
        parents.rows[index] = row;
    }
    return parents;
}

constexpr Parents parents = foundParents();

struct Columns {
    int32_t columns[sizes.rows];
};

consteval Columns numbered() {
    Columns table{};
    int32_t count = 0;
    for (int32_t &column : table.columns) column = -1;
    for (int32_t parent : parents.rows)
        if (table.columns[parent] < 0) table.columns[parent] = count++;
    if (count > INBOX_CONFORMANCE_WORDS * 64) throw "a row of the conformance has too few words";
    return table;
}

constexpr Columns columns = numbered();

struct Conformance {
    uint64_t bits[sizes.rows * INBOX_CONFORMANCE_WORDS];
};

struct Inheriting {
    Conformance conformance{};
    enum Visit : unsigned char { isNew, isOpen, isDone } visits[sizes.rows] = {};

    consteval void visit(unsigned row) {
        if (visits[row] == isDone) return;
        if (visits[row] == isOpen) throw "a type cannot conform to itself";
        visits[row] = isOpen;
        uint64_t *bits = conformance.bits + row * INBOX_CONFORMANCE_WORDS;
        for (int place = entries.rows[row].first_parent; place < entries.rows[row].end_of_parents; place++) {
            const unsigned parent = parents.rows[place];
            visit(parent);
            const uint64_t *inherited = conformance.bits + parent * INBOX_CONFORMANCE_WORDS;
            for (unsigned word = 0; word < INBOX_CONFORMANCE_WORDS; word++) bits[word] |= inherited[word];
            bits[columns.columns[parent] / 64] |= 1ull << columns.columns[parent] % 64;
        }
        visits[row] = isDone;
    }
};

consteval Conformance inherited() {
    Inheriting inheriting;
    for (unsigned row = 0; row < sizes.rows; row++) inheriting.visit(row);
    return inheriting.conformance;
}

constexpr Conformance conformance = inherited();

/// The parts of the entries that the program needs: those that it does not need are left to the compiler.
struct Arena {
    unsigned char bytes[sizes.bytes];
};
struct Rows {
    inbox_type_row rows[sizes.rows];
};
struct Tags {
    inbox_byte_range ranges[tagCount];
};

consteval Arena keptArena() {
    Arena arena{};
    for (unsigned index = 0; index < sizes.bytes; index++) arena.bytes[index] = entries.arena[index];
    return arena;
}

consteval Rows keptRows() {
    Rows rows{};
    for (unsigned index = 0; index < sizes.rows; index++) rows.rows[index] = entries.rows[index];
    return rows;
}

consteval Tags keptTags() {
    Tags tags{};
    for (unsigned index = 0; index < tagCount; index++) tags.ranges[index] = entries.tags[index];
    return tags;
}

constexpr Arena arena = keptArena();
constexpr Rows rows = keptRows();
constexpr Tags tags = keptTags();

}  // namespace

inbox_type_tables inbox_uniform_type_tables(void) {
    return {
        .arena = arena.bytes,
        .arena_size = sizes.bytes,
        .rows = rows.rows,
        .row_count = sizes.rows,
        .parents = parents.rows,
        .parent_count = sizes.parents,
        .tags = tags.ranges,
        .tag_count = tagCount,
        .identifiers = identifiers.lent(),
        .extensions = extensions.lent(),
        .mime_types = mimeTypes.lent(),
        .columns = columns.columns,
        .conformance = conformance.bits,
    };
}

bool inbox_type_conforms(size_t row, size_t supertype) {
    if (row == supertype) return true;
    const int32_t column = columns.columns[supertype];
    if (column < 0) return false;
    return conformance.bits[row * INBOX_CONFORMANCE_WORDS + column / 64] >> column % 64 & 1;
}
