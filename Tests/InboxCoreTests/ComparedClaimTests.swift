import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite(
    "A source that is not as it was when its copy was recorded",
    .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct ComparedClaimTests {
    /// A stage whose folders are on one filesystem.
    private func onOneFilesystem() throws -> CopyStage {
        try CopyStage(target: try TestRun.current.makeFolder(in: "/dev/shm").description)
    }

    private func expectOneDocument(_ name: String, in stage: CopyStage) throws {
        _ = try stage.recover()
        #expect(try stage.names(in: stage.source).isEmpty)
        #expect(try stage.names(in: stage.target) == [name])
        #expect(try stage.records.count == 1)
        #expect(try Journal(in: stage.state).interrupted.isEmpty)
    }

    @Test("As another name of its copy, which link(2) made, it goes at once: nothing has to be compared")
    func sameFile() throws {
        let stage = try onOneFilesystem()
        try stage.write(Array("letter".utf8), to: "\(stage.source)/letter.txt")
        let (_, id) = try stage.leaveRecorded("letter.txt") { staged in
            try #require(link(staged, "\(stage.target)/letter.txt") == 0)
        }
        let findings = try stage.firstFindings()
        #expect(findings.comparisons.isEmpty && findings.ended.map(\.id) == [id])
        try expectOneDocument("letter.txt", in: stage)
    }

    @Test("As a link it goes if it leads where the copy leads, and else returns", arguments: [true, false])
    func leading(isSame: Bool) throws {
        let stage = try CopyStage()
        try #require(symlink("/there", "\(stage.source)/a.lnk") == 0)
        let (staged, _) = try stage.leaveRecorded("a.lnk") { _ in
            try #require(symlink(isSame ? "/there" : "/elsewhere", "\(stage.target)/a.lnk") == 0)
        }
        // Another link, as by its number after a filesystem of FUSE was mounted anew.
        try #require(unlink(staged) == 0 && symlink("/there", staged) == 0)
        if isSame { return try expectOneDocument("a.lnk", in: stage) }
        _ = try stage.recover()
        #expect(try stage.names(in: stage.source) == ["a.lnk"])
    }

    #if DEBUG
        @Test("Its comparison, for which nobody waits, has no end but its own", arguments: ["letter.txt", "note.rtfd"])
        func unhurried(_ name: String) async {
            await #expect(processExitsWith: .success) { [name] in
                setenv("INBOXD_COMPARING_TIME", "0", 1)
                let stage = try CopyStage()
                func write(to place: String) throws -> String {
                    let isFolder = name.hasSuffix(".rtfd")
                    if isFolder { try #require(mkdir("\(place)/\(name)", 0o755) == 0) }
                    let path = isFolder ? "\(place)/\(name)/TXT.rtf" : "\(place)/\(name)"
                    try stage.write(Array("letter".utf8), to: path)
                    return path
                }
                let source = try write(to: stage.source)
                let (staged, _) = try stage.leaveRecorded(name) { _ in _ = try write(to: stage.target) }
                // Only its change time is another one now.
                let inside = source.dropFirst("\(stage.source)/\(name)".count)
                try #require(chmod("\(staged)\(inside)", 0o600) == 0)
                try ComparedClaimTests().expectOneDocument(name, in: stage)
            }
        }

        /// A log that does something before it records.
        private struct LateLog: HistoryLog {
            let log: RecordLog
            let touch: @Sendable () -> Void
            var mark: HistoryMark { log.mark }

            func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError) {
                touch()
                try log.record(records, isDurable: isDurable)
            }

            func record(_ records: [DuplicateRecord]) throws(SyscallError) { try log.record(records) }
        }

        @Test("Where its run has no time to compare it, it waits for recovery, and is filed once")
        func noTime() async {
            await #expect(processExitsWith: .success) {
                setenv("INBOXD_COMPARING_TIME", "0", 1)
                let stage = try CopyStage()
                try stage.write(Array("letter".utf8), to: "\(stage.source)/letter.txt")
                let request = try stage.request("letter.txt")
                let source = stage.source
                let log = LateLog(log: RecordLog(journal: stage.journal, history: stage.history)) {
                    var found = glob_t()
                    guard glob("\(source)/.inboxd-*/source-*/letter.txt", 0, nil, &found) == 0 else { return }
                    if let path = found.gl_pathv[0] { chmod(path, 0o600) }
                }
                let report = FilingJob(
                    copying: [FilingJob.Task(request, CopyProgress(total: request.status.size))],
                    try stage.destinations(),
                    FilingRun.Means(
                        journal: stage.journal, log: log, staging: stage.staging, abandonment: stage.abandonment)
                ).perform()
                #expect(report.results.map(\.result.word) == ["filed"] && report.hasOpenEntries)
                try ComparedClaimTests().expectOneDocument("letter.txt", in: stage)
            }
        }

        @Test("A link in the place of the folder that it was in is not followed, and keeps no claim open")
        func folderReplaced() async {
            await #expect(processExitsWith: .success) {
                let stage = try CopyStage()
                let folder = "\(stage.source)/sub"
                try #require(mkdir(folder, 0o755) == 0)
                try stage.write(Array("letter".utf8), to: "\(folder)/letter.txt")
                let (_, id) = try stage.leaveRecorded("letter.txt", in: "sub") { _ in
                    try stage.write(Array("letter".utf8), to: "\(stage.target)/letter.txt")
                }
                try #require(rmdir(folder) == 0 && symlink("/", folder) == 0)
                FaultPlan.arm(FaultPlan(at: .every, action: .fail(.denied), part: folder))
                let findings = try stage.firstFindings()
                FaultPlan.disarm()
                #expect(findings.open.isEmpty && findings.ended.map(\.id) == [id], "\(findings.open)")
            }
        }
    #endif
}
