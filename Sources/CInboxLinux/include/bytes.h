// Searches through memory, which the C library does a vector at a time.
#ifndef C_INBOX_LINUX_BYTES_H
#define C_INBOX_LINUX_BYTES_H

#include <stddef.h>

/// memmem(3): where the bytes of `part` begin in those of `all`; null where they do not occur.
const void *inbox_memmem(const void *all, size_t count, const void *part, size_t part_count);
/// memrchr(3): where the byte occurs last; null where it does not.
const void *inbox_memrchr(const void *all, int byte, size_t count);

enum {
    /// Bytes beyond ASCII.
    inbox_byte_high = 1,
    /// Control characters other than bell to carriage return, end of file and escape.
    inbox_byte_control = 2,
};

/// Which of these kinds occur. Where control characters do, the others need not be known.
unsigned inbox_byte_kinds(const void *all, size_t count);

#endif
