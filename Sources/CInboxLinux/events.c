#define _GNU_SOURCE
#include "CInboxLinux.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

const uint32_t inbox_epoll_in = EPOLLIN;
const uint32_t inbox_epoll_out = EPOLLOUT;
const uint32_t inbox_epoll_priority = EPOLLPRI;
const uint32_t inbox_epoll_error = EPOLLERR;
const uint32_t inbox_epoll_hangup = EPOLLHUP;

enum { most_events = 64 };

int inbox_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int inbox_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int inbox_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

int inbox_epoll_remove(int epoll, int descriptor) { return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL); }

int inbox_epoll_wait(int epoll, struct inbox_epoll_event *events, int count, int milliseconds) {
    struct epoll_event ready[most_events];
    int found = epoll_wait(epoll, ready, count < most_events ? count : most_events, milliseconds);
    for (int i = 0; i < found; i++)
        events[i] = (struct inbox_epoll_event){.token = ready[i].data.u64, .events = ready[i].events};
    return found;
}

int inbox_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static void fill(sigset_t *set, const int *signals, size_t count) {
    sigemptyset(set);
    for (size_t i = 0; i < count; i++)
        sigaddset(set, signals[i]);
}

int inbox_block_signals(const int *signals, size_t count) {
    sigset_t set;
    fill(&set, signals, count);
    int code = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (code == 0)
        return 0;
    errno = code;
    return -1;
}

int inbox_signalfd(const int *signals, size_t count) {
    sigset_t set;
    fill(&set, signals, count);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int inbox_signalfd_read(int descriptor) {
    struct signalfd_siginfo record = {0};
    ssize_t got = read(descriptor, &record, sizeof record);
    if (got < 0)
        return -1;
    return (int)record.ssi_signo;
}

int inbox_timerfd(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

int inbox_timerfd_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec when = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000},
    };
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, NULL);
}

struct start {
    void (*run)(void *);
    void *context;
};

static void *begin(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.run(start.context);
    return NULL;
}

int inbox_thread_start(void (*run)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return -1;
    *start = (struct start){.run = run, .context = context};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_t thread;
    int code = pthread_create(&thread, NULL, begin, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        free(start);
        errno = code;
        return -1;
    }
    pthread_detach(thread);
    return 0;
}

int64_t inbox_thread_id(void) { return gettid(); }
