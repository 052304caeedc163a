#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/securebits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int argument_count;
static char **arguments_of_main;

/// glibc hands the arguments of main() to what it calls before.
__attribute__((constructor)) static void take_arguments(int count, char **values) {
    argument_count = count;
    arguments_of_main = values;
}

int inbox_argument_count(void) { return argument_count; }

const char *inbox_argument(int index) { return arguments_of_main[index]; }

int inbox_anonymous_file(void) { return memfd_create("inboxd", MFD_CLOEXEC); }

int inbox_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) return 0;
    int code = errno;
    close(ends[0]);
    close(ends[1]);
    errno = code;
    return -1;
}

int inbox_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int inbox_await_end(pid_t process) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0) return -1;
    return info.si_code == CLD_EXITED ? info.si_status & 255 : 256 + info.si_status;
}

int inbox_reap(pid_t process) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process, &info, WEXITED);
}

int inbox_kill_group(pid_t group) { return kill(-group, SIGKILL); }

/// No capability is left, and none can be had by the program or one that it starts: capabilities(7), prctl(2).
static int drop_capabilities(void) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    // It fails after the last capability that the kernel has. Without CAP_SETPCAP it fails at the first one, and there is
    // nothing that this would take away that capset(2) does not.
    for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) {}
    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    if (syscall(SYS_capset, &header, none) != 0) return -1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// Closes every descriptor beyond standard error but this one: close_range(2), else one by one. At once, and not by
/// execve(2), which may wait for a server: what others wait for the end of must not stay open meanwhile.
static void close_others(int kept) {
    if ((kept == 3 || syscall(SYS_close_range, 3U, (unsigned)kept - 1, 0U) == 0) &&
        syscall(SYS_close_range, (unsigned)kept + 1, ~0U, 0U) == 0)
        return;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = 65536;
    for (rlim_t number = 3; number < limit.rlim_cur; number++)
        if ((int)number != kept) close((int)number);
}

/// The umask with which this process was started; -1 while that is in force.
static int former_mask = -1;

void inbox_keep_others_out(void) {
    mode_t mask = umask(077);
    if (former_mask < 0) former_mask = (int)mask;
}

void inbox_keep_ends(void) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &usual, NULL);
}

/// A child until it is a program. It has the memory of this process, since to copy the tables of a large one takes longer
/// than all the rest, and so it has errno of the thread that started it: that thread makes no call that needs it between
/// inbox_begin_start() and the end of the pipe.
struct inbox_start {
    const char *path;
    char *const *arguments, *const *environment;
    int input, output, errors;
    /// The ends of a pipe that ends when the child has become a program, or is no more.
    int ends[2];
    pid_t parent, child;
    /// Not 0 as soon as the child may go on: futex(2).
    _Atomic unsigned may_begin;
    _Alignas(16) char stack[16 * 1024];
};

/// Sets each signal to what it does by default. By the call itself: what the C library has around it takes a lock in the
/// memory of the parent.
static void reset_signals(void) {
    static const unsigned long usual[8];
    for (int number = 1; number < NSIG; number++) syscall(SYS_rt_sigaction, number, usual, NULL, NSIG / 8);
}

/// Prepares the child for execve(2); returns -1 where that cannot be. All calls are async-signal-safe, signal-safety(7), and
/// take no lock.
static int prepare(const struct inbox_start *start, int report) {
    reset_signals();
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) return -1;
    // Each may have a number that another one is to get.
    int from = fcntl(start->input, F_DUPFD_CLOEXEC, 3), to = fcntl(start->output, F_DUPFD_CLOEXEC, 3);
    int beside = fcntl(start->errors, F_DUPFD_CLOEXEC, 3);
    if (from < 0 || to < 0 || beside < 0 || dup2(from, 0) < 0 || dup2(to, 1) < 0 || dup2(beside, 2) < 0) return -1;
    close_others(report);
    // select(2) of a program knows no more.
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur > 1024) {
        files.rlim_cur = 1024;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (former_mask >= 0) umask((mode_t)former_mask);
    if (chdir("/") != 0) return -1;
    return drop_capabilities();
}

static int begin_child(void *context) {
    struct inbox_start *start = context;
    // The parent may have ended before the first call.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != start->parent) _exit(127);
    // Standard descriptors that are closed in the parent are free to be taken by the pipe.
    int report = fcntl(start->ends[1], F_DUPFD_CLOEXEC, 3);
    // All that can be done is done before its turn comes.
    if (report >= 0 && prepare(start, report) == 0) {
        while (start->may_begin == 0) syscall(SYS_futex, &start->may_begin, FUTEX_WAIT_PRIVATE, 0, NULL);
        while (execve(start->path, start->arguments, start->environment) != 0 && errno == EINTR) {}
    }
    int code = errno;
    while (write(report >= 0 ? report : start->ends[1], &code, sizeof code) < 0 && errno == EINTR) {}
    _exit(127);
}

pid_t inbox_begin_start(
    const char *path, char *const arguments[], char *const environment[], int input, int output, int errors,
    struct inbox_start **handle) {
    struct inbox_start *start = malloc(sizeof *start);
    if (start == NULL) return -1;
    start->path = path;
    start->arguments = arguments;
    start->environment = environment;
    start->input = input;
    start->output = output;
    start->errors = errors;
    start->parent = getpid();
    start->may_begin = 0;
    if (pipe2(start->ends, O_CLOEXEC) != 0) {
        free(start);
        return -1;
    }
    // No handler of this process runs in the child, which has its memory.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    start->child = clone(begin_child, start->stack + sizeof start->stack, CLONE_VM | SIGCHLD, start);
    int failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(start->ends[1]);
    if (start->child > 0) {
        setpgid(start->child, start->child);
        *handle = start;
        return start->child;
    }
    close(start->ends[0]);
    free(start);
    errno = failure;
    return -1;
}

int inbox_let_start(struct inbox_start *start, int64_t deadline) {
    start->may_begin = 1;
    syscall(SYS_futex, &start->may_begin, FUTEX_WAKE_PRIVATE, 1);
    struct pollfd entry = {.fd = start->ends[0], .events = POLLIN};
    while (entry.revents == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t rest = deadline - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
        if (rest <= 0) break;
        struct timespec span = {.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000};
        ppoll(&entry, 1, &span, NULL);
    }
    if (entry.revents == 0) inbox_kill_group(start->child);
    // Only its end shows that the child has let go of the memory.
    int code = 0, part;
    ssize_t count;
    while ((count = read(start->ends[0], &part, sizeof part)) != 0)
        if (count == (ssize_t)sizeof part) code = part;
    close(start->ends[0]);
    free(start);
    return code;
}

int inbox_start_result(int code) {
    errno = code;
    return code == 0 ? 0 : -1;
}
