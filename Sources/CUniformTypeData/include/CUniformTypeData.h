#ifndef C_UNIFORM_TYPE_DATA_H
#define C_UNIFORM_TYPE_DATA_H

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

/// A piece of the arena: `start` in the lower 24 bits, its length above.
typedef uint32_t inbox_type_word;

/// A type. Its parents, extensions and MIME types end where those of the next row begin.
struct inbox_type_row {
    inbox_type_word identifier;
    inbox_type_word description;
    /// The first of its parents in `parents`.
    uint16_t parents;
    /// The first of its extensions in `tags`; the MIME types follow them.
    uint16_t extensions;
    uint16_t mime_types;
};

/// A name in lower case and the chain of the types that claim it, in `claims`.
struct inbox_type_name {
    uint32_t hash;
    inbox_type_word key;
    uint16_t first_claim;
    uint16_t last_claim;
};

/// A type that claims a name, and the next claim of the same name or 0xFFFF.
struct inbox_type_claim {
    uint16_t type;
    uint16_t next;
};

/// An open hash table of names: a slot has the name's index, or 0xFFFF where it is free.
struct inbox_type_names {
    const uint16_t *slots;
    const struct inbox_type_name *names;
    const struct inbox_type_claim *claims;
    uint32_t slot_count;
    uint32_t name_count;
    uint32_t claim_count;
};

/// What the declarations say, worked out by the compiler. Everything lives as long as the program.
struct inbox_type_tables {
    const unsigned char *arena;
    uint32_t arena_size;
    const struct inbox_type_row *rows;
    uint32_t row_count;
    const uint16_t *parents;
    uint32_t parent_count;
    const inbox_type_word *tags;
    uint32_t tag_count;
    /// An open hash table of the rows by their identifiers: a slot has the row, or 0xFFFF where it is free.
    const uint16_t *identifier_slots;
    uint32_t identifier_slot_count;
    /// By row.
    const uint32_t *identifier_hashes;
    struct inbox_type_names extensions, mime_types;
};

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

#endif
