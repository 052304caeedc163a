import Glibc
import InboxTestSupport
import Testing

@Suite("Never deaf")
struct AcceptanceOverflow {
    /// How many events the kernel keeps for a reader that is busy.
    static let queue =
        Disk.text("/proc/sys/fs/inotify/max_queued_events").split(separator: "\n").first.flatMap { Int($0) } ?? .max

    @Test(
        "When the kernel's queue overflows, the daemon counts it and still files everything",
        .enabled(if: queue <= 200_000, "fs.inotify.max_queued_events is too large to be overflowed quickly"))
    func overflow() async throws {
        try await onStage { stage in
            try await stage.start()
            let process = try stage.processID
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            // A rename in and out: two events that the kernel cannot merge, whatever else the daemon watches for.
            let outside = stage.root / "outside/ball"
            let inside = stage.inbox / "ball"
            try Disk.put(Array("ball".utf8), at: outside)
            for _ in 0..<(Self.queue / 2 + 500) {
                try Disk.move(outside, to: inside)
                try Disk.move(inside, to: outside)
            }
            for index in 0..<200 {
                let folder = stage.inbox / TestPath("unseen \(index % 7)")
                try Disk.makeFolders(folder)
                try Disk.put(Array("\(index)".utf8), at: folder / TestPath("\(index).txt"))
            }
            kill(process, SIGCONT)
            for index in 0..<200 {
                let target = stage.documents / TestPath("unseen \(index % 7)") / TestPath("\(index).txt")
                try await eventually { Disk.text(target) == "\(index)" ? nil : "\(target) is not filed" }
            }
            try await stage.expectCounters(["filed": 200, "waiting": 0])
            let overflows = try await stage.counters()["overflows"] ?? 0
            #expect(overflows >= 1)
            #expect(Disk.text(outside) == "ball")
        }
    }
}
