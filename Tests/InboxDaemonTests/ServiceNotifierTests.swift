import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxDaemon

extension ServiceManager {
    fileprivate var address: SocketAddress {
        get throws { try #require(SocketAddress(BytePath(path))) }
    }
}

@Suite("Notifications for systemd")
struct ServiceNotifierTests {
    private let start = Instant(nanoseconds: 0)

    @Test("The loop's turns send the signs of life, and requests for more time only while the service ends")
    func beats() throws {
        let manager = try ServiceManager()
        var notifier = try ServiceNotifier(socket: manager.address, watchdog: Heartbeat(every: .seconds(1)))
        notifier.ready()
        notifier.beat(at: start)
        notifier.beat(at: start + .milliseconds(10))
        #expect(manager.messages() == ["READY=1", "WATCHDOG=1"])
        #expect(notifier.nextBeat == start + .seconds(1))
        notifier.stopping()
        notifier.stopping()
        notifier.beat(at: start + .milliseconds(20))
        notifier.beat(at: start + .milliseconds(30))
        #expect(manager.messages() == ["STOPPING=1", "EXTEND_TIMEOUT_USEC=20000000"])
        notifier.beat(at: start + .seconds(6))
        #expect(manager.messages() == ["WATCHDOG=1", "EXTEND_TIMEOUT_USEC=20000000"])
    }

    @Test("A reload carries the monotonic time, which notify-reload compares")
    func reload() throws {
        let manager = try ServiceManager()
        let before = Instant.now().nanoseconds / 1000
        var notifier = try ServiceNotifier(socket: manager.address, watchdog: nil)
        notifier.reloading()
        let lines = manager.messages().first?.split(separator: "\n").map(String.init) ?? []
        #expect(lines.first == "RELOADING=1")
        let time = lines.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) } ?? 0
        #expect(time >= before && time <= Instant.now().nanoseconds / 1000)
    }

    @Test("A status with a newline stays one field")
    func hostileStatus() throws {
        let manager = try ServiceManager()
        var notifier = try ServiceNotifier(socket: manager.address, watchdog: nil)
        notifier.report(at: start) { "held a\nSTOPPING=1\u{1b}[2J" }
        notifier.report(at: start + .seconds(2)) { "held a\nSTOPPING=1\u{1b}[2J" }
        let messages = manager.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("STATUS=held a") == true)
        #expect(messages.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
    }

    @Test("However often the status changes, it is sent once a second, and the last one is")
    func frequentStatus() throws {
        let manager = try ServiceManager()
        var notifier = try ServiceNotifier(socket: manager.address, watchdog: nil)
        for number in 0..<10 { notifier.report(at: start + .milliseconds(number)) { "\(number) filed" } }
        #expect(notifier.nextBeat == start + .seconds(1))
        notifier.report(at: start + .seconds(1)) { "10 filed" }
        #expect(notifier.nextBeat == .never)
        #expect(manager.messages() == ["STATUS=0 filed", "STATUS=10 filed"])
    }

    @Test("A manager whose queue is full is not waited for, and gets the last status and all else once it reads")
    func fullQueue() throws {
        let manager = try ServiceManager()
        var other = 0
        while failureOf({ try Datagram.send([1], to: try manager.address) }) == nil, other < 100_000 { other += 1 }
        var notifier = try ServiceNotifier(socket: manager.address, watchdog: nil)
        notifier.ready()
        notifier.report(at: start) { "1 filed" }
        notifier.report(at: start + .seconds(1)) { "2 filed" }
        notifier.beat(at: start + .seconds(1))
        #expect(notifier.nextBeat == start + .seconds(1) + .milliseconds(100))
        #expect(manager.messages().count == other)
        notifier.stopping()
        notifier.beat(at: start + .seconds(2))
        notifier.report(at: start + .seconds(2)) { "2 filed" }
        #expect(
            manager.messages() == ["READY=1", "STOPPING=1", "EXTEND_TIMEOUT_USEC=20000000", "STATUS=2 filed"])
    }

    @Test("Without a manager nothing is due")
    func nobody() {
        var notifier = ServiceNotifier(socket: nil, watchdog: Heartbeat(every: .seconds(1)))
        notifier.stopping()
        notifier.beat(at: start)
        #expect(notifier.nextBeat == .never)
    }
}
