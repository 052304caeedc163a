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

    @Test(
        "Of each user one large document waits for its worker, however many of one user's were sent on to it",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func users() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let copying = Copying(
            intake: intake.intake, means: target.means, claims: target.claims,
            lanes: try CopyLanes(large: Copying.mostBytes) { $0.perform() })
        for (name, owner): (String, uid_t) in [("1", 0), ("2", 0), ("3", 0), ("other", 4711)] {
            try intake.folder.write("inbox/" + name, "")
            let path = "\(intake.folder.path)/inbox/\(name)"
            #expect(truncate(path, off_t(Copying.mostBytes)) == 0 && chown(path, owner, owner) == 0)
            intake.event(.movedTo, name)
        }
        for id in intake.ready(most: 10) { intake.intake.resolve(id, .across, at: intake.moment) }
        // Small ones whose comparison takes long wait there too.
        for _ in 0..<2 {
            let request = try #require(intake.intake.takeForCopy(large: true, besides: [4711]))
            copying.lanes.large.queue.append(request)
        }
        copying.proceed(at: intake.moment, to: try target.root(), inboxFolders: [])
        #expect(copying.lanes.large.jobs.isBusy && copying.lanes.large.queue.owners == [0, 4711])
        #expect(copying.lanes.large.queue.count == 2 && intake.intake.hasCopies(large: true))
    }
}
