import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

/// What a follower receives until it has everything, in short words.
private func reported(_ follower: EventFollower) -> [String] {
    var words: [String] = []
    while let message = follower.next() {
        switch message {
        case .following(let number): words.append("after \(number)")
        case .gap(let number, let lost, _): words.append("lost \(lost.map(String.init) ?? "?") up to \(number)")
        case .event(let event): words.append("\(event.number) \(word(event))")
        }
    }
    return words
}

private func word(_ event: Event) -> String {
    let name = event.path.map { EscapedBytes.text($0.lastComponent) + " " } ?? ""
    return switch event.kind {
    case .duplicate: "\(name)duplicate"
    case .arrived(_, let size, _): "\(name)arrived \(size)"
    case .waiting(let reason, _): "\(name)\(reason.rawValue)"
    case .held(let reason, _): "\(name)held \(reason.rawValue)"
    case .ignored: "\(name)ignored"
    case .renamed(let former): "\(name)was \(EscapedBytes.text(former.lastComponent))"
    case .withdrawn: "\(name)withdrawn"
    case .copying(let done, let size): "\(name)copied \(done) of \(size)"
    case .filed(let record): "\(name)filed as \(record.destination)"
    case .problem(let problem): "problem \(problem.text)"
    case .problemOver(let problem): "over \(problem.text)"
    case .paused: "paused"
    case .resumed: "resumed"
    case .content: "content"
    case .handler(let news): "\(name)handler \(news.outcome.rawValue)"
    }
}

@Suite("The ring of events")
struct EventRingTests {
    private func ring(_ limit: Int, _ count: Int, text: String = "") -> EventRing {
        let ring = EventRing(limit: limit)
        for number in 0..<count { ring.record(.problem(Problem("\(number + 1)\(text)"))) }
        return ring
    }

    @Test("A follower receives what happens from now on, in order and once")
    func following() throws {
        let ring = ring(8, 3)
        let follower = try EventFollower(ring)
        #expect(reported(follower) == ["after 3"])
        ring.record(.problem(Problem("a")))
        ring.record(.problemOver(Problem("a")))
        #expect(reported(follower) == ["4 problem a", "5 over a"])
        #expect(reported(follower) == [])
    }

    @Test(
        "A follower that returns receives what came after, and how much of it is lost",
        arguments: [
            (0, ["after 0", "lost 2 up to 2", "3 problem 3", "4 problem 4", "5 problem 5"]),
            (1, ["after 1", "lost 1 up to 2", "3 problem 3", "4 problem 4", "5 problem 5"]),
            (2, ["after 2", "3 problem 3", "4 problem 4", "5 problem 5"]), (4, ["after 4", "5 problem 5"]),
            (5, ["after 5"]),
        ])
    func since(number: Int, expected: [String]) throws {
        let ring = ring(3, 5)
        #expect(reported(try EventFollower(ring, since: number)) == expected)
        #expect(reported(try EventFollower(ring, since: number, boot: ring.boot)) == expected)
    }

    @Test("A follower that returns to another start of the daemon learns it, and gets all that is kept of this one")
    func otherBoot() throws {
        let ring = ring(8, 2)
        let all = ["after 0", "lost ? up to 0", "1 problem 1", "2 problem 2"]
        #expect(reported(try EventFollower(ring, since: 1, boot: "another")) == all)
        #expect(reported(try EventFollower(ring, since: 700, boot: "another")) == all)
        // Without an identifier a number that lies ahead can only be another start's.
        #expect(reported(try EventFollower(ring, since: 3)) == all)
        #expect(throws: EventFollower.Ahead.self) { _ = try EventFollower(ring, since: 3, boot: ring.boot) }
        #expect(throws: EventFollower.Ahead.self) { _ = try EventFollower(ring, since: -1) }
        #expect(throws: EventFollower.Ahead.self) { _ = try EventFollower(ring, since: .min, boot: ring.boot) }
        #expect(reported(try EventFollower(ring, since: .max)) == all)
    }

    @Test("No two starts have the same identifier")
    func boots() {
        let boots = Set((0..<100).map { _ in EventRing(limit: 1).boot })
        #expect(boots.count == 100)
        #expect(boots.allSatisfy { $0.utf8.count == 32 })
    }

    @Test("A follower that takes nothing loses the oldest, learns how many, and goes on", arguments: 1..<6)
    func slow(limit: Int) throws {
        let ring = ring(limit, 1)
        let (slow, quick) = (try EventFollower(ring), try EventFollower(ring))
        #expect(reported(slow) == ["after 1"])
        _ = reported(quick)
        for number in 2...20 {
            ring.record(.problem(Problem("\(number)")))
            #expect(reported(quick) == ["\(number) problem \(number)"])
        }
        let kept = (21 - limit...20).map { "\($0) problem \($0)" }
        #expect(reported(slow) == ["lost \(19 - limit) up to \(20 - limit)"] + kept)
    }

