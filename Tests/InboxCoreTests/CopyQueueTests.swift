import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("Documents that wait to be copied", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct CopyQueueTests {
    @Test("Behind more large documents than may wait for their worker, a small one is copied, and nothing spins")
    func large() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let copying = Copying(
            intake: intake.intake, means: target.means, claims: target.claims,
            lanes: try CopyLanes(large: Copying.mostBytes) { $0.perform() })
        // The worker of large documents has a job, whose end nobody takes.
        copying.lanes.large.begin(
            .claim(
                ClaimJob(
                    [], to: try target.root(), inboxFolders: [], comparing: .unlimited, filing: target.means,
                    means: target.claims)))
        func proceed() throws {
            for id in intake.ready(most: 1_000) { intake.intake.resolve(id, .across, at: intake.moment) }
            copying.proceed(at: intake.moment, to: try target.root(), inboxFolders: [])
        }
        for number in 0..<600 {
            try intake.folder.write("inbox/\(number)", "")
            #expect(truncate("\(intake.folder.path)/inbox/\(number)", off_t(Copying.mostBytes)) == 0)
            intake.event(.movedTo, "\(number)")
        }
        try proceed()
        #expect(!copying.lanes.small.jobs.isBusy && !copying.hasRoom)
        try intake.drop("small", "content", .movedTo)
        try proceed()
        #expect(copying.lanes.small.jobs.isBusy && !copying.hasRoom)
        #expect(copying.lanes.large.queue.count < 600 && intake.intake.hasCopies(large: true))
    }
}
