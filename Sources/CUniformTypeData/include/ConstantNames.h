#ifndef CONSTANT_NAMES_H
#define CONSTANT_NAMES_H

// Hash tables of names that the compiler fills: for the C++ files that work tables out of a text, not for Swift.
// CUniformTypeData.h includes this file, with all that it needs before it.
#ifdef __cplusplus
namespace inbox {

constexpr bool isEqual(const unsigned char *left, const unsigned char *right, size_t count) {
    for (size_t index = 0; index < count; index++)
        if (left[index] != right[index]) return false;
    return true;
}

constexpr unsigned powerOfTwo(unsigned least) {
    unsigned size = 64;
    while (size < least) size *= 2;
    return size;
}

/// A hash table of up to `Most` names, with as many claims. The names lie in an arena that all calls are given.
template <unsigned Most> struct Names {
    static constexpr unsigned slotCount = powerOfTwo(Most * 2);
    int32_t slots[slotCount];
    inbox_type_name names[Most];
    inbox_type_claim claims[Most];
    unsigned nameCount = 0, claimCount = 0;

    consteval Names() : slots{}, names{}, claims{} {
        for (int32_t &slot : slots) slot = -1;
    }

    /// The slot that has the name, or the free one where it belongs.
    consteval unsigned find(
        const unsigned char *arena, const unsigned char *bytes, unsigned count, uint32_t hash) const {
        unsigned slot = hash & (slotCount - 1);
        for (; slots[slot] >= 0; slot = (slot + 1) & (slotCount - 1)) {
            const inbox_type_name &name = names[slots[slot]];
            if (name.hash == hash && name.key.count == count && isEqual(arena + name.key.start, bytes, count)) break;
        }
        return slot;
    }

    /// Adds a claim after those that the name has.
    consteval void add(const unsigned char *arena, inbox_byte_range key, int32_t type) {
        const unsigned char *bytes = arena + key.start;
        const uint32_t hash = inbox_type_name_hash(bytes, key.count);
        const unsigned slot = find(arena, bytes, key.count, hash);
        const int32_t claim = claimCount++;
        claims[claim] = {type, -1};
        if (slots[slot] < 0) {
            slots[slot] = nameCount;
            names[nameCount++] = {key, hash, claim, claim};
        } else {
            inbox_type_name &name = names[slots[slot]];
            claims[name.last_claim].next = claim;
            name.last_claim = claim;
        }
    }

    constexpr inbox_type_names lent() const {
        return {slots, names, claims, slotCount, nameCount, claimCount};
    }
};

}  // namespace inbox
#endif

#endif
