import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("Packages that are renamed inside an Inbox")
struct RenamedPackageTests {
    /// Makes a package and reports it.
    private static func make(_ name: String, on stage: IntakeStage) throws {
        stage.folder.makeFolder("inbox/" + name)
        try stage.folder.write("inbox/\(name)/a")
        stage.event([.created, .isFolder], name)
    }

    private static func rename(_ stage: IntakeStage) {
        stage.rename("inbox/p.rtfd", "inbox/q.rtfd")
        stage.event([.movedFrom, .isFolder], "p.rtfd", cookie: 1)
        stage.event([.movedTo, .isFolder], "q.rtfd", cookie: 1)
    }

    @Test("One that is held is the same arrival, and is tried again")
    func held() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        try Self.make("p.rtfd", on: stage)
        stage.advance(.seconds(6))
        let id = try #require(stage.ready(most: 1).first)
        stage.intake.resolve(id, .hold(.permission, "no"), at: stage.moment)
        #expect(stage.arrivals == ["p.rtfd": "permission"])
        Self.rename(stage)
        for _ in 0..<3 { stage.advance(ArrivalCourse.renameGrace + .milliseconds(1)) }
        #expect(stage.id("q.rtfd") == id && stage.arrivals == ["q.rtfd": "settling"])
        #expect(stage.sums == [1, 1, 0, 0, 0] && stage.intake.isConsistent)
    }

    @Test("One is the same arrival though the survey of it takes longer than a rename")
    func slow() throws {
        let latch = Latch()
        let survey = { @Sendable (job: SurveyJob) -> SurveyReport in
            latch.pass()
            return job.perform()
        }
        let stage = try IntakeStage(survey: survey)
        try Self.make("p.rtfd", on: stage)
        try stage.finishSurveys(at: stage.moment)
        let id = try #require(stage.id("p.rtfd"))
        latch.set(false)
        Self.rename(stage)
        var moment = stage.moment
        for _ in 0..<4 {
            let now = moment.now + ArrivalCourse.renameGrace
            moment = Moment(now: now, wall: moment.wall(at: now))
            stage.intake.proceed(at: moment)
        }
        latch.set(true)
        try stage.finishSurveys(at: moment)
        #expect(stage.id("q.rtfd") == id && stage.arrivals == ["q.rtfd": "settling"])
        #expect(stage.sums == [1, 1, 0, 0, 0])
    }
}
