#ifndef C_UNIFORM_TYPE_DATA_H
#define C_UNIFORM_TYPE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define INBOX_CONSTANT constexpr
extern "C" {
#else
#define INBOX_CONSTANT
#endif

/// The text of `declarations.txt`, embedded at compile time; not NUL-terminated; lives as long as the program.
const unsigned char *inbox_uniform_type_declarations(void);

/// Its length in bytes.
size_t inbox_uniform_type_declarations_size(void);

/// A piece of the arena.
struct inbox_byte_range {
    uint32_t start;
    uint32_t count;
};

/// A type. Its parents are in `parents`; its extensions and then its MIME types are in `tags`.
struct inbox_type_row {
    /// As it was declared.
    struct inbox_byte_range identifier;
    /// The identifier in lower case.
    struct inbox_byte_range key;
    struct inbox_byte_range description;
    int32_t first_parent, end_of_parents;
    int32_t first_extension, end_of_extensions;
    int32_t first_mime_type, end_of_mime_types;
    /// A place in a list of what only own types have; -1 for built-in ones.
    int32_t details;
};

/// A name in lower case and the chain of the types that claim it, in `claims`.
struct inbox_type_name {
    struct inbox_byte_range key;
    uint32_t hash;
    int32_t first_claim;
    int32_t last_claim;
};

/// A type that claims a name, and the next claim of the same name or -1.
struct inbox_type_claim {
    int32_t type;
    int32_t next;
};

/// An open hash table of names: a slot has the name's index, or -1 where it is free. The slots are a power of two.
struct inbox_type_names {
    const int32_t *slots;
    const struct inbox_type_name *names;
    const struct inbox_type_claim *claims;
    size_t slot_count;
    size_t name_count;
    size_t claim_count;
};

/// What the declarations say, worked out by the compiler. Everything lives as long as the program.
struct inbox_type_tables {
    const unsigned char *arena;
    size_t arena_size;
    const struct inbox_type_row *rows;
    size_t row_count;
    const int32_t *parents;
    size_t parent_count;
    const struct inbox_byte_range *tags;
    size_t tag_count;
    struct inbox_type_names identifiers, extensions, mime_types;
    /// By row: the type's column in `conformance`, or -1 where nothing conforms to it.
    const int32_t *columns;
    /// A bit for each row and column, INBOX_CONFORMANCE_WORDS words a row.
    const uint64_t *conformance;
};

enum { INBOX_CONFORMANCE_WORDS = 4 };

/// Whether the built-in type of a row is another one or conforms to it.
bool inbox_type_conforms(size_t row, size_t supertype);

/// The tables of the built-in types.
struct inbox_type_tables inbox_uniform_type_tables(void);

/// A byte, in lower case if it is a capital letter of ASCII.
static inline INBOX_CONSTANT uint64_t inbox_lower_case(uint64_t word) {
    const uint64_t tops = 0x8080808080808080, lower = word & ~tops;
    // A byte's top bit is set by the first sum from `A` on, and by the second beyond `Z`.
    const uint64_t is_capital = (lower + 0x3F3F3F3F3F3F3F3F) & ~(lower + 0x2525252525252525) & ~word & tops;
    return word | is_capital >> 2;
}

/// Eight bytes in lower case, the first one lowest.
static inline INBOX_CONSTANT uint64_t inbox_lower_case_at(const unsigned char *bytes) {
    return inbox_lower_case((uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
                            (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
                            (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56);
}

/// Spreads every bit over the word: a multiplication, and its upper half, which all bits reach, on the lower.
static inline INBOX_CONSTANT uint64_t inbox_mix(uint64_t word) {
    const uint64_t product = word * 0x9E3779B97F4A7C15;
    return product ^ product >> 32;
}

/// Hashes a name as if it were in lower case, eight bytes at a time: the compiler by it, and the program too.
static inline INBOX_CONSTANT uint32_t inbox_type_name_hash(const unsigned char *bytes, size_t count) {
    uint64_t hash = count, rest = 0;
    size_t place = 0;
    for (; place + 8 <= count; place += 8) hash = inbox_mix(hash ^ inbox_lower_case_at(bytes + place));
    if (place < count && place > 0) {
        // The last eight bytes: some of them count twice.
        rest = inbox_lower_case_at(bytes + count - 8);
    } else {
        for (; place < count; place += 1) rest = rest << 8 | inbox_lower_case(bytes[place]);
    }
    return (uint32_t)inbox_mix(hash ^ rest);
}

#ifdef __cplusplus
}
#endif

#include "FormatTables.h"
// For the C++ files that make tables; nothing for others.
#include "ConstantNames.h"

#endif
