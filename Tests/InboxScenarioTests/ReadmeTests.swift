import Glibc
import InboxTestSupport
import Testing

/// The README is typed in: its screens are what the built programs print.
@Suite("The README")
struct ReadmeTests {
    /// One after the other in one shell, as a reader would.
    ///
    /// What a reader does by waiting is done by looking here: `cd` waits for the folder, and `sleep` until the daemon
    /// has seen everything in the Inbox with its content, and none of it is settling.
    private static let shell = """
        trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
        until_true() { until "$@"; do [ $SECONDS -lt 50 ] || exit 1; command sleep 0.02; done; }
        cd() { until_true test -d "$1"; builtin cd "$1"; }
        settled() {
            local list name
            list=$(inboxctl list --json) || return
            case $list in
            *'"settling"'* | *'"empty"'*) return 1 ;;
            *'"writing"'*) [ -e /proc/$$/fd/3 ] || return ;;
            esac
            for name in *; do
                if [ -e "$name" ] || [ -L "$name" ]; then
                    case $list in *"/$name\\""*) ;; *) return 1 ;; esac
                fi
            done
        }
        sleep() { until_true settled; }
        set -e

        """

    @Test("Every block is tried, as the comment above it claims")
    func marks() throws {
        let scripts = try [".ci/common", ".ci/systemd-trial"].map { path in
            String(decoding: try Disk.read(BuiltPrograms.packageRoot / TestPath(path)), as: UTF8.self)
        }
        let blocks = try Self.blocks()
        #expect(ReadmeBlock.untried(blocks, scripts: scripts.joined()) == [])
        #expect(ReadmeBlock.ownMarks.allSatisfy { mark in blocks.contains { $0.mark == mark } })
    }

