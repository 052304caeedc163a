import InboxTestSupport
import Testing

@Suite("What lists cost")
struct ListingTests {
    /// Nanoseconds: the processor time that all threads of a process have taken.
    private func processorTime(_ process: Int32) throws -> UInt64 {
        let threads = TestPath("/proc/\(process)/task")
        return try Disk.names(in: threads).reduce(0) { sum, thread in
            let fields = Disk.text(threads / thread / "schedstat").split(separator: " ")
            return sum + (try #require(fields.first.flatMap { UInt64($0) }, "schedstat of thread \(thread)"))
        }
    }

    @Test("A status for people shows some of many that are held, and costs a small part of what listing all costs")
    func crowd() async throws {
        try await onStage { stage in
            let count = 20_000
            for number in 0..<count { try Disk.makeLink(stage.inbox / TestPath("\(number)"), to: "nowhere") }
            try await stage.start()
            try await stage.expectCounters(["held": count])
            let process = try stage.processID
            let start = try processorTime(process)
            let list = try await stage.control(["list"])
            #expect(list.output.split(separator: "\n").count == count + 1)
            let listed = try processorTime(process)
            for _ in 0..<10 {
                let status = try await stage.control(["status"])
                #expect(status.output.contains("more: inboxctl list held"), "\(status)")
            }
            let answered = try processorTime(process)
            let (whole, screens) = (listed - start, answered - listed)
            #expect(screens < whole / 3, "ten screens took \(screens / 1000) us, the list \(whole / 1000) us")
        }
    }
}
