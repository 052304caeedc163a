/// A fenced block of the README or of a page that belongs to it, and how the comment above it claims that it is tried.
struct ReadmeBlock {
    /// The names of comments that this suite acts upon; those of other scripts are `$(readme_block NAME)` in them.
    static let ownMarks: Set = ["screen", "configuration", "raw", "mail", "scenario"]

    /// The file that it is in.
    let page: String
    /// The line of the opening fence, counted from 1.
    let line: Int
    /// `screen` of `<!-- tried: screen -->`; nil where the line above the fence is no such comment.
    let mark: String?
    /// Why it is not tried: of `<!-- not tried: why -->`.
    let excuse: String?
    let content: [String]

    var text: String { content.map { $0 + "\n" }.joined() }

    static func all(in text: String, of page: String = "README.md") -> [ReadmeBlock] {
        var blocks: [ReadmeBlock] = []
        var opening: Int?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.hasPrefix("```") {
            guard let first = opening else {
                opening = index
                continue
            }
            let above = first > 0 ? lines[first - 1] : ""
            blocks.append(
                ReadmeBlock(
                    page: page, line: first + 1, mark: value(of: "tried", in: above),
                    excuse: value(of: "not tried", in: above),
                    content: lines[(first + 1)..<index].map { String($0) }))
            opening = nil
        }
        return blocks
    }

    /// The value of a comment `<!-- key: value -->`.
    private static func value(of key: String, in line: Substring) -> String? {
        let (start, end) = ("<!-- \(key): ", " -->")
        guard line.hasPrefix(start), line.hasSuffix(end), line.count > start.count + end.count else { return nil }
        return String(line.dropFirst(start.count).dropLast(end.count))
    }

    /// The blocks that nothing tries, each with its line: no comment, or one that neither this suite nor a script knows.
    static func untried(_ blocks: [ReadmeBlock], scripts: String) -> [String] {
        blocks.compactMap { block in
            if block.excuse != nil { return nil }
            guard let mark = block.mark else { return "\(block.page):\(block.line): no comment shows how it is tried" }
            if ownMarks.contains(mark) || scripts.contains("$(readme_block \(mark))") { return nil }
            return "\(block.page):\(block.line): nothing tries blocks marked \(mark)"
        }
    }
}
