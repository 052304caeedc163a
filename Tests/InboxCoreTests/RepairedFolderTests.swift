import Glibc
import InboxFiling
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

/// Whoever gives the daemon the rights that it lacked sees the document go at once, and not when its back-off has ended.
@Suite("What failed is tried again when the owner or the mode of its folder changes")
struct RepairedFolderTests {
    /// How a try ends that a missing right has made fail.
    private static let failures: [FilingOutcome] = [
        .hold(.permission, "its folder may not be changed"), .retry("it may not be searched"),
    ]

    /// A stage with a document in two folders, whose last try has failed in this way after many others.
    private static func stage(_ failure: FilingOutcome) throws -> IntakeStage {
        let stage = try IntakeStage { $0.settle = .zero }
        for name in ["f", "f/g", "other"] { stage.folder.makeFolder("inbox/" + name) }
        try stage.folder.write("inbox/f/g/a", "1")
        stage.intake.requestFullScan(at: stage.moment)
        stage.settle()
        stage.advance(.seconds(2))
        try fail(failure, on: stage)
        return stage
    }

    private static func fail(_ failure: FilingOutcome, on stage: IntakeStage) throws {
        let id = try #require(stage.ready(most: 1).first)
        stage.intake.parts.book.update(id) { $0.failures = 20 }
        stage.intake.resolve(id, failure, at: stage.moment)
        try #require(!stage.intake.hasReady)
    }

    private static func change(_ name: String, in path: String, _ stage: IntakeStage) {
        stage.event([.attributes, .isFolder], name, in: path)
        stage.settle()
    }

    /// A change of a folder, as the folder around it or it itself reports it.
    @Test(
        "So it is when that of its own folder, of one around that or of the Inbox does",
        arguments: [("g", "f"), ("", "f/g"), ("f", ""), ("", "f"), ("", "")], failures.indices)
    func around(_ event: (name: String, path: String), _ failure: Int) throws {
        let stage = try Self.stage(Self.failures[failure])
        Self.change(event.name, in: event.path, stage)
        #expect(stage.intake.hasReady)
        // Not for good, where that was not the reason.
        try Self.fail(Self.failures[failure], on: stage)
        Self.change(event.name, in: event.path, stage)
        #expect(stage.intake.hasReady)
    }

    @Test("So it is where its folder was moved meanwhile")
    func moved() throws {
        let stage = try Self.stage(Self.failures[0])
        stage.rename("inbox/f/g", "inbox/other/g")
        stage.event([.movedFrom, .isFolder], "g", in: "f", cookie: 1)
        stage.event([.movedTo, .isFolder], "g", in: "other", cookie: 1)
        stage.settle()
        try #require(stage.id("a", in: "other/g") != nil && !stage.intake.hasReady)
        Self.change("other", in: "", stage)
        #expect(stage.intake.hasReady)
    }

    @Test("A change of a folder in which nothing has failed since the last one reads nothing")
    func quiet() throws {
        let stage = try Self.stage(Self.failures[1])
        let scanner = stage.intake.parts.scanner
        let before = scanner.enqueuedCount
        for _ in 0..<10 { Self.change("other", in: "", stage) }
        #expect(scanner.enqueuedCount == before && !stage.intake.hasReady)
        for _ in 0..<10 { Self.change("", in: "", stage) }
        // The Inbox, and the two folders in which something has failed.
        #expect(scanner.enqueuedCount == before + 3 && stage.intake.hasReady)
    }

    @Test("A document, and a package, that waits for its next try goes once its own mode has changed")
    func itself() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.folder.makeFolder("inbox/p.rtfd")
        for name in ["a", "p.rtfd/inner"] { try stage.folder.write("inbox/" + name, "1") }
        stage.intake.requestFullScan(at: stage.moment)
        stage.settle()
        stage.advance(.seconds(6))
        for _ in 0..<2 {
            let id = try #require(stage.ready(most: 1).first)
            stage.intake.parts.book.update(id) { $0.failures = 20 }
            stage.intake.resolve(id, Self.failures[1], at: stage.moment)
        }
        try #require(!stage.intake.hasReady)
        for (name, mask) in [("a", InotifyMask.attributes), ("p.rtfd", [.attributes, .isFolder])] {
            #expect(chmod(stage.folder.path + "/inbox/" + name, 0o700) == 0)
            stage.event(mask, name)
        }
        stage.advance(.seconds(2))
        #expect(stage.ready(most: 9).count == 1)
        // A package has a longer quiet time.
        stage.advance(.seconds(5))
        #expect(stage.ready(most: 9).count == 1)
    }
}
