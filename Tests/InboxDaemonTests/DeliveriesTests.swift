import Glibc
import InboxCore
import InboxFiling
import InboxLinux
import InboxTestSupport
import Synchronization
import Testing

@testable import InboxDaemon
@testable import InboxVarlink

@Suite("Deliveries through the daemon", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct DeliveriesTests {
    /// A clock that goes on by so much at each look; from one look on each waits until the test lets it pass.
    private final class Clock: Sendable {
        private let gate: Bell
        private let state = Mutex((now: Instant(nanoseconds: 0), looks: 0))
        private let step: Duration
        private let freeLooks: Int

        init(step: Duration, freeLooks: Int = .max) throws(SyscallError) {
            gate = try Bell()
            self.step = step
            self.freeLooks = freeLooks
        }

        func look() -> Instant {
            let (now, looks) = state.withLock { state in
                state = (state.now + step, state.looks + 1)
                return state
            }
            if looks > freeLooks { gate.awaitRing(until: .never) }
            return now
        }

        func letPass() { gate.ring() }
    }

    private static let size = 4 << 20
    private let folder: TemporaryFolder
    /// Where copies share no blocks with their sources, so that they are made part by part.
    private let elsewhere: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        elsewhere = try TemporaryFolder(in: OtherFilesystem.place(than: nil)?.description)
    }

    private func file() throws -> PassedFile {
        let file = try elsewhere.open().unnamedFile()
        try file.write([UInt8](repeating: 65, count: Self.size))
        return PassedFile(owning: fcntl(file.number, F_DUPFD_CLOEXEC, 0), of: .max)
    }

    /// What a delivery reports while it is copied, and where the document is; nil where it was not delivered.
    private func deliver(by clock: Clock, reportsProgress: Bool = true) throws -> (copied: [Int64], path: String?) {
        let job = DeliveryJob(
            delivery: Delivery(name: try #require(FileName("a"))), file: try file(),
            inbox: folder.bytePath(), makesInbox: false, reportsProgress: reportsProgress,
            begun: clock.look())
        var copied: [Int64] = []
        let last = job.perform(now: clock.look) { outcome in
            if case .copied(let count) = outcome { copied.append(count) }
        }
        guard case .delivered(let path, _) = last else { return (copied, nil) }
        return (copied, path.escapedText)
    }

    @Test("A worker says how far a delivery is that takes over a second, to those who take that")
    func reports() throws {
        let (copied, path) = try deliver(by: Clock(step: .milliseconds(600)))
        #expect(copied.count > 1 && copied == copied.sorted())
        #expect(copied.allSatisfy { 0 < $0 && $0 <= Self.size })
        #expect(path == folder.path + "/a")
        #expect(try deliver(by: Clock(step: .milliseconds(600)), reportsProgress: false).copied.isEmpty)
        #expect(try deliver(by: Clock(step: .milliseconds(1))).copied.isEmpty)
    }

    @Test("Which file a delivery has become is said with its path")
    func whichFile() throws {
        let job = DeliveryJob(
            delivery: Delivery(name: try #require(FileName("a"))), file: try file(), inbox: folder.bytePath(),
            makesInbox: false, reportsProgress: false, begun: .now())
        guard case .delivered(_, let file?) = job.perform(now: Instant.now, report: { _ in }) else {
            Issue.record("it is not said")
            return
        }
        #expect(try file == folder.open().status(of: try #require(FileName("a"))).identity.file)
    }

    @Test("A delivery that takes an hour is given up")
    func tooLong() throws {
        #expect(try deliver(by: Clock(step: .seconds(3600))).path == nil)
    }

    @Test("The loop turns while a file is copied: how far it is is there before its end, and the newest of it only")
    func throughLoop() throws {
        let loop = try EventLoop()
        // The first look is that of the call, the second is the worker's after the first part.
        let clock = try Clock(step: .seconds(2), freeLooks: 2)
        let pool = try FairPool()
        try pool.withBell { (bell) throws(SyscallError) in
            _ = try loop.add(bell, for: .readable) { [unowned pool] _ in
                do throws(SyscallError) { try pool.takeFinished() } catch { Issue.record(error) }
            }
        }
        let deliveries = Deliveries(in: pool, clock: clock.look)
        let call = PutCall(
            name: try #require(FileName("a")), type: nil, annotations: [:], application: nil, file: try file(),
            reportsProgress: true)
        let next = try deliveries.begin(call, from: .nobody, to: folder.bytePath())
        #expect(next() == nil)
        try loop.turn(until: .never)
        let first = next()
        guard case .copied(let count)? = first else { return #expect(first != nil, "no progress") }
        #expect(0 < count && count < Self.size)
        #expect(next() == nil)
        var path: String?
        while path == nil {
            clock.letPass()
            try loop.turn(until: .never)
            switch next() {
            case nil, .copied?: break
            case .delivered(let text, _)?: path = text
            case .refused(let error)?: throw error
            }
        }
        #expect(path == folder.path + "/a")
        #expect(try folder.status("a").size == Self.size)
    }
}
