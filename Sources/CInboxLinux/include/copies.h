// What copying a file takes: its content, its extended attributes, its times, and a file without a name.
#ifndef INBOX_COPIES_H
#define INBOX_COPIES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// copy_file_range(2), ioctl_ficlone(2), fallocate(2), sync_file_range(2), lseek(2).
ssize_t inbox_copy_range(int from, int64_t fromOffset, int to, int64_t toOffset, size_t count);
int inbox_clone(int from, int to);
int inbox_reserve(int descriptor, int64_t offset, int64_t count);
int inbox_start_writing(int descriptor, int64_t offset, int64_t count);
int inbox_finish_writing(int descriptor, int64_t offset, int64_t count);
int64_t inbox_next_data(int descriptor, int64_t offset);
int64_t inbox_next_hole(int descriptor, int64_t offset);
/// FS_IOC_FIEMAP: how many bytes of blocks up to a size were reserved and never written, so far or once it is on the disk.
int64_t inbox_unwritten(int descriptor, uint64_t size, int after_sync);

// linkat(2) of an open file that may have no name; by way of /proc/self/fd where the kernel asks a capability for it.
int inbox_link_descriptor(int descriptor, int folder, const char *name);
int inbox_link_by_proc(int descriptor, int folder, const char *name);

// futimens(3).
int inbox_set_times(int descriptor, int64_t accessedSeconds, int64_t accessedNanoseconds, int64_t modifiedSeconds,
                    int64_t modifiedNanoseconds);

// symlinkat(2), readlinkat(2), and what a link itself has: fchownat(2) and utimensat(2), AT_SYMLINK_NOFOLLOW.
int inbox_make_link(const char *target, int folder, const char *name);
ssize_t inbox_read_link(int folder, const char *name, char *target, size_t size);
int inbox_change_link_owner(int folder, const char *name, uid_t owner, gid_t group);
int inbox_set_link_times(int folder, const char *name, int64_t accessedSeconds, int64_t accessedNanoseconds,
                         int64_t modifiedSeconds, int64_t modifiedNanoseconds);

// listxattr(2) and its kin; by way of /proc/self/fd of what is open by O_PATH, to which fgetxattr(2) says EBADF.
ssize_t inbox_list_attributes(int descriptor, char *names, size_t size);
ssize_t inbox_get_attribute(int descriptor, const char *name, void *value, size_t size);
ssize_t inbox_get_attribute_by_proc(int descriptor, const char *name, void *value, size_t size);
int inbox_set_attribute(int descriptor, const char *name, const void *value, size_t size);
int inbox_remove_attribute(int descriptor, const char *name);

// faccessat(2) of an open folder with the effective user; capget(2); statvfs(3).
int inbox_may_change(int folder);
int inbox_has_capability(unsigned capability);
int inbox_is_without_setuid(int descriptor);

#endif
