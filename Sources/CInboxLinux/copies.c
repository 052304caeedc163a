#define _GNU_SOURCE
#include "copies.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

ssize_t inbox_copy_range(int from, int64_t fromOffset, int to, int64_t toOffset, size_t count) {
    off64_t in = fromOffset;
    off64_t out = toOffset;
    return copy_file_range(from, &in, to, &out, count, 0);
}

int inbox_clone(int from, int to) { return ioctl(to, FICLONE, from); }

int inbox_reserve(int descriptor, int64_t offset, int64_t count) { return fallocate(descriptor, 0, offset, count); }

int inbox_start_writing(int descriptor, int64_t offset, int64_t count) {
    return sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int inbox_finish_writing(int descriptor, int64_t offset, int64_t count) {
    return sync_file_range(descriptor, offset, count,
                           SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

int64_t inbox_next_data(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_DATA); }

int64_t inbox_next_hole(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_HOLE); }

int64_t inbox_unwritten(int descriptor, uint64_t size, int after_sync) {
    // Extents of one call, and calls: a file of more pieces is not looked at to its end.
    enum { most = 32, calls = 64, block = 4096 };
    uint64_t room[(sizeof(struct fiemap) + most * sizeof(struct fiemap_extent)) / sizeof(uint64_t)];
    struct fiemap *map = (struct fiemap *)room;
    // What is left of the last block belongs to it.
    uint64_t end = size > UINT64_MAX - block ? size : (size + block - 1) / block * block;
    uint64_t start = 0, sum = 0;
    for (int call = 0; call < calls && start < end; call += 1) {
        memset(room, 0, sizeof room);
        map->fm_start = start;
        map->fm_length = end - start;
        map->fm_flags = after_sync && call == 0 ? FIEMAP_FLAG_SYNC : 0;
        map->fm_extent_count = most;
        if (ioctl(descriptor, FS_IOC_FIEMAP, map) != 0) return -1;
        if (map->fm_mapped_extents == 0) break;
        for (uint32_t index = 0; index < map->fm_mapped_extents; index += 1) {
            struct fiemap_extent extent = map->fm_extents[index];
            uint64_t first = extent.fe_logical < start ? start : extent.fe_logical;
            uint64_t next = extent.fe_length > end - extent.fe_logical ? end : extent.fe_logical + extent.fe_length;
            if (extent.fe_logical >= end || next <= first) return (int64_t)sum;
            if ((extent.fe_flags & FIEMAP_EXTENT_UNWRITTEN) != 0) sum += next - first;
            start = next;
            if ((extent.fe_flags & FIEMAP_EXTENT_LAST) != 0) return (int64_t)sum;
        }
    }
    return (int64_t)sum;
}

int inbox_link_descriptor(int descriptor, int folder, const char *name) {
    return linkat(descriptor, "", folder, name, AT_EMPTY_PATH);
}

int inbox_link_by_proc(int descriptor, int folder, const char *name) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

int inbox_set_times(int descriptor, int64_t accessedSeconds, int64_t accessedNanoseconds, int64_t modifiedSeconds,
                    int64_t modifiedNanoseconds) {
    struct timespec times[2] = {{.tv_sec = accessedSeconds, .tv_nsec = accessedNanoseconds},
                                {.tv_sec = modifiedSeconds, .tv_nsec = modifiedNanoseconds}};
    return futimens(descriptor, times);
}

int inbox_make_link(const char *target, int folder, const char *name) { return symlinkat(target, folder, name); }

ssize_t inbox_read_link(int folder, const char *name, char *target, size_t size) {
    return readlinkat(folder, name, target, size);
}

int inbox_change_link_owner(int folder, const char *name, uid_t owner, gid_t group) {
    return fchownat(folder, name, owner, group, AT_SYMLINK_NOFOLLOW);
}

int inbox_set_link_times(int folder, const char *name, int64_t accessedSeconds, int64_t accessedNanoseconds,
                         int64_t modifiedSeconds, int64_t modifiedNanoseconds) {
    struct timespec times[2] = {{.tv_sec = accessedSeconds, .tv_nsec = accessedNanoseconds},
                                {.tv_sec = modifiedSeconds, .tv_nsec = modifiedNanoseconds}};
    return utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW);
}

ssize_t inbox_list_attributes(int descriptor, char *names, size_t size) { return flistxattr(descriptor, names, size); }

ssize_t inbox_get_attribute(int descriptor, const char *name, void *value, size_t size) {
    return fgetxattr(descriptor, name, value, size);
}

ssize_t inbox_get_attribute_by_proc(int descriptor, const char *name, void *value, size_t size) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return getxattr(path, name, value, size);
}

int inbox_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}

int inbox_remove_attribute(int descriptor, const char *name) { return fremovexattr(descriptor, name); }

int inbox_may_change(int folder) { return faccessat(folder, ".", W_OK | X_OK, AT_EACCESS); }

int inbox_has_capability(unsigned capability) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0)
        return -1;
    return data[capability / 32].effective >> (capability % 32) & 1;
}

int inbox_is_without_setuid(int descriptor) {
    struct statvfs found;
    if (fstatvfs(descriptor, &found) != 0)
        return -1;
    return (found.f_flag & ST_NOSUID) != 0;
}
