// The Linux calls and constants that Swift's Glibc module lacks, with plain integers at their edges.
// No policy: every function is one system call and returns -1 with errno set, as the man pages say.
#ifndef C_INBOX_LINUX_H
#define C_INBOX_LINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes.h"
#include "copies.h"
#include "processes.h"

// Flags of openat(2), fstatat(2) and linkat(2); their values differ between architectures.
extern const int inbox_o_path;
extern const int inbox_o_tmpfile;
extern const int inbox_o_directory;
extern const int inbox_o_nofollow;
extern const int inbox_at_empty_path;

// fcntl(2).
extern const int inbox_f_get_seals;

// openat2(2).
extern const uint64_t inbox_resolve_beneath;
extern const uint64_t inbox_resolve_no_symlinks;
extern const uint64_t inbox_resolve_no_xdev;
extern const uint64_t inbox_resolve_no_magiclinks;
int inbox_openat(int folder, const char *path, int flags, mode_t mode);
int inbox_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve);

/// What statx(2) reports about a file, less what nobody here needs.
struct inbox_status {
    uint32_t mask;
    uint32_t links;
    uint32_t owner;
    uint32_t group;
    uint32_t mode;
    uint32_t device_major;
    uint32_t device_minor;
    uint32_t birth_nanoseconds;
    uint32_t modified_nanoseconds;
    uint32_t changed_nanoseconds;
    uint32_t accessed_nanoseconds;
    int64_t birth_seconds;
    int64_t modified_seconds;
    int64_t changed_seconds;
    int64_t accessed_seconds;
    uint64_t attributes;
    uint64_t inode;
    uint64_t size;
    uint64_t blocks;
    uint64_t mount;
};
extern const uint32_t inbox_statx_birth;
extern const int inbox_statx_fresh;
extern const int inbox_statx_remembered;
extern const uint64_t inbox_statx_immutable;
extern const uint64_t inbox_statx_append;
extern const uint64_t inbox_statx_mount_root;
int inbox_statx(int folder, const char *path, int flags, struct inbox_status *status);
/// The same for a path, whose links are followed to what the last one names.
int inbox_statx_target(const char *path, int flags, struct inbox_status *status);

// renameat2(2), getdents64(2), fstatfs(2).
extern const unsigned inbox_rename_noreplace;
int inbox_renameat2(int from, const char *name, int to, const char *other, unsigned flags);
ssize_t inbox_getdents64(int folder, void *buffer, size_t size);
int inbox_filesystem(int descriptor, int64_t *type, uint64_t *identifier);

// FS_IOC_GETFSUUID (Linux 6.9): the identifier's length, at most 16.
int inbox_filesystem_uuid(int descriptor, uint8_t uuid[16]);

// fcntl(2): leases and locks of an open file description.
int inbox_lease_take(int descriptor);
int inbox_lease_drop(int descriptor);
int inbox_lease_held(int descriptor);
int inbox_lock_exclusive(int descriptor);
int inbox_lock_held(int descriptor);

// epoll(7).
extern const uint32_t inbox_epoll_in;
extern const uint32_t inbox_epoll_out;
extern const uint32_t inbox_epoll_priority;
extern const uint32_t inbox_epoll_error;
extern const uint32_t inbox_epoll_hangup;
struct inbox_epoll_event {
    uint64_t token;
    uint32_t events;
};
int inbox_epoll_create(void);
int inbox_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int inbox_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token);
int inbox_epoll_remove(int epoll, int descriptor);
int inbox_epoll_wait(int epoll, struct inbox_epoll_event *events, int count, int milliseconds);

// eventfd(2), signalfd(2), timerfd_create(2); all close-on-exec and non-blocking.
int inbox_eventfd(void);
int inbox_block_signals(const int *signals, size_t count);
int inbox_signalfd(const int *signals, size_t count);
/// The number of the next pending signal in the descriptor.
int inbox_signalfd_read(int descriptor);
int inbox_timerfd(void);
/// Arms the timer for a time of CLOCK_MONOTONIC in nanoseconds; 0 disarms it.
int inbox_timerfd_set(int descriptor, int64_t nanoseconds);

// unix(7).
int inbox_unix_socket(void);
/// A path of at most 107 bytes; one that begins with `@` is a name of the abstract namespace.
int inbox_unix_bind(int descriptor, const uint8_t *path, size_t count);
int inbox_unix_connect(int descriptor, const uint8_t *path, size_t count);
int inbox_unix_accept(int descriptor);
/// Where the receiver's queue is full it fails with EAGAIN.
int inbox_unix_datagram(const uint8_t *path, size_t pathCount, const void *bytes, size_t count);
int inbox_peer_credentials(int descriptor, int32_t *process, uint32_t *user, uint32_t *group);
/// The supplementary groups of the peer; returns how many there are, or -1.
int inbox_peer_groups(int descriptor, uint32_t *groups, size_t capacity);
/// Sends bytes, and an open file with the first one if `passed` is not negative.
ssize_t inbox_send(int descriptor, const void *bytes, size_t count, int passed);
/// Receives bytes and at most `capacity` descriptors; the kernel drops those beyond.
ssize_t inbox_receive(int descriptor, void *bytes, size_t count, int *descriptors, size_t capacity,
                      size_t *descriptorCount);

// pthread_create(3), detached, every signal blocked in the new thread.
int inbox_thread_start(void (*run)(void *), void *context);
int64_t inbox_thread_id(void);

#endif
