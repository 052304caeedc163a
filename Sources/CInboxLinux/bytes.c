#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <string.h>

const void *inbox_memmem(const void *all, size_t count, const void *part, size_t part_count) {
    return memmem(all, count, part, part_count);
}

const void *inbox_memrchr(const void *all, int byte, size_t count) {
    return memrchr(all, byte, count);
}

/// How many bytes are judged before the loop asks whether it may stop: long enough for the compiler's vectors.
static const size_t stretch = 128;

unsigned inbox_byte_kinds(const void *all, size_t count) {
    const unsigned char *bytes = all;
    unsigned char high = 0, control = 0;
    for (size_t place = 0; place < count && !control;) {
        size_t end = count - place > stretch ? place + stretch : count;
        for (; place < end; place++) {
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
