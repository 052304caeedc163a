// Programs that are started for others: processes of their own, with nothing inherited.
#ifndef C_INBOX_LINUX_PROCESSES_H
#define C_INBOX_LINUX_PROCESSES_H

#include <stdint.h>
#include <sys/types.h>

/// How many arguments this process was started with, its own name included.
int inbox_argument_count(void);
/// One of them.
const char *inbox_argument(int index);

/// Gives what this process makes from now on to its owner alone, umask(2), and all that to him; programs that it starts
/// get the mask back that it was started with. To be called before there is a second thread.
void inbox_keep_others_out(void);

/// Has the end of a child kept until somebody waits for it, whatever this process was started with: where SIGCHLD is
/// ignored, which execve(2) hands on, waitid(2) finds no child, and how it ended is lost.
void inbox_keep_ends(void);

/// A program that is about to begin.
struct inbox_start;
/// Makes the process of a program, in a process group of its own, without capabilities or inherited descriptors, with
/// `input` as its standard input, `output` as its standard output and `errors` as its standard error, which may be the same.
/// It dies with the thread that started it. Nothing of the row of arguments may change before inbox_let_start() returns, and
/// until then nothing may be called on this thread that sets errno: the process, which is prepared meanwhile, has that too.
/// Returns the number of the process and of its group, and what inbox_let_start() has to be called with, on the same
/// thread; -1 with errno set where there is no process.
pid_t inbox_begin_start(
    const char *path, char *const arguments[], char *const environment[], int input, int output, int errors,
    struct inbox_start **start);
/// Lets the program begin, and waits for that, or kills it where it has not begun by the deadline, in nanoseconds of
/// CLOCK_MONOTONIC. Returns 0, also where it was killed, or the error for which it could not begin.
int inbox_let_start(struct inbox_start *start, int64_t deadline);
/// Returns what a call does that has ended like this: 0, or -1 with errno set to the code.
int inbox_start_result(int code);

/// pidfd_open(2): readable once the process has ended.
int inbox_open_process(pid_t process);
/// Waits until a child has ended, which stays as it is: 0 to 255 its exit status, 256 and more a signal's number more.
int inbox_await_end(pid_t process);
/// Removes a child that has ended.
int inbox_reap(pid_t process);
/// kill(2) of a whole process group, by SIGKILL.
int inbox_kill_group(pid_t group);
/// pipe2(2) with O_CLOEXEC; the end for reading does not block.
int inbox_pipe(int ends[2]);
// memfd_create(2), close-on-exec.
int inbox_anonymous_file(void);

#endif
