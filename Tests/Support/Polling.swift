import Glibc

/// Why a test or a line of a scenario failed, in words.
package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

package enum Deadline {
    /// How long a condition may take to come true. Only a failing test waits that long, so it is generous;
    /// `INBOX_TEST_DEADLINE` (whole seconds) changes it for slow or impatient machines.
    package static var usual: Duration { short ? .milliseconds(50) : long }

    private static let long: Duration = .seconds(
        getenv("INBOX_TEST_DEADLINE").flatMap { Int(String(cString: $0)) } ?? 60)

    /// Set by the tests of the tests, whose conditions are never to come true.
    @TaskLocal package static var short = false
}

/// Asks until the condition has nothing left to say; what it said last is the failure's reason.
///
/// The limit counts anew whenever the condition says something else, since work that goes on on a slow machine is no
/// failure; five limits are enough in all, for a condition that only goes round and round.
package func eventually(
    within limit: Duration = Deadline.usual, every interval: Duration = .milliseconds(20),
    _ condition: () async throws -> String?
) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    var changed = start
    var said: String?
    while let reason = try await condition() {
        let now = clock.now
        if reason != said { (said, changed) = (reason, now) }
        guard now < changed + limit, now < start + limit * 5 else {
            throw Failure("after \(now - start): \(reason)")
        }
        // All that passed no gate share a few threads: who waits there gives the thread away.
        if Gate.isPassed { pause(interval) } else { try await Task.sleep(for: interval) }
    }
}
