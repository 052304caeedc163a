import InboxTestSupport
import Testing

/// A story about the daemon, read from a text file; its first line says what it shows.
struct Scenario: Sendable, CustomTestStringConvertible {
    let path: TestPath
    let sentence: String
    /// The lines with commands; a line that cannot be read carries its failure.
    let lines: [Result<ScenarioLine, any Error>]
    let source: [String]

    var testDescription: String { "\(name): \(sentence)" }

    /// Its theme and its file's name, as `writers/two`.
    var name: String {
        path.components.suffix(2).map(\.description).joined(separator: "/").replacing(".txt", with: "")
    }

    init(path: TestPath, text: String) {
        self.path = path
        source = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let first = source.first ?? ""
        sentence = first.hasPrefix("# ") ? String(first.dropFirst(2)) : ""
        lines = source.enumerated().compactMap { index, line in
            do {
                return try ScenarioLine(number: index + 1, text: line).map { .success($0) }
            } catch {
                return .failure(Failure("line \(index + 1): \(line): \(error)"))
            }
        }
    }

    /// Whether only a user without rights can show it.
    var needsUnprivileged: Bool { needs("unprivileged") }

    /// Whether it needs a second filesystem.
    var needsOtherFilesystem: Bool { needs("other-filesystem") }

    private func needs(_ what: TestPath) -> Bool {
        lines.contains { line in
            guard let line = try? line.get() else { return false }
            return line.verb == "needs" && line.arguments.first == what
        }
    }

    static let folder = BuiltPrograms.packageRoot / "Tests/Scenarios"

    /// Every scenario of the folder, theme by theme.
    static let all: [Scenario] = {
        let leaves = (try? Disk.leaves(of: folder)) ?? []
        return leaves.filter { $0.description.hasSuffix(".txt") }.map { leaf in
            Scenario(path: folder / leaf, text: Disk.text(folder / leaf))
        }
    }()
}