    @Test("The ring keeps no more than it may, of events and of their text")
    func bounds() throws {
        let ring = ring(4, 100)
        #expect(ring.oldest == 97 && ring.last == 100 && ring[96] == nil && ring[101] == nil && ring[0] == nil)
        let long = String(repeating: "x", count: 3_000)
        for _ in 0..<9 { ring.record(.problem(Problem(long))) }
        #expect(ring.last == 109 && ring.oldest == 109, "two such texts are more than 4 KiB")
        for _ in 0..<9 { ring.record(.problem(Problem(""))) }
        #expect(ring.last - ring.oldest == 3, "they make room again")
    }

    @Test("Followers are counted as long as they are there")
    func followers() throws {
        let ring = ring(3, 0)
        var follower: EventFollower? = try EventFollower(ring)
        #expect(ring.followers == 1)
        #expect(throws: EventFollower.Ahead.self) { _ = try EventFollower(ring, since: -1) }
        #expect(ring.followers == 1)
        _ = follower?.next()
        follower = nil
        #expect(ring.followers == 0)
    }
}

@Suite("The events of an Inbox")
struct IntakeEventTests {
    @Test("An arrival's events show its way, under one number and its name at the time")
    func way() throws {
        let stage = try IntakeStage()
        let follower = try EventFollower(stage.intake.events, since: 0)
        try stage.drop("a", "four")
        try stage.drop("empty", "")
        stage.folder.makeLink("inbox/link", to: "nowhere")
        stage.event(.created, "link")
        try stage.drop("x.part", "1")
        #expect(
            reported(follower) == [
                "after 0", "1 a arrived 4", "2 empty arrived 0", "3 link arrived 7", "4 link held symlink",
                "5 x.part arrived 1", "6 x.part ignored",
            ])
        stage.rename("inbox/link", "inbox/file.lnk")
        stage.event(.movedFrom, "link")
        stage.event(.movedTo, "file.lnk")
        #expect(reported(follower) == ["7 file.lnk was link", "8 file.lnk settling", "9 file.lnk held symlink"])
        #expect(stage.intake.events[3]?.arrival == stage.intake.events[9]?.arrival)
        #expect(stage.intake.events[3]?.arrival != stage.intake.events[1]?.arrival)
        try stage.folder.open().folder(aName("inbox")).removeFile(aName("a"))
        stage.event(.deleted, "a")
        #expect(reported(follower) == ["10 a withdrawn"])
    }

    @Test("What has changed nothing makes no event")
    func silence() throws {
        let stage = try IntakeStage()
        try stage.drop("a", "four")
        stage.folder.makeLink("inbox/link", to: "nowhere")
        stage.event(.created, "link")
        let last = stage.intake.events.last
        for _ in 0..<5 {
            stage.event(.closedAfterWriting, "a")
            stage.intake.requestFullScan(at: stage.moment)
            stage.advance(.milliseconds(100))
        }
        #expect(stage.intake.events.last == last)
    }

    @Test("A problem is reported when it begins and when it ends")
    func problems() throws {
        let stage = try IntakeStage()
        let follower = try EventFollower(stage.intake.events)
        _ = follower.next()
        stage.rename("inbox", "elsewhere")
        stage.advance(.seconds(400))
        let begun = reported(follower)
        #expect(begun.count == 1 && begun.first?.contains("is missing") == true, "\(begun)")
        stage.rename("elsewhere", "inbox")
        stage.advance(.seconds(5))
        let ended = reported(follower)
        #expect(ended.contains { $0.contains("over") }, "\(ended)")
    }

    @Test("How far a copy has come is reported once a second, if it has come further, and only to followers")
    func progress() throws {
        let stage = try IntakeStage()
        try stage.drop("big", "12345678", .movedTo)
        let id = try #require(stage.id("big"))
        #expect(stage.ready(most: 1) == [id])
        stage.intake.resolve(id, .across, at: stage.moment)
        #expect(stage.intake.takeForCopy(large: false, at: stage.moment)?.id == id)
        let progress = CopyProgress(total: 8)
        stage.intake.beginCopy(id, done: { progress.done }, at: stage.moment)
        #expect(stage.intake.progress.nextDeadline == .never, "nobody follows")
        progress.done = 2
        stage.advance(.seconds(3))

        let follower = try EventFollower(stage.intake.events, since: 0)
        #expect(reported(follower) == ["after 0", "1 big arrived 8", "2 big copying", "3 big copied 0 of 8"])
        stage.advance(.milliseconds(10))
        #expect(reported(follower) == ["4 big copied 2 of 8"], "a follower that comes later knows at once")
        progress.done = 5
        stage.advance(.milliseconds(900))
        #expect(reported(follower) == [])
        #expect(stage.intake.progress.nextDeadline == stage.moment.now + .milliseconds(100))
        stage.advance(.milliseconds(100))
        #expect(reported(follower) == ["5 big copied 5 of 8"])
        stage.advance(.seconds(2))
        #expect(reported(follower) == [], "it has not come further")
        stage.intake.resolve(id, .writer, at: stage.moment)
        #expect(reported(follower) == ["6 big writing"])
        #expect(stage.intake.progress.nextDeadline == .never, "none is under way")
    }
}
