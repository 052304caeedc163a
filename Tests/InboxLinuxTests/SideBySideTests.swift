import InboxTestSupport
import Synchronization
import Testing

@testable import InboxLinux

@Suite("Jobs side by side", .serialized)
struct SideBySideTests {
    @Test("Each job is done once, and what came of it is in its place", arguments: [0, 1, 7, 8, 9, 1_000])
    func order(_ count: Int) {
        let done = Mutex<[Int]>([])
        let results = SideBySide.map(Array(0..<count)) { job in
            done.withLock { $0.append(job) }
            return job * 2
        }
        #expect(results == (0..<count).map { $0 * 2 })
        #expect(done.withLock { $0.sorted() } == Array(0..<count))
    }

    private final class Ringing: Sendable {
        let bell: Bell

        init() throws(SyscallError) { bell = try Bell() }
    }

    @Test("While one job waits the others are done")
    func together() async throws {
        // Other tests may have all threads for a moment.
        var tries = 1
        while try await !Self.hasHelp(), tries < 20 { tries += 1 }
        #expect(tries < 20)
    }

    /// Whether the last job is done while the first waits for it, which nobody reaches who does one after the other.
    private static func hasHelp() async throws -> Bool {
        let ringing = try Ringing()
        let jobs = Array(0..<SideBySide.fewest)
        let end = Instant.now() + .seconds(10)
        return try await Gate(places: 1).pass {
            let waited = SideBySide.map(jobs) { job in
                if job == 0 { ringing.bell.awaitRing(until: end) }
                if job == jobs.last { ringing.bell.ring() }
                return Instant.now() < end
            }
            return waited.first == true
        }
    }

    @Test("Many callers at once get what is theirs, though there are threads for one of them alone")
    func callers() async {
        await withTaskGroup(of: Bool.self) { group in
            for caller in 0..<20 {
                group.addTask { SideBySide.map(Array(0..<100)) { $0 + caller } == (0..<100).map { $0 + caller } }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
