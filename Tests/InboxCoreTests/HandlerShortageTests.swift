import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

#if DEBUG
    /// Handlers that cannot begin because something is short.
    @Suite("Handlers while something is short")
    struct HandlerShortageTests {
        @Test("While the state folder is full one document is tried now and then, without a line for each")
        func fullDisk() async {
            await #expect(processExitsWith: .success) {
                let stage = try HandlerPlaceTests.Stage()
                let ids = try (1...5).map { try stage.file("\($0)") }
                FaultPlan.arm(FaultPlan(at: .every, action: .fail(.noSpace), only: .write, part: "/journal"))
                try stage.proceed { stage.handlers.isIdle }
                for _ in 1...3 {
                    stage.pass(.seconds(11))
                    try stage.proceed { stage.handlers.isIdle }
                }
                #expect(FaultPlan.disarm() == 4, "more than one is tried at a time")
                #expect(stage.notices.count == 1, "\(stage.notices)")
                #expect(stage.notices.first?.contains("cannot write the state folder") == true)
                for id in ids {
                    let words = stage.handlers.progress(of: id, "P", at: .now())
                    #expect(words?.contains("cannot write the state folder") == true, "\(words ?? "nil")")
                }
                #expect(try stage.outcomes().isEmpty && stage.handlers.isPending)
                stage.pass(.seconds(11))
                try stage.proceed { !stage.handlers.isPending }
                #expect(try stage.outcomes() == (1...5).map { "\($0) done" })
            }
        }
    }
#endif
