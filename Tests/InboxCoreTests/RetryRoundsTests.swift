import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("Rounds of a request to try again")
struct RetryRoundsTests {
    /// Counts how often each arrival is visited.
    private final class Visits {
        private(set) var counts: [ArrivalID: Int] = [:]
        private(set) var total = 0

        var aim: RetryWalk.Aim {
            RetryWalk.Aim(isMeant: { [self] arrival in
                counts[arrival.id, default: 0] += 1
                total += 1
                return true
            })
        }
    }

    /// An Inbox with so many links, which are held.
    private static func stage(links count: Int) throws -> IntakeStage {
        let stage = try IntakeStage()
        for number in 0..<count { stage.folder.makeLink("inbox/\(number)", to: "nowhere") }
        stage.intake.requestFullScan(at: stage.moment)
        stage.settle()
        try #require(stage.intake.accounting.held == count)
        return stage
    }

    @Test("A round visits a bounded number of arrivals, and the count at the end is that of all")
    func bounded() throws {
        let stage = try Self.stage(links: 6_000)
        let visits = Visits()
        let walk = stage.intake.retry(visits.aim)
        #expect(visits.total == 0, "arrivals were visited at the request itself")
        var largest = 0
        var rounds = 0
        while !walk.isDone {
            #expect(stage.intake.nextDeadline <= stage.moment.now)
            let before = visits.total
            stage.intake.proceed(at: stage.moment)
            let visited = visits.total - before
            largest = max(largest, visited)
            // The first thousand are inspected one by one.
            if rounds == 0 { #expect(visited == RetryRounds.mostInspected) }
            rounds += 1
            try #require(rounds < 100)
        }
        #expect(largest <= Int(RetryRounds.mostVisited))
        #expect(walk.count == 6_000 && visits.total == 6_000)
        stage.settle()
        #expect(stage.intake.accounting.held == 6_000 && !stage.intake.isRetrying && stage.intake.isConsistent)
    }

    @Test("What failed is tried again in rounds too, and all of it")
    func failed() throws {
        let stage = try IntakeStage()
        for number in 0..<1_200 { try stage.drop("\(number)", "1", .movedTo) }
        for id in stage.ready(most: 1_200) { stage.intake.resolve(id, .retry("no space"), at: stage.moment) }
        try #require(!stage.intake.hasReady)
        let walk = stage.intake.retry()
        var rounds = 0
        while !walk.isDone {
            stage.intake.proceed(at: stage.moment)
            rounds += 1
        }
        #expect(rounds == 3 && walk.count == 1_200)
        #expect(stage.ready(most: 2_000).count == 1_200)
    }

    @Test("Whatever comes and goes between the rounds, an arrival that is there all the time is visited once")
    func consistent() throws {
        let stage = try Self.stage(links: 3_000)
        let known = Set(stage.intake.parts.book.ids(nil))
        let visits = Visits()
        let walk = stage.intake.retry(visits.aim)
        stage.intake.proceed(at: stage.moment)
        let first = Set(visits.counts.keys)
        try #require(!first.isEmpty && first.count < known.count)
        // Some go of those that were visited and of the others, some get another name, and new ones appear in the slots.
        let name = { (id: ArrivalID) in stage.intake.arrival(id).map { "\($0.name)" } }
        let gone = Array(first.prefix(100)) + Array(known.subtracting(first).prefix(100))
        for name in gone.compactMap(name) {
            unlink(stage.folder.path + "/inbox/\(name)")
            stage.event(.deleted, name)
        }
        let rest = known.subtracting(gone)
        let renamed = Array(rest.intersection(first).prefix(50)) + Array(rest.subtracting(first).prefix(50))
        for name in renamed.compactMap(name) {
            stage.rename("inbox/\(name)", "inbox/other \(name)")
            stage.event(.movedFrom, name, cookie: 7)
            stage.event(.movedTo, "other \(name)", cookie: 7)
        }
        for number in 0..<300 {
            stage.folder.makeLink("inbox/new \(number)", to: "nowhere")
            stage.event(.created, "new \(number)")
        }
        while !walk.isDone { stage.intake.proceed(at: stage.moment) }
        for id in rest { #expect(visits.counts[id] == 1) }
        #expect(visits.counts.values.allSatisfy { $0 == 1 })
        #expect(walk.count == visits.total && walk.count <= known.count + 300)
        stage.settle()
        #expect(stage.intake.isConsistent)
    }

    @Test("Two requests take turns, and changes of the surroundings that follow each other are one request")
    func turns() throws {
        let stage = try Self.stage(links: 3_000)
        let visits = [Visits(), Visits()]
        let walks = visits.map { stage.intake.retry($0.aim) }
        var rounds = 0
        while !walks[0].isDone {
            stage.intake.proceed(at: stage.moment)
            rounds += 1
            #expect(abs(visits[0].total - visits[1].total) <= Int(RetryRounds.mostVisited))
        }
        #expect(visits[1].total > 0)
        while !walks[1].isDone { stage.intake.proceed(at: stage.moment) }
        #expect(walks.map(\.count) == [3_000, 3_000])
        for _ in 0..<5 { stage.intake.tryAgain() }
        rounds = 0
        while stage.intake.isRetrying {
            stage.intake.proceed(at: stage.moment)
            rounds += 1
        }
        #expect(rounds == 1)
    }
}
