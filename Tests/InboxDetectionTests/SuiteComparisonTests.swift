import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxDetection

/// The examination of the trade: shared-mime-info's own test files, answered by this detector, by `gio` and by `file`.
///
/// Set `INBOXD_MIME_SUITE` to `tests/mime-detection` of shared-mime-info's source; `INBOXD_MIME_REPORT` to a file that gets
/// every disagreement. A file counts as right if the answer is one of those that the list gives it.
@Suite(
    .enabled(
        if: getenv("INBOXD_MIME_SUITE") != nil,
        "INBOXD_MIME_SUITE does not name tests/mime-detection of shared-mime-info's source"))
struct SuiteComparisonTests {
    @Test("By name, by content and by both, the detector is right at least as often as gio, and by content than file")
    func comparison() throws {
        let suite = try #require(MIMESuite())
        let ours = suite.answers(by: Detector(places: .standard))
        let alone = suite.answers(by: Detector(places: .none))
        let gio = suite.gio()
        let file = suite.file()
        func right(_ answers: [String?]) -> Int { suite.right(answers).count { $0 } }
        let lines = [
            "files \(suite.files.count)",
            "by name: ours \(right(ours.name)) gio \(right(gio.name)) ours alone \(right(alone.name))",
            "by content: ours \(right(ours.content)) gio \(right(gio.content)) file \(right(file)) "
                + "ours alone \(right(alone.content))",
            "by both: ours \(right(ours.both)) gio \(right(gio.both)) ours alone \(right(alone.both))",
        ]
        suite.report(
            lines,
            [
                ("name", ours.name, gio.name), ("content", ours.content, gio.content), ("both", ours.both, gio.both),
                ("alone", alone.content, file),
            ])
        for line in lines { print(line) }
        #expect(right(ours.name) >= right(gio.name))
        #expect(right(ours.content) >= right(gio.content))
        #expect(right(ours.content) > right(file) * 3 / 2)
        #expect(right(ours.both) > right(gio.both))
        #expect(right(alone.content) >= right(file))
    }

    @Test("Each answer that the suite calls wrong is explained in suite-disagreements.tsv, and nothing else is")
    func disagreements() throws {
        let suite = try #require(MIMESuite())
        let table = "Expected/suite-disagreements.tsv"
        let folder = try #require(#filePath.lastIndex(of: "/").map { #filePath[...$0] })
        let bytes = try #require(readFile(folder + table), "\(table) cannot be read")
        let found = suite.disagreements(suite.answers(by: Detector(places: .standard)))
        var explained: Set<String> = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 5, columns[4].hasSuffix(".") else {
                Issue.record("\(table): not mode, file, expected, ours and a reason that is a sentence: \(line)")
                continue
            }
            let key = columns[..<4].joined(separator: "\t")
            if !explained.insert(key).inserted { Issue.record("\(table) has this row twice: \(key)") }
        }
        let unexplained = found.filter { !explained.contains($0) }
        let stale = explained.subtracting(found).sorted()
        #expect(
            unexplained.isEmpty,
            "\(table) does not explain these; add each with its reason:\n\(unexplained.joined(separator: "\n"))")
        #expect(
            stale.isEmpty,
            "\(table) explains what is no longer so; remove or correct each:\n\(stale.joined(separator: "\n"))")
    }
}

extension MIMEDatabasePlaces {
    /// The places that this process's environment names.
    static var standard: MIMEDatabasePlaces {
        func value(_ name: String) -> [UInt8]? { getenv(name).map { Array(String(cString: $0).utf8) } }
        return MIMEDatabasePlaces(
            home: value("HOME"), dataHome: value("XDG_DATA_HOME"), dataDirs: value("XDG_DATA_DIRS"))
    }
}

/// The files of the suite with the answers that its list gives.
struct MIMESuite {
    struct Answers {
        var name: [String?] = []
        var content: [String?] = []
        var both: [String?] = []
    }

    let folder: String
    let files: [String]
    let expected: [Set<String>]
    /// For the canonical names.
    let knowledge = Knowledge(.standard)

