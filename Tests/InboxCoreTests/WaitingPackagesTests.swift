import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

/// Packages that wait for their surveys are no arrivals yet, so that no limit of those bounds them.
@Suite("Packages that wait for their surveys")
struct WaitingPackagesTests {
    private static let count = 200

    /// A stage whose surveys begin when the latch is opened, and of which few may wait.
    private static func stage(_ latch: Latch) throws -> IntakeStage {
        let survey = { @Sendable (job: SurveyJob) -> SurveyReport in
            latch.pass()
            return job.perform()
        }
        let stage = try IntakeStage(survey: survey)
        stage.intake.parts.surveys.most = 64
        latch.set(false)
        return stage
    }

    private static func make(_ name: String, _ stage: IntakeStage) throws {
        stage.folder.makeFolder("inbox/" + name)
        try stage.folder.write("inbox/\(name)/a", "1")
    }

    /// The same, and the daemon hears of it.
    private static func arrive(_ name: String, _ stage: IntakeStage) throws {
        try make(name, stage)
        stage.event([.created, .isFolder], name)
    }

    /// Does all surveys, and reads what was left for them.
    private static func finish(_ stage: IntakeStage, at moment: Moment) throws {
        let end = Instant.now() + .seconds(60)
        while stage.intake.isReading, .now() < end {
            try stage.takeSurveys(at: moment)
            stage.intake.proceed(at: moment)
            sched_yield()
        }
        try #require(!stage.intake.isReading)
    }

    @Test("Folders are read only as far as few packages wait, and each package becomes an arrival once")
    func read() throws {
        let latch = Latch()
        let stage = try Self.stage(latch)
        for number in 0..<Self.count { try Self.make("\(number).rtfd", stage) }
        stage.intake.requestFullScan(at: stage.moment)
        for _ in 0..<5 { stage.intake.proceed(at: stage.moment) }
        #expect(stage.intake.parts.surveys.count == 8)
        #expect(stage.intake.nextDeadline > stage.moment.now, "it waits for the surveys without turning round")
        latch.set(true)
        try Self.finish(stage, at: stage.moment)
        #expect(stage.intake.accounting.seen == Self.count && stage.arrivals.count == Self.count)
    }

    @Test("However many packages are made meanwhile, few wait, and the others are found when those are surveyed")
    func made() throws {
        let latch = Latch()
        let stage = try Self.stage(latch)
        for number in 0..<Self.count { try Self.arrive("\(number).rtfd", stage) }
        #expect(stage.intake.parts.surveys.count == 64)
        latch.set(true)
        try Self.finish(stage, at: stage.moment)
        #expect(stage.intake.accounting.seen == Self.count && stage.arrivals.count == Self.count)
    }

    @Test("A package that is known is surveyed again at its time, however many others wait")
    func known() throws {
        let latch = Latch()
        let stage = try Self.stage(latch)
        latch.set(true)
        try Self.arrive("letter.rtfd", stage)
        try Self.finish(stage, at: stage.moment)
        latch.set(false)
        for number in 0..<Self.count { try Self.arrive("\(number).rtfd", stage) }
        let now = stage.moment.now + .seconds(6)
        let later = Moment(now: now, wall: stage.moment.wall(at: now))
        stage.intake.proceed(at: later)
        latch.set(true)
        try Self.finish(stage, at: later)
        #expect(stage.intake.takeReady(most: 9, at: later).map(\.name) == [aName("letter.rtfd")])
    }

    @Test("However many known packages are surveyed again, folders are read meanwhile")
    func again() throws {
        let latch = Latch()
        let stage = try Self.stage(latch)
        latch.set(true)
        for number in 0..<Self.count { try Self.arrive("\(number).rtfd", stage) }
        try Self.finish(stage, at: stage.moment)
        latch.set(false)
        try stage.folder.write("inbox/letter", "1")
        let now = stage.moment.now + .seconds(6)
        let later = Moment(now: now, wall: stage.moment.wall(at: now))
        stage.intake.requestFullScan(at: later)
        for _ in 0..<5 { stage.intake.proceed(at: later) }
        #expect(stage.intake.parts.surveys.count > 64 && stage.id("letter") != nil)
        latch.set(true)
        try Self.finish(stage, at: later)
        #expect(stage.intake.accounting.seen == Self.count + 1)
    }

    @Test(
        "Where one user's packages fill the row, another's is surveyed in its turn, whether an event reports it or not",
        .enabled(if: geteuid() == 0, "only root gives files away"), arguments: [true, false])
    func shared(isReported: Bool) throws {
        let latch = Latch()
        let stage = try Self.stage(latch)
        try #require(chmod(stage.folder.path + "/inbox", 0o1777) == 0)
        for number in 0..<Self.count { try Self.arrive("\(number).rtfd", stage) }
        try Self.make("letter.rtfd", stage)
        try #require(chown(stage.folder.path + "/inbox/letter.rtfd", 12_345, 12_345) == 0)
        if isReported {
            stage.event([.created, .isFolder], "letter.rtfd")
        } else {
            stage.intake.requestFullScan(at: stage.moment)
            for second: Int64 in 1...8 {
                let now = stage.moment.now + .seconds(second)
                stage.intake.proceed(at: Moment(now: now, wall: stage.moment.wall(at: now)))
            }
        }
        let surveys = stage.intake.parts.surveys
        #expect(surveys.count == 65 && surveys.count(of: 12_345) == 1)
        latch.set(true)
        try Self.finish(stage, at: stage.moment)
        #expect(stage.intake.accounting.seen == Self.count + 1)
    }
}
