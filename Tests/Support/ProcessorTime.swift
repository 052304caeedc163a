import Glibc

/// How long the processor works for this on the calling thread, whatever else the machine has to do meanwhile.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = processorTime()
    try body()
    return processorTime() - start
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