    @Test("A block without a comment, or with one that nothing acts upon, is found")
    func marksSeen() {
        let text = """
            <!-- tried: screen -->
            ```console
            $ yes
            printed
            ```
            <!-- not tried: needs a scanner -->
            ```sh
            scan
            ```
            ```sh
            no
            ```
            <!-- tried: elsewhere -->
            ```sh
            no
            ```
            <!-- tried: machine -->
            ```sh
            by a script
            ```
            """
        let blocks = ReadmeBlock.all(in: text)
        #expect(blocks.count == 5)
        #expect(blocks[0].content == ["$ yes", "printed"] && blocks[1].excuse == "needs a scanner")
        #expect(
            ReadmeBlock.untried(blocks, scripts: "$(readme_block machine)") == [
                "README.md:10: no comment shows how it is tried", "README.md:14: nothing tries blocks marked elsewhere",
            ])
    }

    @Test("Every command on its screens prints what the screen shows")
    func screens() async throws {
        let blocks = try Self.blocks().filter { $0.mark == "screen" }
        let content = blocks.flatMap(\.content)
        #expect(content.count { $0.hasPrefix("$ ") } >= 12)
        #expect(content.count { !$0.hasPrefix("$ ") } >= 8)
        let (exit, missing, printed) = try await Self.play(content)
        #expect(exit == .status(0), "\(printed)")
        #expect(missing == [], "not printed, but:\n\(printed)")
    }

    @Test("A screen that shows what is not printed fails, and one whose command fails")
    func falseScreens() async throws {
        let shown = try await Self.play(["$ cd ~", "$ echo yes", "yes", "no"])
        #expect(shown.exit == .status(0) && shown.missing == ["no"])
        let failing = try await Self.play(["$ inboxctl nonsense"])
        #expect(failing.exit == .status(64))
    }

    @Test("Its configurations are read without a problem, and each line of theirs is in force")
    func configurations() async throws {
        let stage = try Stage()
        defer { stage.close() }
        let blocks = try Self.blocks().filter { $0.mark == "configuration" }
        #expect(blocks.count >= 2)
        for block in blocks {
            #expect(try await Self.notInForce(block.content, on: stage) == [])
        }
        #expect(try await Self.notInForce(["[Inbox]", "Setle=10s"], on: stage) == ["Setle=10s"])
    }

    @Test("Its scenario comes true")
    func scenario() async throws {
        for block in try Self.blocks() where block.mark == "scenario" {
            let stage = try Stage()
            defer { stage.close() }
            try await ScenarioRunner(stage: stage).play(Scenario(path: "README.md", text: block.text))
        }
    }

    @Test(
        "Its script for mail delivers what is attached",
        .enabled(if: access("/usr/bin/ripmime", X_OK) == 0, "ripmime is missing"))
    func mail() async throws {
        let stage = try Stage(settings: ["Inbox.Settle=0"])
        defer { stage.close() }
        let script = try #require(try Self.blocks().first { $0.mark == "mail" })
        try Disk.put(Array(script.text.utf8), at: stage.root / "script")
        try Disk.put(Array(Self.message.utf8), at: stage.root / "message")
        stage.variables = ["INBOXD_SOCKET=\(stage.socket)", "PATH=\(stage.controlProgram.parent):/usr/bin:/bin"]
        try await stage.start()
        let run = try await stage.run(
            "/bin/sh", ["-c", TestPath("sh \(stage.root)/script < \(stage.root)/message")])
        #expect(run.exit == .status(0), "\(run.errors)")
        try await stage.expectCounters(["filed": 1])
        #expect(Disk.text(stage.documents / "offer.pdf") == "%PDF-1.4\n")
    }

    @Test(
        "Its call without a client of ours prints the daemon's reply",
        .enabled(if: access("/usr/bin/socat", X_OK) == 0, "socat is missing"))
    func raw() async throws {
        let stage = try Stage()
        defer { stage.close() }
        let block = try #require(try Self.blocks().first { $0.mark == "raw" })
        try Disk.makeFolders(stage.root / "run/inboxd")
        try Disk.makeLink(stage.root / "run/inboxd/io.inboxd.Inbox", to: stage.socket)
        stage.variables = ["XDG_RUNTIME_DIR=\(stage.root)/run", "PATH=/usr/bin:/bin"]
        try await stage.start()
        let run = try await stage.run("/bin/sh", ["-c", TestPath(block.text)])
        #expect(run.exit == .status(0), "\(run.errors)")
        #expect(run.output.contains("\"documents\":\"\(stage.documents)\""), "\(run.output)")
    }

    /// A message with a text and an attachment.
    private static let message = """
        From: ada@example.com
        To: charles@example.com
        Subject: Our offer
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary="next"

        --next
        Content-Type: text/plain

        Dear Charles
        --next
        Content-Type: application/pdf; name="offer.pdf"
        Content-Disposition: attachment; filename="offer.pdf"
        Content-Transfer-Encoding: base64

        JVBERi0xLjQK
        --next--

        """

    @Test("The comparison sees a changed word, and overlooks times, identifiers and columns")
    func comparison() {
        #expect(Self.shape("  Held  2 s, next try in 1 s") == Self.shape("Held  13 s, next try now"))
        #expect(Self.shape("Held  2 s") != Self.shape("Filed  2 s"))
        #expect(
            Self.shape("2026-11-22 13:03:27  1m81nne6k4dpe317  filed  3 B")
                == Self.shape("2025-01-02 03:04:05  0abc456789abcdef  filed   3 B"))
        #expect(Self.shape("writing: bash (4711)") == Self.shape("writing: bash (12)"))
        #expect(Self.shape("writing: bash (4711)") != Self.shape("writing: cp (4711)"))
        #expect(Self.shape("2026-11-22T13:07:45.529Z held=1") == Self.shape("2027-01-01T00:00:00.000Z held=1"))
        #expect(Self.shape("2026-11-22T13:07:45.529Z held=1") != Self.shape("2026-11-22T13:07:45.529Z held=2"))
        #expect(
            Self.shape("letter-1.txt") != Self.shape("letter-2.txt") && Self.shape("Held 1") != Self.shape("Held 2"))
    }

    /// The README, and what belongs to it elsewhere.
    private static let pages = [
        "README.md", "config/examples/README.md", ".github/CONTRIBUTING.md", "Sources/inbox-bench/COSTS.md",
    ]

    private static func blocks() throws -> [ReadmeBlock] {
        try pages.flatMap { page in
            let text = try Disk.read(BuiltPrograms.packageRoot / TestPath(page))
            return ReadmeBlock.all(in: String(decoding: text, as: UTF8.self), of: page)
        }
    }

    /// Types the commands of a screen (`$ …`) into one shell.
    ///
    /// - Returns: how the last of them ended, the screen's other lines that were not printed, and what was.
    private static func play(
        _ screen: [String]
    ) async throws -> (exit: Program.Exit, missing: [String], printed: String) {
        let commands = screen.filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
        let stage = try Stage()
        defer { stage.close() }
        let (output, script) = (stage.root / "output", stage.root / "script")
        try Disk.put(Array((shell + commands.joined(separator: "\n") + "\nwait\n").utf8), at: script)
        let home = stage.root / "home"
        let bash = try Program(
            "/bin/bash", [script],
            environment: [
                "HOME=\(home)", "XDG_CONFIG_HOME=\(home)/.config", "XDG_RUNTIME_DIR=\(stage.root)/run", "LC_ALL=C",
                "PATH=\(stage.daemonProgram.parent):/usr/bin:/bin",
            ], output: output, errors: output)
        let exit = try await bash.ended()
        let printed = Disk.text(output)
        let lines = Set(printed.split(separator: "\n").map { shape(replacing("\(home)", by: "/home/ada", in: $0)) })
        let missing = screen.filter { !$0.isEmpty && !$0.hasPrefix("$ ") && !lines.contains(shape($0)) }
        return (exit, missing, printed)
    }

    /// The lines of a configuration that are not in what `inboxd --print-config` prints for it.
    private static func notInForce(_ configuration: [String], on stage: Stage) async throws -> [String] {
        let file = stage.root / "configuration"
        try Disk.put(Array(configuration.map { $0 + "\n" }.joined().utf8), at: file)
        try await stage.runDaemonAlone(["--config", file, "--print-config"])
        let printed = Set((stage.lastRun?.output ?? "").split(separator: "\n").map(String.init))
        return configuration.filter { $0.contains("=") && !$0.hasPrefix("#") && !printed.contains($0) }
    }

    private static func replacing(_ part: String, by other: String, in line: Substring) -> String {
        var line = line
        var result = ""
        while let range = line.firstRange(of: part) {
            result += line[..<range.lowerBound] + other
            line = line[range.upperBound...]
        }
        return result + line
    }

    /// A line without what differs from run to run: seconds, moments, identifiers of records, the process, whether a next
    /// try is at hand, columns.
    private static func shape(_ line: some StringProtocol) -> String {
        let words: [String] = line.split { $0 == " " }.map { String($0) }
        let shaped = words.indices.map { index in
            let isSeconds = index + 1 < words.count && ["s", "s,", "s:", "s)"].contains(words[index + 1])
            let isProcess = index > 0 && words[index - 1] == "(process"
            if isProcess || isSeconds && words[index].allSatisfy(\.isNumber) { return "0" }
            if isProcessNumber(words[index]) { return "(0)" }
            return isMomentOrIdentifier(words[index]) ? "…" : words[index]
        }
        return replacing("in 0 s", by: "now", in: shaped.joined(separator: " ")[...])
    }

    /// The number of a process after its name: `bash (4711)`.
    private static func isProcessNumber(_ word: String) -> Bool {
        word.hasPrefix("(") && word.hasSuffix(")") && word.count > 2
            && word.dropFirst().dropLast().allSatisfy(\.isNumber)
    }

    /// A date, a time of day, both as RFC 3339, or the 16 letters and digits of a record's identifier.
    private static func isMomentOrIdentifier(_ word: String) -> Bool {
        func isOf(_ form: String) -> Bool {
            word.count == form.count && zip(word, form).allSatisfy { $1 == "0" ? $0.isNumber : $0 == $1 }
        }
        let isIdentifier =
            word.count == 16 && word.contains(where: \.isNumber)
            && word.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLowercase) }
        return isIdentifier || isOf("0000-00-00") || isOf("00:00:00") || isOf("0000-00-00T00:00:00.000Z")
    }
}
