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
        trap 'kill $(jobs -p) 2>/dev/null' EXIT
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

        """

    @Test("Every command on its screens prints what the screen shows")
    func screens() async throws {
        let screens = Self.screens(in: try Self.readme())
        #expect(screens.commands.count >= 15)
        #expect(screens.lines.count >= 20)
        let stage = try Stage()
        defer { stage.close() }
        let (output, script) = (stage.root / "output", stage.root / "script")
        try Disk.put(Array((Self.shell + screens.commands.joined(separator: "\n") + "\nwait\n").utf8), at: script)
        let home = stage.root / "home"
        let bash = try Program(
            "/bin/bash", [script],
            environment: [
                "HOME=\(home)", "XDG_CONFIG_HOME=\(home)/.config", "XDG_RUNTIME_DIR=\(stage.root)/run", "LC_ALL=C",
                "PATH=\(stage.daemonProgram.parent):/usr/bin:/bin",
            ], output: output, errors: output)
        let exit = try await bash.ended()
        let printed = Disk.text(output)
        #expect(exit == .status(0), "\(printed)")
        let lines = Set(
            printed.split(separator: "\n").map { Self.shape(Self.replacing("\(home)", by: "/home/ada", in: $0)) })
        for line in screens.lines where !line.isEmpty {
            #expect(lines.contains(Self.shape(line)), "\"\(line)\" is not printed, but:\n\(printed)")
        }
    }

    @Test("The comparison sees a changed word, and overlooks times and columns")
    func comparison() {
        #expect(Self.shape("  Held  2 s, next try in 1 s") == Self.shape("Held  13 s, next try now"))
        #expect(Self.shape("Held  2 s") != Self.shape("Filed  2 s"))
        #expect(
            Self.shape("letter-1.txt") != Self.shape("letter-2.txt") && Self.shape("Held 1") != Self.shape("Held 2"))
        let screens = Self.screens(in: "$ no\n```sh\n$ no\n```\n```console\n$ yes\nprinted\n```\n")
        #expect(screens.commands == ["yes"] && screens.lines == ["printed"])
    }

    private static func readme() throws -> String {
        String(decoding: try Disk.read(BuiltPrograms.packageRoot / "README.md"), as: UTF8.self)
    }

    /// The commands and the printed lines of the blocks that are screens.
    private static func screens(in text: String) -> (commands: [String], lines: [String]) {
        var isScreen = false
        var result: (commands: [String], lines: [String]) = ([], [])
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isScreen = line == "```console"
            } else if isScreen, line.hasPrefix("$ ") {
                result.commands.append(String(line.dropFirst(2)))
            } else if isScreen {
                result.lines.append(String(line))
            }
        }
        return result
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

    /// A line without what differs from run to run: seconds, the process, whether a next try is at hand, columns.
    private static func shape(_ line: some StringProtocol) -> String {
        let words: [String] = line.split { $0 == " " }.map { String($0) }
        let shaped = words.indices.map { index in
            let isSeconds = index + 1 < words.count && ["s", "s,", "s:", "s)"].contains(words[index + 1])
            return words[index].allSatisfy(\.isNumber) && isSeconds || index > 0 && words[index - 1] == "(process"
                ? "0" : words[index]
        }
        return replacing("in 0 s", by: "now", in: shaped.joined(separator: " ")[...])
    }
}
