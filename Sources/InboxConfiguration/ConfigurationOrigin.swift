import InboxLinux

/// Where a setting came from.
package enum ConfigurationOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Nobody set it.
    case builtIn
    /// A line of a file, counted from 1; line 0 means the file as a whole.
    case file(String, line: Int)
    /// An option.
    case commandLine

    /// `built-in default`, `file:line` or `command line`.
    package var description: String {
        switch self {
        case .builtIn: "built-in default"
        case .file(let label, line: 0): label
        case .file(let label, let line): "\(label):\(line)"
        case .commandLine: "command line"
        }
    }
}

/// One thing that is wrong with the configuration (a problem) or worth knowing (a notice), and where.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// The place in the configuration.
    package let origin: ConfigurationOrigin
    /// The description in words, on one line and escaped.
    package let text: String

    /// Joins a place and the words.
    package init(_ origin: ConfigurationOrigin, _ text: String) {
        self.origin = origin
        self.text = text
    }

    /// `file:line: problem`.
    package var description: String { "\(origin): \(text)" }
}

extension ConfigurationProblem {
    /// With so many problems a file is no configuration: no more are looked for, so that neither the search for what was
    /// meant nor the report keeps anybody waiting.
    static let most = 1000

    /// The first ``most`` of these, and a remark where there are as many.
    static func bounded(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
        guard problems.count >= most else { return problems }
        let remark = ConfigurationProblem(
            problems[most - 1].origin, "more may be wrong: only \(most) problems are shown")
        return problems[..<most] + [remark]
    }
}

/// The reason why a value is rejected; whoever knows the place makes a ``ConfigurationProblem`` of it.
package struct ValueProblem: Error, Hashable, Sendable {
    /// The reason in words, nothing in it unescaped.
    package let text: String

    /// Takes the words.
    package init(_ text: String) {
        self.text = text
    }

    /// A value that is not what it should be, such as `"x" is not a boolean (yes or no)`.
    static func notA(_ kind: String, _ value: some Sequence<UInt8>) -> ValueProblem {
        ValueProblem("\(quotedExcerpt(value)) is not \(kind)")
    }
}

/// Bytes in quotes for a message: escaped, and cut where they are long.
func quotedExcerpt(_ bytes: some Sequence<UInt8>) -> String {
    let longest = 80
    let head = Array(bytes.prefix(longest + 1))
    return "\"" + EscapedBytes.printable(head.prefix(longest)) + (head.count > longest ? "…\"" : "\"")
}

extension Sequence<UInt8> {
    /// Without the blanks of systemd.syntax(7) at both ends.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        let blankless = Array(self).drop(while: isBlank)
        guard let last = blankless.lastIndex(where: { !isBlank($0) }) else { return [] }
        return blankless[...last]
    }
}

/// Space, tab, line feed and carriage return.
func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
}
