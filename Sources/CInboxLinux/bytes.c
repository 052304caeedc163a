#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <string.h>

const void *inbox_memmem(const void *all, size_t count, const void *part, size_t part_count) {
    return memmem(all, count, part, part_count);
}

const void *inbox_memrchr(const void *all, int byte, size_t count) {
    return memrchr(all, byte, count);
}
