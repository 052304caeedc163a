import Glibc
import InboxTestSupport
import Testing

/// Folders that no watch is left for.
@Suite("Past the limit of watches")
struct WatchLimitTests {
    private static let limit = "fs.inotify.max_user_watches"

    @Test("With Poll=off nothing claims to poll them, and a rescan files what is in them")
    func unpolled() async throws {
        try await onLimit(settings: ["Inbox.Poll=off"]) { stage in
            for number in 1...3 { try Disk.makeFolder(stage.inbox / TestPath("\(number)")) }
            try await stage.expectLimit("3 of 4 folders cannot be watched and are read only at the safety scan")
            let status = try await stage.status()
            #expect(status["inboxes"]?.array?.first?["watching"]?.string == "inotify")
            let words = "\(status)" + Disk.text(stage.daemonLog)
            #expect(words.contains("since Poll=off") && !words.contains("polled") && !words.contains("polling"))
            for number in 1...3 { try Disk.put([1], at: stage.inbox / TestPath("\(number)/\(number).txt")) }
            // Settled by then.
            try await eventually(every: .milliseconds(100)) {
                let run = try await stage.control(["rescan"])
                guard run.exit == .status(0) else { return run.errors }
                return try await stage.counters()["filed"] == 3 ? nil : "not all are filed"
            }
        }
    }

    @Test("A hundred of them are one line of the log, and are filed from")
    func many() async throws {
        try await onLimit(settings: ["Inbox.Poll=100ms", "Inbox.FolderSettle=1h"]) { stage in
            for number in 1...100 {
                try Disk.makeFolder(stage.inbox / TestPath("\(number)"))
                try Disk.put([1], at: stage.inbox / TestPath("\(number)/\(number).txt"))
            }
            try await stage.expectCounters(["seen": 100, "filed": 100, "waiting": 0])
            try await stage.expectLimit("100 of 101 folders cannot be watched and are polled")
            let lines = Disk.text(stage.daemonLog).split(separator: "\n").filter { $0.contains(Self.limit) }
            #expect(lines.count == 1, "\(lines)")
        }
    }

    @Test("One of them that is still being filled is not removed between two files, and goes once it is left alone")
    func filling() async throws {
        try await onLimit(settings: ["Inbox.Poll=100ms", "Inbox.FolderSettle=3s"]) { stage in
            let folder = stage.inbox / "photos"
            try Disk.makeFolder(folder)
            try await stage.expectLimit("1 of 2 folders cannot be watched and are polled")
            // As cp(1) does that copies large files: one after the other, each filed before the next one.
            for number in 1...8 {
                try Disk.put([UInt8(number)], at: folder / TestPath("\(number).jpg"))
                try await stage.expectCounters(["filed": number, "waiting": 0])
                pause(.milliseconds(500))
            }
            try await eventually { Disk.exists(folder) ? "it is still there" : nil }
            try await stage.expectFiledRecords(8)
        }
    }

    /// A test whose daemon has a watch for its Inbox and for none of the folders in it.
    private func onLimit(settings: [TestPath], _ body: (Stage) async throws -> Void) async throws {
        try await onStage(settings: ["Inbox.Settle=0"] + settings) { stage in
            stage.variables = ["INBOXD_FAULT=inotify_add_watch@/Inbox/:*:\(ENOSPC)"]
            try await stage.start()
            try await stage.expectState("watching")
            try await body(stage)
        }
    }
}

extension Stage {
    /// Waits until a problem has these words, and the name of the limit.
    fileprivate func expectLimit(_ words: String) async throws {
        try await eventually(every: .milliseconds(50)) {
            let problems = try await status()["problems"]?.array?.compactMap(\.string) ?? []
            return problems.contains { $0.contains(words) } ? nil : "\(problems)"
        }
    }
}
