extension Configuration {
    /// The configuration in force as `--print-config` shows it: every key of every section, then what `[Inbox PATH]`
    /// sections change. Each key has its origin in a comment above it (systemd.syntax(7) has no comments after a value),
    /// so the text is a configuration file that gives the same configuration.
    package var text: String {
        var lines = ConfigurationLines()
        lines.header("Inbox")
        lines.add("Documents", [WordList.quoted(documents.bytes)], [documentsOrigin])
        let list = inboxes.map { WordList.quoted($0.path.bytes) }.joined(separator: " ")
        lines.add("Inbox", inboxOrigins == [.builtIn] ? [list] : ["", list], inboxOrigins)
        lines.add(inboxDefaults, inboxDefaultsOrigins)
        lines.header("History")
        lines.add(history, historyOrigins)
        lines.header("Control")
        lines.add(control, controlOrigins)
        for notice in notices {
            lines.header("Notice \(WordList.quoted(Array(notice.name.utf8)))")
            lines.add(notice.settings, notice.origins, isComplete: false)
        }
        lines.header("Types")
        lines.add(ownTypes.folders, over: ownTypes.foldersBase, ownTypes.foldersOrigins)
        for type in ownTypes.sections {
            lines.header("Type \(WordList.quoted(Array(type.identifier.utf8)))")
            lines.add(type.settings, type.origins, isComplete: false)
        }
        for entry in documentTypes where !entry.isFromPropertyList {
            lines.header("DocumentType \(WordList.quoted(Array(entry.name.utf8)))")
            lines.add(entry.settings, entry.origins, isComplete: false)
        }
        for inbox in inboxes where !inbox.overrides.isEmpty {
            lines.header("Inbox \(WordList.quoted(inbox.path.bytes))")
            lines.add(inbox.settings, over: inboxDefaults, inbox.overrides, isComplete: false)
        }
        return lines.text
    }
}

extension LoadedConfiguration {
    /// The text that `--check` prints: a line for each problem, `file:line: problem`, then one for each notice, then the files
    /// that were read; without a problem in the line that says so.
    /// - Parameter isVerbose: each file that was read gets its line.
    package func report(isVerbose: Bool = false) -> String {
        let lines = problems.map(\.description) + notices.map { "\($0.origin): notice: \($0.text)" }
        let names = files.map(\.displayText)
        let summary =
            names.isEmpty
            ? "no problems: no configuration file was read; the built-in defaults are in force"
            : "no problems in \(names.joined(separator: ", "))"
        let last = isVerbose || !problems.isEmpty ? names.map { "read \($0)" } : [summary]
        return (lines + last).map { $0 + "\n" }.joined()
    }
}

private struct ConfigurationLines {
    var text = ""

    mutating func header(_ name: String) {
        text += (text.isEmpty ? "" : "\n") + "[\(name)]\n"
    }

    mutating func add(_ key: String, _ values: [String], _ origins: [ConfigurationOrigin]) {
        text += "# " + origins.map(\.description).joined(separator: ", ") + "\n"
        for value in values { text += "\(key)=\(value)\n" }
    }

    /// - Parameter isComplete: whether keys that nobody set are shown too.
    mutating func add<Settings: SettingsSection>(
        _ settings: Settings, over base: Settings = Settings(), _ origins: [String: [ConfigurationOrigin]],
        isComplete: Bool = true
    ) {
        for field in Settings.fields where isComplete || origins[field.name] != nil {
            add(field.name, field.lines(settings, base), origins[field.name] ?? [.builtIn])
        }
    }
}
