import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// One user has as many folders in an Inbox as are walked; those of others are walked all the same.
@Suite("Shares of folders", .enabled(if: geteuid() == 0, "only root gives folders away"))
struct FolderSharesTests {
    private static let other: uid_t = 12_345
    private static let most = 64

    private static func make(
        _ name: String, _ owner: uid_t = 0, _ document: String? = nil, on stage: IntakeStage
    ) throws {
        stage.folder.makeFolder("inbox/" + name)
        if let document { try stage.folder.write("inbox/\(name)/\(document)", "content") }
        try #require(chown(stage.folder.path + "/inbox/" + name, owner, owner) == 0)
        stage.event(.created.union(.isFolder), name)
        stage.settle()
    }

    /// A stage with as many folders as are walked: the Inbox itself, one with a document, others that are empty.
    private static func full() throws -> IntakeStage {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.intake.parts.tree.mostFolders = most
        try make("document", 0, "a", on: stage)
        for number in 0..<(most - 2) { try make("empty \(number)", on: stage) }
        #expect(stage.intake.parts.tree.isFull && stage.intake.parts.tree.keys.count == most)
        return stage
    }

    @Test("Another user's folder takes the place of an empty one of the largest owner's, and is read")
    func another() throws {
        let stage = try Self.full()
        try Self.make("mine", Self.other, "letter", on: stage)
        #expect(stage.id("letter", in: "mine") != nil)
        #expect(stage.id("a", in: "document") != nil)
        #expect(stage.intake.parts.tree.keys.count == Self.most && stage.intake.isConsistent)
    }

    @Test("A further folder of the largest owner's takes nobody's place")
    func own() throws {
        let stage = try Self.full()
        try Self.make("mine", Self.other, "letter", on: stage)
        try Self.make("more", 0, "b", on: stage)
        #expect(stage.walked("more") == nil && stage.walked("mine") != nil)
    }

    @Test("What made room is walked again when there is room, with each document counted once")
    func again() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.intake.parts.tree.mostFolders = Self.most
        // None is empty.
        for number in 0..<(Self.most - 1) { try Self.make("full \(number)", 0, "a", on: stage) }
        for number in 0..<20 { try Self.make("mine \(number)", Self.other, "letter", on: stage) }
        #expect((0..<20).allSatisfy { stage.id("letter", in: "mine \($0)") != nil })
        let walked = (0..<(Self.most - 1)).filter { stage.walked("full \($0)") != nil }
        #expect(walked.count == Self.most - 1 - 20)
        #expect(stage.intake.accounting.seen == Self.most - 1 && stage.intake.isConsistent)
        for number in 0..<20 {
            stage.rename("inbox/mine \(number)", "outside/\(number)")
            stage.event(.movedFrom.union(.isFolder), "mine \(number)")
        }
        for _ in 0..<4 { stage.advance(.seconds(1)) }
        #expect((0..<(Self.most - 1)).allSatisfy { stage.id("a", in: "full \($0)") != nil })
        let sums = stage.intake.accounting
        #expect(sums.seen == Self.most - 1 + 20 && sums.withdrawn == 20 && stage.intake.isConsistent)
    }
}
