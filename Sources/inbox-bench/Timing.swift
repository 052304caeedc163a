import Synchronization

/// Results end here, so that no optimiser finds out that nobody wants them.
let sink = Atomic<Int>(0)

/// Nanoseconds that one call takes: the best of several batches, which is what the machine can do when nobody disturbs.
///
/// - Parameters:
///   - calls: How often `body` does its work in one batch.
///   - body: Does the work that often, and returns something that depends on it.
func nanoseconds(calls: Int, batches: Int = 15, _ body: () -> Int) -> Double {
    var best = Double.infinity
    for _ in 0..<batches {
        best = min(best, once(body) / Double(calls))
    }
    return best
}

/// Nanoseconds of one run.
func once(_ body: () -> Int) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let result = body()
    let duration = start.duration(to: clock.now).components
    sink.wrappingAdd(result, ordering: .relaxed)
    return Double(duration.seconds) * 1e9 + Double(duration.attoseconds) / 1e9
}
