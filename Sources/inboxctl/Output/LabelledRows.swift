/// Lines of a label and a text, aligned at the colon. On a terminal a long text goes on in further lines; a path stays
/// one word, which can be copied, and the terminal itself goes on with it where it is long.
struct LabelledRows {
    private var rows: [(label: String, text: String, isPath: Bool)] = []
    private let width: Int?

    /// - Parameter width: how many columns a line may have; nil where nothing limits it.
    init(width: Int?) {
        self.width = width
    }

    /// Adds words, which may go on in another line.
    mutating func add(_ label: String, _ text: String) { rows.append((label, text, false)) }

    /// Adds a path, which is neither broken nor shortened.
    mutating func add(_ label: String, path: String) { rows.append((label, path, true)) }

    /// All lines.
    var text: String {
        let indent = rows.map(\.label.count).max() ?? 0
        let room = width.map { max(20, $0 - indent - 2) }
        return rows.map { label, text, isPath in
            let start = label.rightAligned(to: indent) + ": "
            guard let room, !isPath, text.displayWidth > room else { return start + text + "\n" }
            let next = "\n" + String(repeating: " ", count: indent + 2)
            return start + text.wrapped(to: room).joined(separator: next) + "\n"
        }.joined()
    }
}
