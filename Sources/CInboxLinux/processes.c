#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
    // Without CAP_SETPCAP these two fail, and there is nothing that they would take away that the last one does not.
    for (int capability = 0; capability <= 63; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
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

/// What the child does between fork(2) and execve(2): only calls that are safe there, signal-safety(7).
static void become(
    const char *path, char *const arguments[], char *const environment[], int input, int output, int errors,
    int report, pid_t parent) {
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
    // The parent may have ended before the call above.
    if (getppid() != parent) return;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) return;
    // Each may have a number that another one is to get.
    int from = fcntl(input, F_DUPFD_CLOEXEC, 3), to = fcntl(output, F_DUPFD_CLOEXEC, 3);
    int beside = fcntl(errors, F_DUPFD_CLOEXEC, 3);
    if (from < 0 || to < 0 || beside < 0 || dup2(from, 0) < 0 || dup2(to, 1) < 0 || dup2(beside, 2) < 0) return;
    close_others(report);
    // select(2) of a program knows no more.
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur > 1024) {
        files.rlim_cur = 1024;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (former_mask >= 0) umask((mode_t)former_mask);
    if (chdir("/") != 0 || drop_capabilities() != 0) return;
    execve(path, arguments, environment);
}

pid_t inbox_start_program(
    const char *path, char *const arguments[], char *const environment[], int input, int output, int errors,
    int *report) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        // Standard descriptors that are closed in the parent are free to be taken by the pipe.
        int end = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
        if (end >= 0) become(path, arguments, environment, input, output, errors, end, parent);
        int code = errno;
        while (write(end >= 0 ? end : ends[1], &code, sizeof code) < 0 && errno == EINTR) {}
        _exit(127);
    }
    int failure = errno;
    close(ends[1]);
    if (child > 0) {
        // The child does the same: whoever is first, the group is there when this returns.
        setpgid(child, child);
        *report = ends[0];
    } else {
        close(ends[0]);
    }
    errno = failure;
    return child;
}

int inbox_await_start(int report) {
    int code = 0;
    ssize_t count;
    while ((count = read(report, &code, sizeof code)) < 0 && errno == EINTR) {}
    if (count != (ssize_t)sizeof code) return 0;
    errno = code;
    return -1;
}
