extension Configuration {
    /// The configuration in force as `--print-config` shows it: every key of every section, then what `[Inbox PATH]`
    /// sections change.
    ///
    /// systemd.syntax(7) has no comments behind a value, so only the form without origins is a configuration file
    /// again, one that gives the same configuration.
    /// - Parameter showingOrigins: whether `  # origin` stands behind each line.
    public func text(showingOrigins: Bool) -> String {
        var lines = ConfigurationLines(showingOrigins: showingOrigins)
        lines.header("Inbox")
        lines.add("Documents", WordList.quoted(documents.bytes), [documentsOrigin])
        if inboxOrigins != [.builtIn] { lines.add("Inbox", "", inboxOrigins) }
        lines.add("Inbox", inboxes.map { WordList.quoted($0.path.bytes) }.joined(separator: " "), inboxOrigins)
        lines.add(inboxDefaults, inboxDefaultsOrigins)
        lines.header("History")
        lines.add(history, historyOrigins)
        lines.header("Control")
        lines.add(control, controlOrigins)
        lines.header("Types")
        lines.add(ownTypes.folders, over: ownTypes.foldersBase, ownTypes.foldersOrigins)
        for type in ownTypes.sections {
            lines.header("Type \(WordList.quoted(Array(type.identifier.utf8)))")
            lines.add(type.settings, type.origins, isComplete: false)
        }
        for inbox in inboxes where !inbox.overrides.isEmpty {
            lines.header("Inbox \(WordList.quoted(inbox.path.bytes))")
            lines.add(inbox.settings, over: inboxDefaults, inbox.overrides, isComplete: false)
        }
        return lines.text
    }
}

extension LoadedConfiguration {
    /// What `--check` prints: a line for each problem, `file:line: problem`, then one for each notice; empty where
    /// there is nothing to say.
    public var report: String {
        let lines = problems.map(\.description) + notices.map { "\($0.origin): notice: \($0.text)" }
        return lines.map { $0 + "\n" }.joined()
    }
}

private struct ConfigurationLines {
    let showingOrigins: Bool
    var text = ""

    init(showingOrigins: Bool) {
        self.showingOrigins = showingOrigins
    }

    mutating func header(_ name: String) {
        text += (text.isEmpty ? "" : "\n") + "[\(name)]\n"
    }

    mutating func add(_ key: String, _ value: String, _ origins: [ConfigurationOrigin]) {
        let comment = "  # " + origins.map(\.description).joined(separator: ", ")
        text += "\(key)=\(value)\(showingOrigins ? comment : "")\n"
    }

    /// - Parameter isComplete: whether keys that nobody set are shown too.
    mutating func add<Settings: SettingsSection>(
        _ settings: Settings, over base: Settings = Settings(), _ origins: [String: [ConfigurationOrigin]],
        isComplete: Bool = true
    ) {
        for field in Settings.fields where isComplete || origins[field.name] != nil {
            for value in field.lines(settings, base) {
                add(field.name, value, origins[field.name] ?? [.builtIn])
            }
        }
    }
}
