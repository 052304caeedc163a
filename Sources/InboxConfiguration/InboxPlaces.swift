import InboxLinux

/// The two keys of `[Inbox]` that no `[Inbox PATH]` can override, as they were written.
struct InboxPlaces {
    /// A path and where it was written.
    struct Entry {
        let path: BytePath
        let origin: ConfigurationOrigin
        /// From the command line's own option, where the shell has expanded it: `~` is a name.
        var isLiteral = false
    }

    /// The keys, in the order in which they are documented and printed.
    static let keys = ["Documents", "Inbox"]
    /// More Inboxes would make the check for overlaps slow.
    static let longestList = 256

    /// Nil where nobody set it.
    var documents: Entry?
    /// The list: each path once, with its first place.
    var inboxes = [Entry(path: BytePath("Inbox"), origin: .builtIn)]
    /// Who set the list, as a whole.
    var inboxOrigins = [ConfigurationOrigin.builtIn]

    /// Takes one assignment.
    /// - Returns: false where it is another key.
    mutating func assign(_ entry: ParsedEntry) throws(ValueProblem) -> Bool {
        do throws(ValueProblem) {
            switch entry.key {
            case "Documents":
                let path = try WordList.path(entry.value)
                documents = path.bytes.isEmpty ? nil : Entry(path: path, origin: entry.origin)
            case "Inbox":
                try assignInboxes(entry)
            default:
                return false
            }
        } catch {
            throw ValueProblem("\(entry.key): \(error.text)")
        }
        return true
    }

    /// The first assignment replaces the default; those that follow append.
    private mutating func assignInboxes(_ entry: ParsedEntry) throws(ValueProblem) {
        let isFirst = inboxOrigins == [.builtIn]
        let before = isFirst ? [] : inboxes.map(\.path.bytes)
        let after = try listAfter(before, assigning: entry.value)
        guard after.count <= Self.longestList else {
            throw ValueProblem("there are more than \(Self.longestList) Inboxes")
        }
        if after.isEmpty {
            inboxes = []
            inboxOrigins = [entry.origin]
        } else {
            if isFirst { (inboxes, inboxOrigins) = ([], []) }
            inboxes += try after.dropFirst(before.count).map { (word) throws(ValueProblem) in
                Entry(path: try WordList.path(word: word), origin: entry.origin)
            }
            if !inboxOrigins.contains(entry.origin) { inboxOrigins.append(entry.origin) }
        }
    }
}
