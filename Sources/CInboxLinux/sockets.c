#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { most_descriptors = 64 };

int inbox_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

static socklen_t fill(struct sockaddr_un *address, const uint8_t *path, size_t count) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, count);
    // unix(7): an address in the abstract namespace starts with NUL; systemd writes it as '@'.
    if (path[0] == '@')
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count + (path[0] == '@' ? 0 : 1));
}

int inbox_unix_bind(int descriptor, const uint8_t *path, size_t count) {
    struct sockaddr_un address;
    socklen_t length = fill(&address, path, count);
    return bind(descriptor, (struct sockaddr *)&address, length);
}

int inbox_unix_connect(int descriptor, const uint8_t *path, size_t count) {
    struct sockaddr_un address;
    socklen_t length = fill(&address, path, count);
    return connect(descriptor, (struct sockaddr *)&address, length);
}

int inbox_unix_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int inbox_unix_datagram(const uint8_t *path, size_t pathCount, const void *bytes, size_t count) {
    struct sockaddr_un address;
    socklen_t length = fill(&address, path, pathCount);
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return -1;
    ssize_t sent =
        sendto(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address, length);
    int code = errno;
    close(descriptor);
    errno = code;
    return sent < 0 ? -1 : 0;
}

int inbox_peer_credentials(int descriptor, int32_t *process, uint32_t *user, uint32_t *group) {
    struct ucred found;
    socklen_t size = sizeof found;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0)
        return -1;
    *process = found.pid;
    *user = found.uid;
    *group = found.gid;
    return 0;
}

int inbox_peer_groups(int descriptor, uint32_t *groups, size_t capacity) {
    socklen_t size = (socklen_t)(capacity * sizeof *groups);
    if (getsockopt(descriptor, SOL_SOCKET, 59 /* SO_PEERGROUPS */, groups, &size) != 0)
        return -1;
    return (int)(size / sizeof *groups);
}

ssize_t inbox_send(int descriptor, const void *bytes, size_t count, int passed) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &passed, sizeof(int));
    }
    return sendmsg(descriptor, &message, MSG_NOSIGNAL);
}

ssize_t inbox_receive(int descriptor, void *bytes, size_t count, int *descriptors, size_t capacity,
                      size_t *descriptorCount) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * most_descriptors)];
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (capacity > most_descriptors)
        capacity = most_descriptors;
    if (capacity > 0) {
        message.msg_control = control.space;
        message.msg_controllen = CMSG_LEN(sizeof(int) * capacity);
    }
    *descriptorCount = 0;
    ssize_t got = recvmsg(descriptor, &message, MSG_CMSG_CLOEXEC);
    if (got < 0)
        return -1;
    struct cmsghdr *header = capacity > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        size_t size = header->cmsg_len - CMSG_LEN(0);
        memcpy(descriptors, CMSG_DATA(header), size);
        *descriptorCount = size / sizeof(int);
    }
    return got;
}
