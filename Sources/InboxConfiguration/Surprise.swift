import InboxLinux

/// A value that says something else than its writer probably meant. Quotes show that it is meant.
enum Surprise {
    /// Keys whose value is text for people, where a # needs no quotes.
    private static let textKeys: Set = ["Description"]
    /// Keys whose words are paths.
    private static let pathKeys: Set = ["Documents", "Inbox", "Socket", "Declarations", "Destination", "Rejected"]
    /// Keys whose words are patterns of names.
    private static let patternKeys: Set = ["Ignore", "Names"]
    /// Keys whose words, of any kind, are separated by blanks.
    private static let listKeys: Set = [
        "Ignore", "Names", "Inbox", "Inboxes", "Paths", "Origins", "Annotations", "Facts", "Companions", "Extensions",
        "MIMETypes", "ConformsTo", "AllowUsers", "AllowGroups", "PutAllowUsers", "PutAllowGroups",
    ]
    /// Keys whose whole value is one path.
    private static let onePathKeys: Set = ["Documents", "Socket", "Destination", "Rejected"]
    /// Keys whose value is a command.
    private static let commandKeys: Set = ["Run", "Check"]

    /// Returns why a value is refused that would mean something nobody intended, such as a folder named by accident;
    /// nil if it is accepted.
    static func refusal(of entry: ParsedEntry) -> ValueProblem? {
        let words = unquotedWords(entry.value)
        let isText = textKeys.contains(entry.key)
        if !isText, words.contains(where: { $0.first == UInt8(ascii: "#") && $0.startIndex > entry.value.startIndex }) {
            return ValueProblem(
                "\(entry.key): \(quotedExcerpt(entry.value)) has \" #\" in it: a comment needs a line of its own; "
                    + "quote what begins with # if it is part of the value")
        }
        guard pathKeys.contains(entry.key), let specifier = words.first(where: isSpecifier) else { return nil }
        return ValueProblem(
            "\(entry.key): \(quotedExcerpt(specifier)): the specifiers of systemd.unit(5) are not expanded here; "
                + "write ~ or the path in full, or quote a name that begins with %")
    }

    /// Returns a notice for a value that is accepted but may not be what was meant; otherwise nil.
    static func notice(of entry: ParsedEntry) -> String? {
        if commandKeys.contains(entry.key) { return shellNotice(of: entry) ?? argumentNotice(of: entry) }
        if listKeys.contains(entry.key), let notice = commaNotice(of: entry) { return notice }
        if patternKeys.contains(entry.key) { return patternNotice(of: entry) }
        if entry.key == "Ready" { return markerNotice(of: entry) }
        let words = unquotedWords(entry.value)
        if entry.key == "Destination" || entry.key == "Rejected", let notice = componentNotice(of: words, entry.key) {
            return notice
        }
        guard words.count > 1, pathKeys.contains(entry.key) else { return nil }
        if onePathKeys.contains(entry.key) {
            return "\(entry.key): the whole of \(quotedExcerpt(entry.value)) is one path; quote it to say so"
        }
        guard words.dropFirst().contains(where: { $0.first != UInt8(ascii: "/") && $0.first != UInt8(ascii: "~") })
        else {
            return nil
        }
        return
            "\(entry.key): \(quotedExcerpt(entry.value)) is \(words.count) paths; quote it if it is one with blanks, "
            + "and each if it is not"
    }

