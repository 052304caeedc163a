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
        getenv("INBOX_TEST_DEADLINE").flatMap { Int(String(cString: $0)) } ?? 40)

    /// Set by the tests of the tests, whose conditions are never to come true.
    @TaskLocal package static var short = false
}

/// Asks until the condition has nothing left to say; what it said last is the failure's reason.
package func eventually(
    within limit: Duration = Deadline.usual, every interval: Duration = .milliseconds(20),
    _ condition: () async throws -> String?
) async throws {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while let reason = try await condition() {
        guard clock.now < end else { throw Failure("after \(limit): \(reason)") }
        // All that passed no gate share a few threads: who waits there gives the thread away.
        if Gate.isPassed { pause(interval) } else { try await Task.sleep(for: interval) }
    }
}
