import InboxTestSupport

/// What real programs do to an Inbox, read from `Tests/Programs/cases.txt`, whose head explains its lines.
struct ProgramSuite: Sendable {
    /// A program that does something once, and what must be there then.
    struct Case: Sendable {
        let line: Int
        let name: String
        let command: String
        /// Beneath Documents; with `=`, what of the sources it must equal; with `?`, it, or all in it, is the program's own.
        let expected: [String]
        /// Shows that such content is right.
        let check: String?
        let isQuick: Bool
    }

    /// What runs on loopback as long as the suite does.
    struct Server: Sendable {
        let name: String
        let program: String
        let command: String
    }

    private(set) var cases: [Case] = []
    private(set) var servers: [Server] = []
    /// Makes the files that are sent.
    private(set) var sources: [String] = []

    static let folder = BuiltPrograms.packageRoot / "Tests/Programs"

    init() throws { try self.init(text: Disk.text(Self.folder / "cases.txt")) }

    init(text: String) throws {
        var isQuick = true
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line == "slow" {
                isQuick = false
                continue
            }
            let fields = line.split(separator: " | ", omittingEmptySubsequences: false).map {
                $0.split(separator: " ").joined(separator: " ")
            }
            if fields.count == 2, fields[0] == "source" {
                sources.append(fields[1])
            } else if fields.count == 2, case let words = fields[0].split(separator: " "), words.count == 3,
                words[0] == "server"
            {
                servers.append(Server(name: String(words[1]), program: String(words[2]), command: fields[1]))
            } else if fields.count == 3 || fields.count == 4 {
                cases.append(
                    Case(
                        line: index + 1, name: fields[0], command: fields[1],
                        expected: fields[2].split(separator: " ").map(String.init),
                        check: fields.count == 4 ? fields[3] : nil, isQuick: isQuick))
            } else {
                throw Failure("cases.txt:\(index + 1): neither a case, a source nor a server: \(line)")
            }
        }
    }
}

extension ProgramSuite.Case {
    /// The programs that it needs: the first word of its name, with `+` between several.
    var programs: [String] {
        (name.split(separator: " ").first ?? "").split(separator: "+").map(String.init)
    }

    /// Returns whether it talks to the server of this name.
    func talks(to server: String) -> Bool { command.contains("{\(server)}") }
}

/// What came of a case: a line of the table.
struct ProgramRow: Sendable {
    let line: Int
    let name: String
    /// Each file that was sent is there, with every byte.
    var isWhole = false
    /// Nothing was filed twice, or under a number.
    var isOnce = false
    /// Nothing else was filed, and nothing is left.
    var isAlone = false
    /// What the program makes itself is what it should be; nil where it makes nothing.
    var isContentRight: Bool?
    /// From the end of the program to the last file.
    var delay: Duration?
    /// What is wrong, for a person.
    var words = ""

    /// All that was looked at is right.
    var isRight: Bool { isWhole && isOnce && isAlone && isContentRight != false }

    /// Its line of a Markdown table.
    var text: String {
        func word(_ value: Bool?) -> String { value.map { $0 ? "yes" : "**no**" } ?? "–" }
        let tenths = delay.map { ($0.components.seconds * 10) + $0.components.attoseconds / 100_000_000_000_000_000 }
        let seconds = tenths.map { "\($0 / 10).\($0 % 10) s" } ?? "–"
        let words = [name, word(isWhole), word(isOnce), word(isAlone), word(isContentRight), seconds]
        return "| " + words.joined(separator: " | ") + " |"
    }

    /// The head of the table.
    static let head = """
        | program | whole | once | nothing of its own | program content | delay after its end |
        | --- | --- | --- | --- | --- | --- |
        """
}
