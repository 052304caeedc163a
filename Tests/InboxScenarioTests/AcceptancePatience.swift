import Glibc
import InboxTestSupport
import Testing

@Suite("Patience, sleep and memory", .serialized)
struct AcceptancePatience {
    @Test("A file that a writer holds open stays, the status says why, and it is filed when the writer closes")
    func writer() async throws {
        try await onStage { stage in
            try await stage.start()
            let path = stage.inbox / "slow.pdf"
            let descriptor = try Disk.open(path, O_WRONLY | O_CREAT)
            var isOpen = true
            defer { if isOpen { close(descriptor) } }
            try Disk.write(Array("half".utf8), to: descriptor, path)
            try await stage.expectListed("slow.pdf", state: "waiting", reasons: ["writing"])
            let words = try await stage.control(["status"])
            #expect(words.exit == .status(0))
            #expect(words.output.contains("slow.pdf") && words.output.contains("writing"), "\(words.output)")

            // As long as it is open it stays, through several inspections by the daemon.
            let end = ContinuousClock().now + .seconds(3)
            while ContinuousClock().now < end {
                #expect(Disk.exists(path) && !Disk.exists(stage.documents / "slow.pdf"))
                pause(.milliseconds(100))
            }
            try Disk.write(Array(" and half".utf8), to: descriptor, path)
            close(descriptor)
            isOpen = false
            try await eventually {
                Disk.text(stage.documents / "slow.pdf") == "half and half" ? nil : "slow.pdf is not filed"
            }
            try await stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0])
        }
    }

    @Test("A daemon with nothing to do does not wake up")
    func idle() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            for index in 0..<20 { try Disk.put([65], at: stage.inbox / TestPath("\(index).txt")) }
            try await stage.expectCounters(["filed": 20, "waiting": 0])
            let process = try stage.processID
            // The answer to the last question may still be on its way out: begin once a second has been quiet.
            var before = try ProcessFacts.voluntarySwitches(of: process)
            try await eventually(every: .seconds(1)) {
                let now = try ProcessFacts.voluntarySwitches(of: process)
                defer { before = now }
                return now == before ? nil : "\(now - before) wake-ups within a second"
            }
            // Somebody else on the machine who mounts something wakes it as well, though not each time.
            var wakeUps = Int.max
            for _ in 0..<3 where wakeUps > 1 {
                let start = try ProcessFacts.voluntarySwitches(of: process)
                pause(.seconds(5))
                wakeUps = min(wakeUps, try ProcessFacts.voluntarySwitches(of: process) - start)
            }
            #expect(wakeUps <= 1, "\(wakeUps) wake-ups in five idle seconds")
        }
    }

    @Test("A daemon whose journal failed once, and whose document was withdrawn meanwhile, does not wake up")
    func idleAfterFailure() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            stage.variables = ["INBOXD_FAULT=write@/journal:1:28"]
            try await stage.start()
            try Disk.put([65], at: stage.inbox / "a.txt")
            try await eventually {
                try await stage.status()["state"]?.string == "degraded" ? nil : "the journal has not failed"
            }
            try Disk.remove(stage.inbox / "a.txt")
            try await stage.expectCounters(["withdrawn": 1, "waiting": 0])
            // Longer than the back-off of the first failure, which is the deadline that must not last for ever.
            let process = try stage.processID
            pause(.seconds(2))
            let ticks = try ProcessFacts.processorTicks(of: process)
            pause(.seconds(1))
            #expect(try ProcessFacts.processorTicks(of: process) - ticks <= 10)
        }
    }

    @Test("A thousand documents leave the daemon small")
    func memory() async throws {
        try await onStage { stage in
            try await stage.start()
            try Thousand.make(in: stage.root / "outside/tree")
            try Disk.move(stage.root / "outside/tree", to: stage.inbox / "tree")
            try await stage.expectCounters(["filed": Thousand.count, "waiting": 0], within: Thousand.limit)
            let process = try stage.processID
            let anonymous = try ProcessFacts.field("RssAnon", of: process)
            let peak = try ProcessFacts.field("VmHWM", of: process)
            // A debug build maps far more code than a release build; what it allocates is comparable.
            #expect(anonymous < 16 * 1024, "RssAnon \(anonymous) KiB, VmHWM \(peak) KiB")
        }
    }
}