    /// Programs that take the word after `-c` for commands.
    private static let shells = ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "busybox"].map {
        Array($0.utf8)
    }

    /// A name that somebody else chose must not become a part of a shell's commands.
    private static func shellNotice(of entry: ParsedEntry) -> String? {
        let command: CommandTemplate
        do throws(ValueProblem) { command = try CommandTemplate(entry.value) } catch { return nil }
        let isOption = { (word: [UInt8]) in
            word.first == UInt8(ascii: "-") && word.dropFirst().first != UInt8(ascii: "-")
                && word.contains(UInt8(ascii: "c"))
        }
        guard shells.contains(Array(command.program.lastComponent)),
            let option = command.words.dropFirst().firstIndex(where: isOption), option + 1 < command.words.count
        else { return nil }
        for part in command.arguments[option + 1] {
            guard case .placeholder(let name) = part, [.path, .name, .folder, .source].contains(name) else { continue }
            let variable = name == .path ? "\"$INBOX_PATH\"" : "\"$1\""
            return
                "\(entry.key): {\(name.rawValue)} in what the shell executes: a file's name can be commands; write \(variable) "
                + (name == .path ? "there instead" : "there, and sh {\(name.rawValue)} as two more words behind it")
        }
        return nil
    }

    /// Returns a notice for a word that only a shell would interpret, and that the program gets as it is; otherwise
    /// nil.
    private static func argumentNotice(of entry: ParsedEntry) -> String? {
        for word in unquotedWords(entry.value) {
            let next = word.dropFirst().first ?? 0
            if word.first == UInt8(ascii: "$"), next == UInt8(ascii: "_") || next.isASCIILetter {
                return
                    "\(entry.key): \(quotedExcerpt(word)) is an argument as it is: no variable is expanded; write {path} "
                    + "and the like, or quote it to say so"
            }
            if isOperator(word) {
                return
                    "\(entry.key): \(quotedExcerpt(word)) is an argument as it is: there is no shell; put what needs one "
                    + "into a script, or quote it to say so"
            }
        }
        return nil
    }

    /// `|`, `&&`, `>file`, `2>&1` and the like.
    private static func isOperator(_ word: ArraySlice<UInt8>) -> Bool {
        let operators = ["|", "||", "|&", "&", "&&", ";"]
        if operators.contains(where: { word.elementsEqual($0.utf8) }) { return true }
        let redirection = word.first == UInt8(ascii: "&") ? word.dropFirst() : word.drop { (0x30...0x39).contains($0) }
        return redirection.first == UInt8(ascii: ">") || redirection.first == UInt8(ascii: "<")
    }

    /// A pattern that no name matches, or that was meant to be two.
    private static func patternNotice(of entry: ParsedEntry) -> String? {
        let words: [[UInt8]]
        do throws(ValueProblem) { words = try WordList.split(entry.value) } catch { return nil }
        if let word = words.first(where: { $0.contains(UInt8(ascii: "/")) }) {
            return "\(entry.key): \(quotedExcerpt(word)) matches nothing: the name alone is compared, without its "
                + "folders"
        }
        return nil
    }

    /// A word that ends with a comma, as in lists of other programs.
    private static func commaNotice(of entry: ParsedEntry) -> String? {
        unquotedWords(entry.value).first { $0.count > 1 && $0.last == UInt8(ascii: ",") }.map {
            "\(entry.key): \(quotedExcerpt($0)) ends with a comma, which is part of it: separate with spaces, or quote it to "
                + "say so"
        }
    }

    /// A marker for all of a folder where one for each document was meant.
    private static func markerNotice(of entry: ParsedEntry) -> String? {
        guard let word = unquotedWords(entry.value).first, !word.contains(UInt8(ascii: "{")) else { return nil }
        let isEnding = word.first == UInt8(ascii: ".") || word.contains { $0 == UInt8(ascii: "*") }
        guard isEnding else { return nil }
        let ending = word.drop { $0 == UInt8(ascii: "*") }
        return "Ready: \(quotedExcerpt(word)) is one name, for all that lies in a folder: write "
            + "\(quotedExcerpt(Array("{name}".utf8) + ending)) for a marker of each document, or quote it to say so"
    }

    /// A folder with a name that nobody gives to one.
    private static func componentNotice(of words: [ArraySlice<UInt8>], _ key: String) -> String? {
        for component in words.flatMap({ $0.split(separator: UInt8(ascii: "/")) }) {
            if component.starts(with: ".inboxd-".utf8) {
                return "\(key): \(quotedExcerpt(component)): the daemon's own folders have such names"
            }
            if component.count > 1, component.first == UInt8(ascii: "$") || isSpecifier(component) {
                return "\(key): \(quotedExcerpt(component)) is the name of a folder as it is: no variable and no "
                    + "specifier is expanded; quote the path to say so"
            }
        }
        return nil
    }

    /// The words of a value, less those that a quote or a backslash has a part in.
    private static func unquotedWords(_ value: [UInt8]) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var quote: UInt8?
        var start = value.startIndex
        var isPlain = true
        var isEscaped = false
        for index in value.indices {
            let byte = value[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                isPlain = false
            } else if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                isPlain = false
            } else if quote == nil, isBlank(byte) {
                if isPlain, start < index { words.append(value[start..<index]) }
                start = index + 1
                isPlain = true
            }
        }
        if isPlain, start < value.endIndex { words.append(value[start...]) }
        return words
    }

    /// `%` and a letter: `%h`, `%S`.
    private static func isSpecifier(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 2, word.first == UInt8(ascii: "%") else { return false }
        return word[word.startIndex + 1].isASCIILetter
    }
}
