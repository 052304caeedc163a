import InboxLinux

/// Bytes of a command line or a path for a person's eyes: no control characters.
func printable(_ bytes: some Collection<UInt8>) -> String { EscapedBytes.printable(bytes) }

/// A path of the wire (section 5 of the contract) for a person's eyes.
///
/// Text that is no such path is still shown, with its backslashes escaped.
func printablePath(_ text: String) -> String { printable(EscapedBytes.bytes(text) ?? Array(text.utf8)) }

/// The path from the Documents folder on, where it lies there, for a person's eyes.
func shownPath(_ path: String, from documents: String?) -> String {
    guard let prefix = documents.map({ $0 + "/" }), path.hasPrefix(prefix) else { return printablePath(path) }
    return printablePath(String(path.dropFirst(prefix.count)))
}

/// Words of the daemon for a person's eyes: control characters are escaped, backslashes are left as they came.
func printableWords(_ text: String) -> String {
    text.split(separator: "\\", omittingEmptySubsequences: false).map { printable($0.utf8) }.separated(by: "\\")
}

extension Array<String> {
    /// As `joined(separator:)`, whose first call has the runtime look for a conformance: what nearly every start shows is
    /// put together without.
    func separated(by separator: String) -> String {
        var text = ""
        for (index, part) in enumerated() { text += index == 0 ? part : separator + part }
        return text
    }
}

/// A number with its thousands apart: `1,204`.
func grouped(_ number: Int64) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).separated(by: ",")
}

/// A size in the largest decimal unit that keeps it above one: `3.4 GB`.
func sizeInWords(_ bytes: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(max(0, bytes)) B" }
    var tenths = bytes / 100
    var unit = 0
    while tenths >= 10_000, unit + 1 < units.count {
        tenths /= 1000
        unit += 1
    }
    return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + " " + units[unit]
}

/// A span of time in its largest unit: `12 s`, `3 min`, `2 h`, `5 d`.
func spanInWords(seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(max(0, seconds)) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86400: "\(seconds / 3600) h"
    default: "\(seconds / 86400) d"
    }
}

extension String {
    /// The text with blanks after it up to a width in columns; wider text stays whole.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - displayWidth)) }

    /// The text with blanks before it up to a width in columns; wider text stays whole.
    func rightAligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - displayWidth)) + self }

    /// The text with an ellipsis in its middle where it is wider: a path's beginning says where, its end says what, so
    /// that the end keeps the larger half. No character is cut apart.
    func shortened(to width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 1 else { return "…" }
        let pieces = pieces
        let head = pieces.fitting(into: (width - 1) / 3).joined()
        let tail = pieces.reversed().fitting(into: width - 1 - head.displayWidth).reversed().joined()
        return head + "…" + tail
    }

    /// The beginning of the text and an ellipsis where it is wider.
    func clipped(to width: Int) -> String {
        displayWidth <= width ? self : width < 1 ? "" : pieces.fitting(into: width - 1).joined() + "…"
    }

    /// The text in lines of at most so many columns, broken at blanks; a wider word is a line of its own.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.displayWidth + 1 + word.displayWidth <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension String {
    /// The characters, and as one piece each the escapes that printable text has: `\\`, `\n`, `\x1b`.
    fileprivate var pieces: [Substring] {
        var pieces: [Substring] = []
        var rest = self[...]
        while let first = rest.first {
            let isNumber = rest.dropFirst().first == "x"
            let piece = rest.prefix(first != "\\" ? 1 : isNumber ? 4 : 2)
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}

extension Sequence<Substring> {
    /// As many pieces as fit into so many columns.
    fileprivate func fitting(into width: Int) -> [Substring] {
        var room = width
        return Array(
            prefix { piece in
                room -= piece.displayWidth
                return room >= 0
            })
    }
}

/// Returns the words that follow the first problem of a configuration that has so many others.
func otherProblems(_ count: Int) -> String {
    count > 0 ? " (and \(count) more: see \"inboxd --check\")" : ""
}
