import Glibc
import InboxLinux
import InboxTestSupport
import Synchronization
import Testing

@testable import InboxCore

@Suite struct SharedSurveyTests {
    @Test(
        "A package whose quiet time ended while a survey for another cause was queued becomes ready after that survey")
    func due() throws {
        let latch = Latch()
        let survey = { @Sendable (job: SurveyJob) -> SurveyReport in
            latch.pass()
            return job.perform()
        }
        let stage = try IntakeStage(survey: survey)
        func make(_ name: String) throws {
            stage.folder.makeFolder("inbox/" + name)
            try stage.folder.write("inbox/\(name)/a", "1")
            stage.event([.created, .isFolder], name)
        }
        try make("p.rtfd")
        try stage.finishSurveys(at: stage.moment)
        #expect(stage.arrivals == ["p.rtfd": "settling"])

        latch.set(false)
        try make("q.rtfd")
        // As when filing has put it back.
        stage.event([.movedTo, .isFolder], "p.rtfd")
        let now = stage.moment.now + .seconds(6)
        let later = Moment(now: now, wall: stage.moment.wall(at: now))
        stage.intake.proceed(at: later)
        latch.set(true)
        try stage.finishSurveys(at: later)
        // The event began its quiet time anew, which ends.
        let end = Moment(now: now + .seconds(6), wall: stage.moment.wall(at: now + .seconds(6)))
        stage.intake.proceed(at: end)
        try stage.finishSurveys(at: end)
        #expect(stage.intake.takeReady(most: 9, at: stage.moment).map(\.name).contains(aName("p.rtfd")))
    }

    @Test("A survey that seemed to hang is taken when it ends, and others have begun meanwhile")
    func late() throws {
        let latch = Latch()
        let hasBegun = Mutex(false)
        let survey = { @Sendable (job: SurveyJob) -> SurveyReport in
            if job.name == aName("p.rtfd") {
                hasBegun.withLock { $0 = true }
                latch.pass()
            }
            return job.perform()
        }
        defer {
            latch.set(true)
        }
        let stage = try IntakeStage(survey: survey)
        func awaitArrivals(_ names: Set<String>) throws {
            let end = Instant.now() + .seconds(60)
            while Set(stage.arrivals.keys) != names, .now() < end {
                stage.intake.proceed(at: stage.moment)
                try stage.takeSurveys(at: stage.moment)
                sched_yield()
            }
            #expect(Set(stage.arrivals.keys) == names)
        }
        latch.set(false)
        for name in ["p.rtfd", "q.rtfd"] {
            stage.folder.makeFolder("inbox/" + name)
            try stage.folder.write("inbox/\(name)/a", "1")
            stage.event([.created, .isFolder], name)
            stage.intake.proceed(at: stage.moment)
        }
        // Else it would be the new thread that hangs.
        while !hasBegun.withLock({ $0 }) { sched_yield() }
        let later = Instant.now() + .seconds(2)
        stage.intake.leaveHangingSurvey(at: Moment(now: later, wall: stage.moment.wall))
        try awaitArrivals(["q.rtfd"])
        latch.set(true)
        try awaitArrivals(["p.rtfd", "q.rtfd"])
    }

    @Test("A package whose survey took a second is not surveyed again within twenty")
    func costly() throws {
        let surveys = Mutex(0)
        let survey = { @Sendable (job: SurveyJob) -> SurveyReport in
            surveys.withLock { $0 += 1 }
            var report = job.perform()
            report.cost = .seconds(1)
            return report
        }
        let stage = try IntakeStage(survey: survey)
        func proceed(after seconds: Int64) throws {
            let now = stage.moment.now + .seconds(seconds)
            let moment = Moment(now: now, wall: stage.moment.wall(at: now))
            stage.intake.proceed(at: moment)
            try stage.finishSurveys(at: moment)
        }
        stage.folder.makeFolder("inbox/p.rtfd")
        try stage.folder.write("inbox/p.rtfd/a", "1")
        stage.event([.created, .isFolder], "p.rtfd")
        try proceed(after: 0)
        let first = surveys.withLock { $0 }
        for seconds: Int64 in [6, 12, 19] { try proceed(after: seconds) }
        #expect(surveys.withLock { $0 } == first && !stage.intake.hasReady)
        try proceed(after: 21)
        #expect(surveys.withLock { $0 } == first + 1)
        #expect(stage.intake.takeReady(most: 9, at: stage.moment).map(\.name) == [aName("p.rtfd")])
    }
}
