import InboxTestSupport
import Testing

/// A story about the daemon, read from a text file; its first line says what it shows.
struct Scenario: Sendable, CustomTestStringConvertible {
    let path: BytePath
    let sentence: String
    /// The lines with commands; a line that cannot be read carries its failure.
    let lines: [Result<ScenarioLine, any Error>]
    let source: [String]

    var testDescription: String { "\(name): \(sentence)" }

    var name: String {
        String(describing: path.components.last ?? path).replacing(".txt", with: "")
    }

    init(path: BytePath, text: String) {
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

    private func needs(_ what: BytePath) -> Bool {
        lines.contains { line in
            guard let line = try? line.get() else { return false }
            return line.verb == "needs" && line.arguments.first == what
        }
    }

    static let folder = BuiltPrograms.packageRoot / "Tests/Scenarios"

    /// Every scenario of the folder, by name.
    static let all: [Scenario] = {
        let names = (try? Disk.names(in: folder)) ?? []
        return names.filter { $0.description.hasSuffix(".txt") }.map { name in
            Scenario(path: folder / name, text: Disk.text(folder / name))
        }
    }()
}
