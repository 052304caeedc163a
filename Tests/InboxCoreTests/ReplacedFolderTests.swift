import CInboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

#if DEBUG
    @Suite("A folder that is away only while a document in it is inspected")
    struct ReplacedFolderTests {
        /// A stage with a document in a folder, none of which is open.
        private static func stage() throws -> IntakeStage {
            let stage = try IntakeStage()
            stage.folder.makeFolder("inbox/d")
            stage.event([.created, .isFolder], "d")
            stage.settle()
            try stage.folder.write("inbox/d/a", "1")
            stage.event(.created, "a", in: "d")
            stage.intake.rest()
            return stage
        }

        /// Does this while one of the folders that lead to the document seems to be away for one call.
        private static func away(_ nth: Int, _ body: () -> Void) {
            FaultPlan.arm(
                FaultPlan(nth: nth, action: .fail(.noEntry), only: .openat2, thread: inbox_thread_id()))
            body()
            FaultPlan.disarm()
        }

        private static func awaitReady(_ stage: IntakeStage) throws {
            for _ in 0..<3 { stage.advance(.seconds(1)) }
            guard stage.intake.hasReady else { throw Failure("it is not inspected again: \(stage.arrivals)") }
        }

        @Test("The document is inspected again when its time had come", arguments: 1...3)
        func due(_ nth: Int) async {
            await #expect(processExitsWith: .success) { [nth] in
                let stage = try Self.stage()
                Self.away(nth) { stage.advance(.seconds(2)) }
                try Self.awaitReady(stage)
            }
        }

        @Test("The document is inspected again when a try to file it had found a change", arguments: 1...3)
        func changed(_ nth: Int) async {
            await #expect(processExitsWith: .success) { [nth] in
                let stage = try Self.stage()
                stage.advance(.seconds(4))
                guard let id = stage.ready(most: 1).first else { throw Failure("it is not ready") }
                Self.away(nth) { stage.intake.resolve(id, .changed, at: stage.moment) }
                try Self.awaitReady(stage)
            }
        }
    }
#endif
