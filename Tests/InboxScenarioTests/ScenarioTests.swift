import Glibc
import InboxTestSupport
import Testing

@Suite("Scenarios")
struct ScenarioTests {
    @Test(
        "Each scenario comes true", arguments: Scenario.all.filter { !$0.needsUnprivileged && !$0.needsOtherFilesystem }
    )
    func plays(_ scenario: Scenario) async throws {
        try await Gate.daemons.pass { try await play(scenario) }
    }

    @Test(
        "Each scenario that needs a user without rights comes true",
        .disabled(if: geteuid() == 0, "root may read and write everywhere; run as another user to see these"),
        arguments: Scenario.all.filter(\.needsUnprivileged))
    func playsUnprivileged(_ scenario: Scenario) async throws {
        try await Gate.daemons.pass { try await play(scenario) }
    }

    @Test(
        "Each scenario that needs a second filesystem comes true",
        .enabled(if: OtherFilesystem.isThere, "there is no second filesystem that may be written"),
        arguments: Scenario.all.filter { $0.needsOtherFilesystem })
    func playsAcross(_ scenario: Scenario) async throws {
        try await Gate.daemons.pass { try await play(scenario) }
    }

    private func play(_ scenario: Scenario) async throws {
        let stage = try Stage()
        defer { stage.close() }
        do {
            try await ScenarioRunner(stage: stage).play(scenario)
        } catch let failure as ScenarioRunner.LineFailure {
            let words = """
                Tests/Scenarios/\(scenario.name).txt:\(failure.line.number): \(failure.line.text)
                \(failure.reason)
                \(await stage.report())
                """
            Issue.record(Comment(rawValue: words), sourceLocation: place(of: failure.line, in: scenario))
        } catch {
            Issue.record("\(scenario.name): \(error)\n\(await stage.report())")
        }
    }

    /// The line of the text file, so that an editor can jump there.
    private func place(of line: ScenarioLine, in scenario: Scenario) -> SourceLocation {
        SourceLocation(
            fileID: "Scenarios/\(scenario.name).txt", filePath: scenario.path.description, line: line.number, column: 1)
    }
}
