import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

/// What the event loop is built on: epoll, timers, bells.
@Suite struct LoopTests {
    private static func ready(_ epoll: inout Epoll) throws -> [Epoll.Token: Readiness] {
        var seen: [Epoll.Token: Readiness] = [:]
        try epoll.wait(blocking: false) { seen[$0] = $1 }
        return seen
    }

    /// In a process of its own: in this one another test might get the number while it is free, and lose its file.
    @Test("An event of a descriptor that was closed never reaches the one that got its number")
    func generations() async {
        await #expect(processExitsWith: .success) {
            var epoll = try Epoll()
            var first: Bell? = try Bell()
            let number = first?.descriptor.number ?? -1
            var old: Epoll.Token?
            if let bell = first.take() {
                old = try epoll.add(bell.descriptor, for: .readable)
                bell.ring()
                // The registration outlives the descriptor where a duplicate of it does: epoll(7), questions and answers.
                let copy = FileDescriptor(owning: dup(number))
                _ = consume bell
                let silent = try Bell()
                let successor = FileDescriptor(owning: dup2(silent.descriptor.number, number))
                let new = try epoll.add(successor, for: .readable)
                #expect(new != old)
                #expect(Set(try LoopTests.ready(&epoll).keys) == [try #require(old)])
                try copy.close()
                #expect(try LoopTests.ready(&epoll).isEmpty)
                try epoll.remove(successor)
            }
        }
    }

    @Test("Tokens are never used twice, however often a descriptor comes and goes")
    func tokens() throws {
        var epoll = try Epoll()
        let bell = try Bell()
        var tokens: Set<Epoll.Token> = []
        for _ in 0..<1_000 {
            tokens.insert(try epoll.add(bell.descriptor, for: .readable))
            try epoll.remove(bell.descriptor)
        }
        #expect(tokens.count == 1_000)
        #expect(failureOf { try epoll.remove(bell.descriptor) } == .noEntry)
    }

    @Test("More than 64 ready descriptors are all reported, over several waits")
    func many() throws {
        var epoll = try Epoll()
        var pipes: [Int32] = []
        defer { for number in pipes { close(number) } }
        var tokens: Set<Epoll.Token> = []
        for _ in 0..<100 {
            let bell = try Bell()
            bell.ring()
            let copy = FileDescriptor(owning: dup(bell.descriptor.number))
            // Left open on purpose, until the end of the test: level-triggered events then come again and again.
            pipes.append(dup(copy.number))
            tokens.insert(try epoll.add(copy, for: .readable))
        }
        var seen: Set<Epoll.Token> = []
        for _ in 0..<10 { seen.formUnion(try Self.ready(&epoll).keys) }
        #expect(seen == tokens)
    }

    @Test("What is waited for can be changed")
    func change() throws {
        var epoll = try Epoll()
        let bell = try Bell()
        let token = try epoll.add(bell.descriptor, for: .writable)
        #expect(try Self.ready(&epoll) == [token: .writable])
        try epoll.change(bell.descriptor, token, to: .readable)
        #expect(try Self.ready(&epoll).isEmpty)
        bell.ring()
        bell.ring()
        #expect(try Self.ready(&epoll) == [token: .readable])
        try bell.silence()
        #expect(try Self.ready(&epoll).isEmpty)
        try bell.silence()
    }

    @Test("A bell that is rung to the end of its counter still rings, and no ringing fails")
    func fullBell() throws {
        var epoll = try Epoll()
        let bell = try Bell()
        let token = try epoll.add(bell.descriptor, for: .readable)
        var most = UInt64.max - 1
        #expect(write(bell.descriptor.number, &most, 8) == 8)
        bell.ring()
        #expect(try Self.ready(&epoll).keys.contains(token))
        try bell.silence()
        #expect(try Self.ready(&epoll).isEmpty)
    }

    @Test("A timer rings at its time and not before; moments that are past or before the clock ring at once")
    func timer() throws {
        var epoll = try Epoll()
        var timer = try Timer()
        let token = try epoll.add(timer.descriptor, for: .readable)
        #expect(try Self.ready(&epoll).isEmpty)
        let due = Instant.now() + .milliseconds(30)
        try timer.set(due)
        #expect(try becomesTrue { try Self.ready(&epoll) == [token: .readable] })
        #expect(Instant.now() >= due)
        try timer.acknowledge()
        #expect(try Self.ready(&epoll).isEmpty)
        for past in [Instant(nanoseconds: 0), Instant(nanoseconds: .min), .now() - .seconds(1)] {
            try timer.set(past)
            #expect(try becomesTrue { try Self.ready(&epoll) == [token: .readable] })
            try timer.acknowledge()
        }
        try timer.acknowledge()
        for far in [Instant.never, Instant(nanoseconds: .max - 1), .now() + .seconds(1000)] {
            try timer.set(far)
            #expect(try Self.ready(&epoll).isEmpty)
        }
        try timer.set(.now() - .seconds(1))
        try timer.set(.never)
        #expect(try Self.ready(&epoll).isEmpty)
    }
}
