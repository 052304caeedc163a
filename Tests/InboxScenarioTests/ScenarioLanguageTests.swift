import InboxTestSupport
import Testing

@Suite("The language of the scenarios")
struct ScenarioLanguageTests {
    @Test("Every scenario starts with the sentence that it shows, and every line can be read")
    func shelf() throws {
        #expect(Scenario.all.count >= 140)
        #expect(Scenario.all.allSatisfy { $0.path.parent.parent == Scenario.folder }, "a scenario without a theme")
        for scenario in Scenario.all {
            #expect(scenario.sentence.hasSuffix("."), "\(scenario.name) has no sentence in its first line")
            for line in scenario.lines {
                #expect(throws: Never.self, "\(scenario.name)") { try line.get() }
            }
        }
        #expect(Set(Scenario.all.map(\.sentence)).count == Scenario.all.count, "two scenarios show the same")
    }

    @Test("Words may hold any byte")
    func words() throws {
        let line = try #require(try ScenarioLine(number: 1, text: #"  drop caf\xE9.pdf "a b\n\\" \*3(a\x62).x ""  "#))
        #expect(line.verb == "drop")
        let expected: [TestPath] = [
            TestPath([0x63, 0x61, 0x66, 0xE9] + Array(".pdf".utf8)), TestPath("a b\n\\"), "ababab.x", "",
        ]
        #expect(line.arguments == expected)
        #expect(try ScenarioLine(number: 1, text: #"# a comment with "half a quote and \q"#) == nil)
        #expect(try ScenarioLine(number: 1, text: "") == nil)
    }

    @Test("Words that cannot be read are refused", arguments: [#"a "b"#, #"a \xZ1"#, #"a \x1"#, #"a \*(b)"#, #"a \q"#])
    func refused(_ text: String) {
        #expect(throws: Failure.self) { try ScenarioLine(number: 1, text: text) }
    }

    @Test("What is shown escaped reads back as the same bytes")
    func escapes() throws {
        let bytes = (1...255).map { UInt8($0) }
        var words = ScenarioWords("\"" + escaped(bytes).replacing("\"", with: "\\\"") + "\"")
        #expect(try words.next() == TestPath(bytes))
    }

    @Test("A path in JSON gives its bytes back")
    func pathsInJSON() {
        #expect(pathBytes(fromJSON: #"/a/caf\xe9\\x41"#) == Array("/a/caf".utf8) + [0xE9] + Array(#"\x41"#.utf8))
    }

    @Test("A scenario stays on a thread of its own, whatever it waits for")
    func ownThread() async throws {
        try await Gate.daemons.pass {
            let thread = OwnThread.current
            var looks = 0
            try await eventually(every: .milliseconds(1)) {
                await Task.yield()
                guard OwnThread.current == thread else { throw Failure("moved to another thread") }
                looks += 1
                return looks < 300 ? "looked \(looks) times" : nil
            }
        }
    }

    /// Scenarios that have to fail, played without a daemon: a test that cannot fail shows nothing.
    @Test(
        "A scenario whose line does not come true fails at that line",
        arguments: [
            "file outside/a \"x\"\nexpect-absent outside/b\nexpect outside/a \"y\"",
            "touch outside/a\nmkdir outside/b\nexpect-only outside: a",
            "mkdir outside/a\nmkdir outside/b\nfly outside/c",
            "touch Inbox/a\nexpect Inbox/a\nexpect-inbox-empty",
            "mark\nsleep 1ms\nelapsed-at-least 3600s",
            "touch outside/a\ntouch outside/b\nmv outside/c outside/d",
        ])
    func failures(_ text: String) async throws {
        let stage = try Stage()
        defer { stage.close() }
        let scenario = Scenario(path: "none", text: text)
        let runner = ScenarioRunner(stage: stage)
        // Conditions that never come true must not cost the usual deadline here.
        let failure = await #expect(throws: ScenarioRunner.LineFailure.self) {
            try await Deadline.$short.withValue(true) { try await runner.play(scenario) }
        }
        #expect(failure?.line.number == 3)
    }
}
