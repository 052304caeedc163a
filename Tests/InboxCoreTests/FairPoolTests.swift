import Glibc
import InboxLinux
import InboxTestSupport
import Synchronization
import Testing

@testable import InboxCore

@Suite("The pool of everything that leaves the loop")
struct FairPoolTests {
    /// Holds jobs up until it is open.
    private final class Gate: Sendable {
        private let state = Mutex((isOpen: false, passers: 0))

        func pass() {
            state.withLock { $0.passers += 1 }
            while !state.withLock({ $0.isOpen }) { usleep(500) }
        }

        func open() { state.withLock { $0.isOpen = true } }

        /// Waits until so many are held up.
        func hold(_ count: Int) -> Bool { FairPoolTests.becomesTrue { state.withLock { $0.passers >= count } } }
    }

    fileprivate static func becomesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
        let end = Instant.now() + Deadline.usual * 5
        while try !condition() {
            if .now() > end { return false }
            usleep(500)
        }
        return true
    }

    private final class Ear {
        var heard: [Int] = []
    }

    private let pool: FairPool
    private let gate = Gate()
    private let ear = Ear()

    init() throws { pool = try FairPool() }

    private func hears(_ numbers: Set<Int>) throws -> Bool {
        try Self.becomesTrue {
            try pool.takeFinished()
            return Set(ear.heard) == numbers
        }
    }

    @Test("Each job is done once, beside those that hang, and what it returns is there once")
    func each() throws {
        defer { gate.open() }
        for number in 0..<20 {
            pool.begin { [gate] in
                gate.pass()
            } then: { [ear] in
                ear.heard.append(-1 - number)
            }
        }
        #expect(gate.hold(20))
        for number in 0..<500 {
            pool.begin {
                number
            } then: { [ear] in
                ear.heard.append($0)
            }
        }
        #expect(try hears(Set(0..<500)) && ear.heard.count == 500)
        gate.open()
        #expect(try hears(Set(-20..<500)) && ear.heard.count == 520)
    }

    @Test("The bell rings for a job that was done, and is silent once its result was taken")
    func bell() throws {
        var epoll = try Epoll()
        try pool.withBell { (bell) throws(SyscallError) in _ = try epoll.add(bell, for: .readable) }
        func rings(waiting: Bool) throws -> Bool {
            var isReady = false
            try epoll.wait(blocking: waiting) { _, _ in isReady = true }
            return isReady
        }
        for number in 0..<100 {
            pool.begin {
                number
            } then: { [ear] in
                ear.heard.append($0)
            }
            #expect(try rings(waiting: true))
            #expect(try hears(Set(0...number)))
        }
        // A thread that was about to ring rings once for nothing.
        #expect(
            try Self.becomesTrue {
                try pool.takeFinished()
                return try !rings(waiting: false)
            })
    }

    @Test("What a job reports while it goes on is there before its result")
    func report() throws {
        defer { gate.open() }
        pool.begin(reporting: { [gate] (report: @escaping @Sendable (Int) -> Void) in
            report(1)
            gate.pass()
            return 2
        }) { [ear] in ear.heard.append($0) }
        #expect(try hears([1]))
        gate.open()
        #expect(try hears([1, 2]) && ear.heard == [1, 2])
    }

    #if DEBUG
        @Test("While no thread can be had a job waits for one, and begins when there is one")
        func short() async {
            await #expect(processExitsWith: .success) {
                let pool = try FairPool()
                let (gate, ear) = (Gate(), Ear())
                defer { gate.open() }
                FaultPlan.arm(FaultPlan(at: .every, action: .fail(.again), only: .threadCreate))
                // The first thread has it, and there is no other.
                pool.begin {
                    gate.pass()
                } then: {
                }
                #expect(gate.hold(1))
                pool.begin {
                    1
                } then: {
                    ear.heard.append($0)
                }
                #expect(pool.nextDeadline <= .now())
                #expect(FaultPlan.disarm() > 0)
                pool.proceed(at: .now())
                let isDone = try FairPoolTests.becomesTrue {
                    try pool.takeFinished()
                    return ear.heard == [1]
                }
                #expect(isDone)
                #expect(pool.nextDeadline == .never)
            }
        }
    #endif

    @Test("The threads end with the pool, after the jobs that there are, and nothing of these stays")
    func end() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        var pool: FairPool? = try FairPool()
        do {
            let held = Witness()
            witness = held
            for _ in 0..<100 {
                pool?.begin { [gate] in
                    _ = (held, gate)
                } then: {
                }
            }
        }
        pool = nil
        #expect(Self.becomesTrue { witness == nil })
    }

    // MARK: Lanes

    @Test("A lane has one job at once; another user's goes on beside it after a second, and the same user's does not")
    func sharing() throws {
        defer { gate.open() }
        let lane = PoolLane(of: pool)
        lane.begin(of: [7]) { [gate] in
            gate.pass()
        } then: { [ear] in
            ear.heard.append(7)
        }
        #expect(!lane.isFree && lane.owners == [7])
        #expect(lane.nextSharing(isAwaited: false) == .never)
        let due = lane.nextSharing(isAwaited: true)
        #expect(due > .now() && due < .now() + .seconds(2))
        lane.share(at: .now())
        #expect(!lane.isFree, "it has not taken long")
        lane.share(at: due)
        #expect(lane.isFree && lane.isBusy && lane.owners == [7])
        lane.begin(of: [8]) {
        } then: { [ear] in
            ear.heard.append(8)
        }
        #expect(try hears([8]) && lane.isFree)
        gate.open()
        #expect(try hears([7, 8]) && !lane.isBusy && lane.owners.isEmpty)
    }

    @Test("A job that hangs on a mount is not waited for, and no more than eight are left so")
    func hanging() throws {
        defer { gate.open() }
        let lane = PoolLane(of: pool)
        let late = Instant.now() + .seconds(60)
        for number in 0..<9 {
            #expect(lane.isFree)
            lane.begin(of: [UInt32(number)]) { [gate] in
                gate.pass()
            } then: { [ear] in
                ear.heard.append(number)
            }
            #expect(lane.suspicion < late && !lane.isFree)
            lane.leaveHanging(at: late)
        }
        #expect(!lane.isFree && lane.isBusy && lane.owners == [8] && lane.uncountedCount == 8)
        gate.open()
        #expect(try hears(Set(0..<9)) && lane.isFree && !lane.isBusy)
    }
}
