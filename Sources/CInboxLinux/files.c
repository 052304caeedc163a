#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

const int inbox_o_path = O_PATH;
const int inbox_o_tmpfile = O_TMPFILE;
const int inbox_f_get_seals = F_GET_SEALS;
const int inbox_o_directory = O_DIRECTORY;
const int inbox_o_nofollow = O_NOFOLLOW;
const int inbox_at_empty_path = AT_EMPTY_PATH;
const uint64_t inbox_resolve_beneath = RESOLVE_BENEATH;
const uint64_t inbox_resolve_no_symlinks = RESOLVE_NO_SYMLINKS;
const uint64_t inbox_resolve_no_xdev = RESOLVE_NO_XDEV;
const uint64_t inbox_resolve_no_magiclinks = RESOLVE_NO_MAGICLINKS;
const uint32_t inbox_statx_birth = STATX_BTIME;
const int inbox_statx_fresh = AT_STATX_FORCE_SYNC;
const int inbox_statx_remembered = AT_STATX_DONT_SYNC;
const uint64_t inbox_statx_immutable = STATX_ATTR_IMMUTABLE;
const uint64_t inbox_statx_append = STATX_ATTR_APPEND;
const uint64_t inbox_statx_mount_root = 0x2000 /* STATX_ATTR_MOUNT_ROOT */;
const unsigned inbox_rename_noreplace = RENAME_NOREPLACE;

int inbox_openat(int folder, const char *path, int flags, mode_t mode) {
    return openat(folder, path, flags, mode);
}

int inbox_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

static int inbox_statx_with(int folder, const char *path, int flags, struct inbox_status *status) {
    struct statx found;
    if (statx(folder, path, flags, STATX_BASIC_STATS | STATX_BTIME | 0x1000 /* STATX_MNT_ID */,
              &found) != 0)
        return -1;
    *status = (struct inbox_status){
        .mask = found.stx_mask,
        .links = found.stx_nlink,
        .owner = found.stx_uid,
        .group = found.stx_gid,
        .mode = found.stx_mode,
        .device_major = found.stx_dev_major,
        .device_minor = found.stx_dev_minor,
        .birth_nanoseconds = found.stx_btime.tv_nsec,
        .modified_nanoseconds = found.stx_mtime.tv_nsec,
        .changed_nanoseconds = found.stx_ctime.tv_nsec,
        .accessed_nanoseconds = found.stx_atime.tv_nsec,
        .birth_seconds = found.stx_btime.tv_sec,
        .modified_seconds = found.stx_mtime.tv_sec,
        .changed_seconds = found.stx_ctime.tv_sec,
        .accessed_seconds = found.stx_atime.tv_sec,
        .attributes = found.stx_attributes,
        .inode = found.stx_ino,
        .size = found.stx_size,
        .blocks = found.stx_blocks,
#ifdef STATX_MNT_ID
        .mount = found.stx_mnt_id,
#endif
    };
    return 0;
}

int inbox_statx(int folder, const char *path, int flags, struct inbox_status *status) {
    return inbox_statx_with(folder, path, flags | AT_SYMLINK_NOFOLLOW, status);
}

int inbox_statx_target(const char *path, int flags, struct inbox_status *status) {
    return inbox_statx_with(AT_FDCWD, path, flags, status);
}

int inbox_renameat2(int from, const char *name, int to, const char *other, unsigned flags) {
    return renameat2(from, name, to, other, flags);
}

ssize_t inbox_getdents64(int folder, void *buffer, size_t size) {
    return syscall(SYS_getdents64, folder, buffer, size);
}

int inbox_filesystem(int descriptor, int64_t *type, uint64_t *identifier) {
    struct statfs found;
    if (fstatfs(descriptor, &found) != 0)
        return -1;
    *type = (int64_t)found.f_type;
    uint64_t words = 0;
    memcpy(&words, &found.f_fsid, sizeof words < sizeof found.f_fsid ? sizeof words : sizeof found.f_fsid);
    *identifier = words;
    return 0;
}

int inbox_filesystem_uuid(int descriptor, uint8_t uuid[16]) {
    // Spelled out, since older headers lack it: linux/fs.h.
    struct {
        uint8_t length;
        uint8_t bytes[16];
    } found;
    memset(&found, 0, sizeof found);
    if (ioctl(descriptor, _IOR(0x15, 0, found), &found) != 0)
        return -1;
    memcpy(uuid, found.bytes, sizeof found.bytes);
    return found.length <= sizeof found.bytes ? found.length : (int)sizeof found.bytes;
}

int inbox_lease_take(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_RDLCK); }

int inbox_lease_drop(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_UNLCK); }

int inbox_lease_held(int descriptor) {
    int type = fcntl(descriptor, F_GETLEASE);
    return type < 0 ? -1 : type == F_RDLCK;
}

int inbox_lock_exclusive(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int inbox_lock_held(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_GETLK, &lock) < 0 ? -1 : lock.l_type != F_UNLCK;
}
