import Glibc
import InboxTestSupport
import Testing

/// Events that the kernel does not hand over: what they would have reported is found all the same.
@Suite("Events that cannot be read")
struct UnreadEventsTests {
    @Test("The Inbox is polled and the daemon degraded until they can be read again", arguments: [EMFILE, ENFILE])
    func passing(_ code: Int32) async throws {
        try await onStage { stage in
            let plans = (1...9).map { "read@inotify:\($0):\(code)" }
            stage.variables = ["INBOXD_FAULT=\(plans.joined(separator: ";"))"]
            try await stage.start()
            try stage.moveIn([1], as: "meanwhile.txt")
            try await stage.expectProblem("found by polling until that succeeds")
            #expect(try await stage.status()["inboxes"]?.array?.first?["watching"]?.string == "polling")
            try await stage.expectFiledRecords(1)
            try await stage.expectProblem(nil)
            #expect(try await stage.status()["inboxes"]?.array?.first?["watching"]?.string == "inotify")
            try stage.moveIn([2], as: "later.txt")
            try await stage.expectFiledRecords(2)
            #expect(stage.linesAboutEvents == 2, "\(Disk.text(stage.daemonLog))")
        }
    }

    @Test("Where that lasts for ever the daemon goes on, follows its folders, and does not try without a pause")
    func lasting() async throws {
        try await onStage { stage in
            let trace = stage.root / "trace"
            stage.variables = ["INBOXD_FAULT=read@inotify:*:\(EMFILE)", "INBOXD_TRACE=\(trace)"]
            try await stage.start()
            // An event on the path to the roots.
            try Disk.move(stage.documents, to: stage.root / "moved")
            try Disk.move(stage.root / "moved", to: stage.documents)
            for number in 1...3 {
                try stage.moveIn([UInt8(number)], as: TestPath("\(number).txt"))
                try await stage.expectFiledRecords(number)
            }
            try await stage.expectProblem("found by polling until that succeeds")
            #expect(stage.linesAboutEvents == 1, "\(Disk.text(stage.daemonLog))")
            #expect(try await stage.end(SIGTERM) == .status(0))
            let tries = try CallTrace(reading: trace).calls.count { $0.name == "read" && $0.result == .struck }
            #expect((2...100).contains(tries), "it was tried \(tries) times")
        }
    }
}

extension Stage {
    fileprivate var linesAboutEvents: Int {
        Disk.text(daemonLog).split(separator: "\n").count { $0.contains("the kernel's events") }
    }
}
