import InboxTestSupport

/// Plays one scenario on a stage of its own.
final class ScenarioRunner {
    /// A line that failed.
    struct LineFailure: Error {
        let line: ScenarioLine
        let reason: String
    }

    let stage: Stage
    /// Descriptors that `open` holds open for writing.
    var held: [TestPath: Int32] = [:]
    var mark = ContinuousClock().now
    /// The story's folder on another filesystem, where it needs one.
    var other: OtherFilesystem?

    init(stage: Stage) {
        self.stage = stage
    }

    func play(_ scenario: Scenario) async throws {
        defer { closeAll() }
        for line in scenario.lines {
            let line = try line.get()
            do {
                try await perform(line)
            } catch {
                throw LineFailure(line: line, reason: String(describing: error))
            }
        }
    }

    private func perform(_ line: ScenarioLine) async throws {
        let arguments = try line.arguments.map(substituted)
        if try touchDisk(line.verb, arguments) { return }
        if try await runPrograms(line.verb, arguments) { return }
        if try await expectOnDisk(line.verb, arguments) { return }
        if try await expectOfDaemon(line.verb, arguments) { return }
        throw Failure("an unknown command")
    }

    /// Puts the scenario's folder for `$DIR`, the daemon's number for `$PID`, the checkout for `$PACKAGE` and the id of the
    /// last document that was filed or rejected for `$ID`.
    private func substituted(_ word: TestPath) throws -> TestPath {
        var bytes = word.bytes
        var values = [
            "$DIR": stage.root.bytes, "$PID": Array("\(stage.daemon?.processID ?? 0)".utf8),
            "$PACKAGE": BuiltPrograms.packageRoot.bytes, "$OTHER": other?.path.bytes ?? Array("/nowhere".utf8),
        ]
        if bytes.firstRange(of: Array("$ID".utf8)) != nil {
            let last = try stage.history().last { ["filed", "rejected"].contains($0["event"]?.string) }
            values["$ID"] = Array((last?["id"]?.string ?? "nothing").utf8)
        }
        for (name, value) in values {
            while let range = bytes.firstRange(of: Array(name.utf8)) { bytes.replaceSubrange(range, with: value) }
        }
        return TestPath(bytes)
    }

    /// A path of the story; `Inbox` alone at its start is short for `Documents/Inbox`.
    func path(_ word: TestPath) -> TestPath {
        if word.bytes.first == UInt8(ascii: "/") { return word }
        let isInbox = word.components.first == "Inbox"
        return (isInbox ? stage.documents : stage.root) / word
    }

    func inInbox(_ name: TestPath) -> TestPath { stage.inbox / name }

    /// Takes exactly so many arguments.
    func take(_ count: Int, _ arguments: [TestPath]) throws -> [TestPath] {
        guard arguments.count == count else { throw Failure("needs \(count) words, not \(arguments.count)") }
        return arguments
    }

    func number(_ word: TestPath) throws -> Int {
        guard let number = Int(word.description) else { throw Failure("not a number: \(word)") }
        return number
    }

    /// `250ms`, `3s`.
    func duration(_ word: TestPath) throws -> Duration {
        let text = word.description
        if text.hasSuffix("ms"), let count = Int(text.dropLast(2)) { return .milliseconds(count) }
        if text.hasSuffix("s"), let count = Int(text.dropLast()) { return .seconds(count) }
        throw Failure("not a time such as 250ms or 3s: \(word)")
    }

    /// `key=value` words.
    func pairs(_ words: [TestPath]) throws -> [(key: String, value: TestPath)] {
        try words.map { word in
            guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")) else {
                throw Failure("not key=value: \(word)")
            }
            return (
                String(decoding: word.bytes[..<equals], as: UTF8.self), TestPath(word.bytes[(equals + 1)...])
            )
        }
    }
}
