import Glibc
import InboxTestSupport
import Testing

/// A daemon that somebody has started at a terminal.
@Suite("The log on a terminal")
struct StoppedTerminalTests {
    /// The end of a terminal that a person has.
    private final class Screen {
        private let descriptor: Int32
        /// The end that a program has.
        let path: TestPath
        private var seen: [UInt8] = []

        // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h: glibc hides what wraps them from Swift.
        private static let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

        init() throws {
            descriptor = try Disk.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
            var (isLocked, index): (Int32, UInt32) = (0, 0)
            try Disk.check("ioctl", "/dev/ptmx", ioctl(descriptor, Self.unlock, &isLocked))
            try Disk.check("ioctl", "/dev/ptmx", ioctl(descriptor, Self.number, &index))
            path = TestPath("/dev/pts/\(index)")
        }

        deinit { close(descriptor) }

        /// Presses Ctrl and a letter.
        func press(_ key: UInt8) throws { try Disk.write([key & 0x1F], to: descriptor, "the terminal") }

        /// All that has been written to it so far.
        func text() -> String {
            var buffer = [UInt8](repeating: 0, count: 65536)
            while case let count = read(descriptor, &buffer, buffer.count), count > 0 { seen += buffer[..<count] }
            return String(decoding: seen, as: UTF8.self)
        }
    }

    @Test("Ctrl-S stops neither filing nor the answers, and after Ctrl-Q the log says how much of it is missing")
    func stopped() async throws {
        let screen = try Screen()
        try await onStage(settings: ["Inbox.Settle=0", "Inbox.Durability=relaxed"]) { stage in
            try Disk.makeLink(stage.daemonLog, to: screen.path)
            try await stage.start()
            try await eventually { screen.text().contains("watching") ? nil : "nothing is on the screen" }
            try screen.press(UInt8(ascii: "S"))
            // More lines than a terminal keeps.
            let count = 600
            for index in 0..<count { try stage.moveIn([65], as: TestPath("\(index).txt")) }
            try await stage.expectCounters(["filed": count])
            #expect(!screen.text().contains("599.txt"), "the terminal has not stopped")
            try screen.press(UInt8(ascii: "Q"))
            try stage.moveIn([65], as: "last.txt")
            try await eventually {
                let text = screen.text()
                return text.contains("of the log, which nobody was reading") && text.contains("last.txt")
                    ? nil : "\(text.suffix(300))"
            }
        }
    }
}