    init?() {
        guard let folder = getenv("INBOXD_MIME_SUITE").map({ String(cString: $0) }),
            let list = readFile(folder + "/list")
        else { return nil }
        self.folder = folder
        var files: [String] = []
        var expected: [String: Set<String>] = [:]
        let knowledge = knowledge
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
            guard words.count >= 2, access(folder + "/" + words[0], R_OK) == 0 else { continue }
            if expected[words[0]] == nil { files.append(words[0]) }
            expected[words[0], default: []].insert(Self.canonical(words[1], knowledge))
        }
        self.files = files
        self.expected = files.map { expected[$0] ?? [] }
    }

    /// Names are compared in small letters and less their aliases, whoever gave them.
    static func canonical(_ mime: String, _ knowledge: Knowledge) -> String {
        guard let number = knowledge.database.relations.known(mime.utf8) else { return mime.lowercased() }
        return knowledge.database.relations.text(number).lowercased()
    }

    func right(_ answers: [String?]) -> [Bool] {
        zip(answers, expected).map { answer, expected in
            answer.map { expected.contains(Self.canonical($0, knowledge)) } ?? false
        }
    }

    /// The wrong answers as the first four columns of the table: mode, file, expected, ours.
    func disagreements(_ answers: Answers) -> [String] {
        [("name", answers.name), ("content", answers.content), ("both", answers.both)].flatMap { mode, answers in
            zip(files.indices, right(answers)).filter { !$1 }.map { index, _ in
                [mode, files[index], expected[index].sorted().joined(separator: " "), answers[index] ?? "-"]
                    .joined(separator: "\t")
            }
        }
    }

    func answers(by detector: Detector) -> Answers {
        var answers = Answers()
        for file in files {
            let bytes = readFile(folder + "/" + file) ?? []
            let name = FileName(String(file.split(separator: "/").last ?? ""))
            answers.name.append(name.flatMap { detector.detect(named: $0).mime })
            bytes.withUnsafeBytes { raw in
                answers.content.append(detector.detect(nil, content: raw).mime)
                answers.both.append(detector.detect(name, content: raw).mime)
            }
        }
        return answers
    }

    /// `gio info`; by content the file is inspected under a name that says nothing.
    func gio() -> Answers {
        var answers = Answers()
        let paths = files.map { folder + "/" + $0 }
        answers.both = gio(paths, "standard::content-type")
        answers.name = gio(paths, "standard::fast-content-type")
        guard let scratch = try? TemporaryFolder() else { return answers }
        var plain: [String] = []
        for (index, path) in paths.enumerated() {
            plain.append("\(scratch.path)/\(index)")
            _ = run("cp \(quoted(path)) \(scratch.path)/\(index)")
        }
        answers.content = gio(plain, "standard::content-type")
        return answers
    }

    private func gio(_ paths: [String], _ attribute: String) -> [String?] {
        paths.chunked(50).flatMap { part in
            let text = run("gio info -a \(attribute) " + part.map(quoted).joined(separator: " "))
            return text.split(separator: "\n").filter { $0.contains("\(attribute): ") }
                .map { line in line.split(separator: " ").last.map(String.init) }
        }
    }

    func file() -> [String?] {
        files.map { folder + "/" + $0 }.chunked(50).flatMap { part in
            run("file -b --mime-type " + part.map(quoted).joined(separator: " ")).split(separator: "\n").map(
                String.init)
        }
    }

    func report(_ lines: [String], _ comparisons: [(String, [String?], [String?])]) {
        guard let path = getenv("INBOXD_MIME_REPORT"), let file = fopen(path, "w") else { return }
        defer { fclose(file) }
        for line in lines { fputs(line + "\n", file) }
        for (title, ours, others) in comparisons {
            let isRight = right(ours)
            let isOtherRight = right(others)
            for index in files.indices where !isRight[index] {
                let other = isOtherRight[index] ? "RIGHT" : others[index] ?? "-"
                fputs("\(title)\t\(files[index])\t\(expected[index].sorted())\t\(ours[index] ?? "-")\t\(other)\n", file)
            }
        }
    }
}

private func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

extension Array {
    fileprivate func chunked(_ size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

private func run(_ command: String) -> String {
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

func readFile(_ path: String) -> [UInt8]? {
    do {
        return try FileDescriptor.reading(path: BytePath(path)).contents(limit: 64 << 20)
    } catch {
        return nil
    }
}
