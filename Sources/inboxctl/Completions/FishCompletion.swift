import InboxConfiguration

/// The script for fish.
enum FishCompletion {
    static var script: String {
        var lines = [
            "# fish completion for inboxctl and inboxd; made by \"inboxctl completions fish\"",
            "set -l verbs \(Verb.all.map(\.name).joined(separator: " "))",
            "complete -c inboxctl -f",
        ]
        lines += [Option].common.map { line("", $0) }
        for verb in Verb.all {
            lines.append(
                "complete -c inboxctl -n \"not __fish_seen_subcommand_from $verbs\" -a \(verb.name) -d "
                    + quoted(verb.summary))
        }
        for verb in Verb.all {
            let condition = " -n \"__fish_seen_subcommand_from \(verb.name)\""
            lines += verb.options.map { line(condition, $0) }
            var position = condition
            if case .words(let words) = verb.operandKind {
                // One of a few words is typed once.
                position.removeLast()
                position += "; and not __fish_seen_subcommand_from \(words.joined(separator: " "))\""
            }
            if let words = words(verb.operandKind) { lines.append("complete -c inboxctl\(position)\(words)") }
        }
        lines += [Option].daemon.map { line("", $0, of: "inboxd") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ condition: String, _ option: Option, of program: String = "inboxctl") -> String {
        let short = option.short.map { " -s \($0)" } ?? ""
        // -x: an argument, and no files.
        let argument = option.argumentKind.map { ($0 == .files ? " -r" : " -x") + (words($0) ?? "") } ?? ""
        return "complete -c \(program)\(condition)\(short) -l \(option.name)\(argument) -d \(quoted(option.help))"
    }

    /// Files are off unless they are asked for; nil where nothing can be completed.
    private static func words(_ kind: ArgumentKind) -> String? {
        switch kind {
        case .nothing: nil
        case .files: " -F"
        case .folders: " -a \"(__fish_complete_directories)\""
        case .types: " -a \"\(ArgumentKind.typeNames.joined(separator: " "))\""
        case .filed: " -a \"(\(escaped(ArgumentKind.filedCommand)))\""
        case .words(let words): " -a \"\(words.joined(separator: " "))\""
        case .verbs: " -a \"\(Verb.all.map(\.name).joined(separator: " "))\""
        }
    }

    /// Text between double quotes.
    private static func escaped(_ text: String) -> String {
        text.map { "\"$\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
