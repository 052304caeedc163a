import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

/// Inboxes whose disks come and go. The disk is in /dev/shm, and a link to it plays the mount.
@Suite("Disks that come and go", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct PlaceTests {
    private final class Stage {
        let home: TemporaryFolder
        let disk: String
        let intake: Intake
        var moment = Moment.current()

        init() throws {
            home = try TemporaryFolder()
            disk = try TestRun.current.makeFolder(in: "/dev/shm").description
            // In a person's own home an Inbox may be a link.
            intake = Intake(
                inotify: nil, roots: Roots(home: BytePath(home.path)), isPackage: { _ in false }
            ) { _ in }
            symlink(disk, path)
            adopt()
        }

        deinit {
            unlink("\(disk)/a.txt")
            rmdir(disk)
            unlink(path)
            unlink("\(path)/b.txt")
            rmdir(path)
        }

        /// Where the Inbox is.
        var path: String { "\(home.path)/inbox" }

        /// Puts the configuration in force, as at the start and at SIGHUP.
        func adopt() {
            var settings = InboxSettings()
            settings.rescan = .seconds(1)
            intake.adopt([IntakeStage.configured(BytePath(path), settings)], at: moment)
            proceed()
        }

        /// Accepts what is there, as a retry.
        func accept() {
            for inbox in intake.inboxes { intake.accept(inbox, at: moment) }
            proceed()
        }

        func proceed() {
            for _ in 0..<4 {
                repeat { intake.proceed(at: moment) } while intake.isReading && !intake.hasReady
                intake.rest()
            }
        }

        /// As long as a missing Inbox is waited for, and longer.
        func wait() {
            for _ in 0..<4 {
                moment = Moment(now: moment.now + .seconds(2), wall: moment.wall(at: moment.now + .seconds(2)))
                proceed()
            }
        }

        var watching: Inbox.Watching? { intake.inboxes.first?.watching }

        var names: [String] { intake.arrivals().map { EscapedBytes.text($0.path.lastComponent) } }
    }

    @Test("What is on a bare mount point is left alone, and the disk is taken up by itself when it is back")
    func bareMountPoint() throws {
        let stage = try Stage()
        try stage.home.write("inbox/a.txt", "a")
        stage.wait()
        #expect(stage.names == ["a.txt"])
        unlink(stage.path)
        mkdir(stage.path, 0o755)
        try stage.home.write("inbox/b.txt", "b")
        stage.wait()
        #expect(stage.watching == .missing)
        #expect(stage.names.isEmpty)
        #expect(
            stage.intake.problems.all.contains { $0.contains("another filesystem") }, "\(stage.intake.problems.all)")
        unlink("\(stage.path)/b.txt")
        rmdir(stage.path)
        symlink(stage.disk, stage.path)
        stage.wait()
        #expect(stage.names == ["a.txt"])
        #expect(stage.intake.problems.isEmpty)
    }

    @Test("An Inbox that was on a disk of its own is not made on what the disk was mounted on")
    func notMade() throws {
        let stage = try Stage()
        unlink(stage.path)
        stage.wait()
        var reported = stat()
        #expect(lstat(stage.path, &reported) != 0, "it was made")
        #expect(
            stage.intake.problems.all.contains { $0.contains("another filesystem") }, "\(stage.intake.problems.all)")
        symlink(stage.disk, stage.path)
        stage.wait()
        #expect(stage.watching == .inotify)
        #expect(stage.intake.problems.isEmpty)
    }

    @Test("A retry accepts the filesystem that is there, and a reload does not", arguments: [true, false])
    func accepted(_ stands: Bool) throws {
        let stage = try Stage()
        unlink(stage.path)
        if stands { mkdir(stage.path, 0o755) }
        stage.wait()
        stage.adopt()
        stage.wait()
        #expect(stage.watching == .missing)
        stage.accept()
        stage.wait()
        #expect(stage.watching == .inotify)
        #expect(stage.intake.problems.isEmpty)
    }

    @Test("Another folder of the same filesystem is taken up, and a missing one is made there")
    func sameFilesystem() throws {
        let stage = try Stage()
        unlink(stage.path)
        mkdir(stage.path, 0o755)
        stage.wait()
        stage.accept()
        rmdir(stage.path)
        stage.wait()
        #expect(stage.watching == .inotify)
        stage.home.makeFolder("other")
        try stage.home.write("other/b.txt", "b")
        rmdir(stage.path)
        #expect(rename("\(stage.home.path)/other", stage.path) == 0)
        stage.wait()
        #expect(stage.names == ["b.txt"])
    }
}
