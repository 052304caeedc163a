/// The system calls that pass through the choke point, by the name their man page has.
package enum SystemCall: String, Sendable, CaseIterable {
    case accept4
    case bind
    case capget
    case close
    case connect
    case copyFileRange = "copy_file_range"
    case dup
    case epollCreate = "epoll_create1"
    case epollControl = "epoll_ctl"
    case epollWait = "epoll_wait"
    case eventfd
    case faccessat
    case fallocate
    case fchmodat
    case fchmod
    case fchown
    case fchownat
    case fcntl
    case fdatasync
    case fgetxattr
    case flistxattr
    case fork
    case fremovexattr
    case fsetxattr
    case fstat
    case fstatfs
    case fstatvfs
    case fsync
    case ftruncate
    case futimens
    case getdents64
    case getrlimit
    case getsockopt
    case inotifyInit = "inotify_init1"
    case inotifyAddWatch = "inotify_add_watch"
    case inotifyRemoveWatch = "inotify_rm_watch"
    case ioctl
    case clone = "ioctl(FICLONE)"
    case lease = "fcntl(F_SETLEASE)"
    case linkat
    case listen
    case lock = "fcntl(F_OFD_SETLK)"
    case lseek
    case seekEnd = "lseek(SEEK_END)"
    case memfdCreate = "memfd_create"
    case mkdirat
    case openProcess = "pidfd_open"
    case openat
    case openat2
    case openUnnamed = "openat(O_TMPFILE)"
    case pipe = "pipe2"
    case poll
    case pread
    case pwrite
    case read
    case readlinkat
    case recvmsg
    case renameat
    case renameat2
    case sendmsg
    case setrlimit
    case shutdown
    case signalfd
    case sigprocmask = "pthread_sigmask"
    case socket
    case statx
    case symlinkat
    case syncFileRange = "sync_file_range"
    case threadCreate = "pthread_create"
    case timerfdCreate = "timerfd_create"
    case timerfdSet = "timerfd_settime"
    case unlinkat
    case utimensat
    case waitid
    case write
}
