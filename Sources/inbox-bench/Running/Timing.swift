import InboxLinux
import Synchronization

/// Results end here, so that no optimiser finds out that nobody wants them.
let sink = Atomic<Int>(0)

/// Returns the nanoseconds that one call takes: the best of several batches, which is what the machine can do when
/// nobody disturbs it.
///
/// - Parameters:
///   - calls: The number of times that `body` does its work in one batch.
///   - body: Does the work that often, and returns something that depends on it.
func nanoseconds(calls: Int, batches: Int = 15, _ body: () -> Int) -> Double {
    var best = Double.infinity
    for _ in 0..<batches {
        best = min(best, once(body) / Double(calls))
    }
    return best
}

/// Nanoseconds of one run.
func once(_ body: () throws -> Int) rethrows -> Double {
    let start = Instant.now()
    let result = try body()
    let spent = Instant.now() - start
    sink.wrappingAdd(result, ordering: .relaxed)
    return Double(spent.wholeNanoseconds)
}

/// Polls a condition until it is true: for what another process does without notifying this one.
///
/// - Parameter interval: between two questions, in microseconds.
func eventually(
    _ what: String, every interval: UInt32 = 1_000, within limit: Duration = .seconds(120), _ isDone: () throws -> Bool
) throws {
    let deadline = Instant.now() + limit
    while try !isDone() {
        guard Instant.now() < deadline else { throw BenchmarkFailure("after \(limit): \(what) has not come about") }
        pause(microseconds: interval)
    }
}
