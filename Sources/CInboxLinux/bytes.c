#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <string.h>

const void *inbox_memmem(const void *all, size_t count, const void *part, size_t part_count) {
    return memmem(all, count, part, part_count);
}

const void *inbox_memrchr(const void *all, int byte, size_t count) {
    return memrchr(all, byte, count);
}

/// How many bytes are judged at once: the compiler makes vectors of loops that do not end before.
static const size_t stretch = 128;

/// Whether there is a byte that is neither printable ASCII nor the end of a line, which most text has none of.
static bool has_unusual_byte(const unsigned char *bytes, size_t count) {
    unsigned char unusual = 0;
#pragma clang loop interleave(disable)
    for (size_t place = 0; place < count; place++) {
        unsigned char byte = bytes[place];
        unusual |= ((unsigned char)(byte - 0x20) >= 0x5F) & (byte != '\n');
    }
    return unusual;
}

unsigned inbox_byte_kinds(const void *all, size_t count) {
    const unsigned char *bytes = all;
    unsigned char high = 0, control = 0;
    for (size_t start = 0; start < count && !control; start += stretch) {
        size_t end = count - start > stretch ? start + stretch : count;
        if (!has_unusual_byte(bytes + start, end - start)) continue;
#pragma clang loop interleave(disable)
        for (size_t place = start; place < end; place++) {
            unsigned char byte = bytes[place];
            unsigned char is_low = byte < 0x20;
            unsigned char is_other = (unsigned char)(byte - 0x07) > 0x06;
            unsigned char is_no_escape = (unsigned char)(byte - 0x1A) > 0x01;
            high |= byte;
            control |= (is_low & is_other & is_no_escape) | (byte == 0x7F);
        }
    }
    return (high & 0x80 ? inbox_byte_high : 0) | (control ? inbox_byte_control : 0);
}
