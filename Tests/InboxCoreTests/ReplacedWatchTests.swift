import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxLinux

@Suite("Watches of folders that were replaced, and such as have ended unheard")
struct ReplacedWatchTests {
    /// An intake with the kernel's own events, and a clock that the test sets.
    private final class WatchedStage {
        let folder: TemporaryFolder
        let inotify: Inotify
        let intake: Intake
        var moment = Moment.current()

        init() throws {
            folder = try TemporaryFolder()
            for made in ["home", "home/Inbox"] { folder.makeFolder(made) }
            inotify = try Inotify()
            intake = Intake(inotify: inotify, isPackage: { _ in false }, report: { _ in })
            intake.adopt([IntakeStage.configured(folder.bytePath("home/Inbox"))], at: moment)
            for _ in 0..<4 { try turn() }
        }

        /// Takes the events that wait, and does what is due after a while; the number of events.
        @discardableResult
        func turn(after duration: Duration = .zero) throws -> Int {
            moment = Moment(now: moment.now + duration, wall: moment.wall(at: moment.now + duration))
            var count = 0
            while try inotify.read({ event in
                count += 1
                intake.note(event, at: moment)
            }) {}
            repeat { intake.proceed(at: moment) } while intake.isReading
            intake.rest()
            return count
        }

        var names: [String] { intake.arrivals().map { $0.name.description } }
    }

    @Test("What happens in a folder that was moved away from around an Inbox is no news any more")
    func around() throws {
        let stage = try WatchedStage()
        for number in 0..<3 { try stage.folder.write("home/\(number)") }
        #expect(rename(stage.folder.path + "/home", stage.folder.path + "/old") == 0)
        for made in ["home", "home/Inbox"] { stage.folder.makeFolder(made) }
        for _ in 0..<6 { try stage.turn(after: .seconds(2)) }
        #expect(stage.intake.inboxes.first?.coverage.aroundWatch != nil)
        let rescans = stage.intake.accounting.rescans
        for number in 0..<3 { unlink(stage.folder.path + "/old/\(number)") }
        #expect(try stage.turn() == 0)
        for _ in 0..<3 { try stage.turn(after: .seconds(2)) }
        #expect(stage.intake.accounting.rescans == rescans)
        // The one that is there now is watched.
        #expect(rename(stage.folder.path + "/home/Inbox", stage.folder.path + "/home/other") == 0)
        #expect(try stage.turn() > 0)
    }

    @Test("A watch that the kernel has ended in an overflow is requested anew by the scan that follows")
    func overflow() throws {
        let stage = try WatchedStage()
        for name in ["lost", "kept"] { stage.folder.makeFolder("home/Inbox/" + name) }
        try stage.turn()
        let top = try #require(stage.intake.inboxes.first?.top)
        let lost = try #require(top.folders[aName("lost")]?.position.watch)
        let kept = try #require(top.folders[aName("kept")]?.position.watch)
        stage.inotify.unwatch(lost)
        var unheard: [InotifyMask] = []
        while try stage.inotify.read({ unheard.append($0.mask) }) {}
        #expect(unheard == [.ignored])
        stage.intake.note(InotifyEvent(watch: -1, mask: .overflow, cookie: 0, name: nil), at: stage.moment)
        for _ in 0..<3 { try stage.turn(after: .seconds(1)) }
        #expect(top.folders[aName("kept")]?.position.watch == kept)
        #expect(top.folders[aName("lost")]?.position.watch ?? lost != lost)
        #expect(stage.intake.inboxes.first?.coverage.unwatchedCount == 0)
        for name in ["lost", "kept"] { try stage.folder.write("home/Inbox/\(name)/in-\(name)") }
        try stage.turn()
        #expect(Set(stage.names) == ["in-lost", "in-kept"])
    }
}
