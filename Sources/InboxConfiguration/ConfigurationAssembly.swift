import InboxLinux

/// Gathers the settings out of parsed sections, in the order of reading; knows which names exist.
struct ConfigurationAssembly {
    /// One `[Inbox PATH]`, kept until the list of Inboxes is known.
    struct Override {
        let path: BytePath
        let origin: ConfigurationOrigin
        let entries: [ParsedEntry]
    }

    static let sectionNames = ["Inbox", "History", "Control", "Notice", "DocumentType", "Type", "Types"]

    var places = InboxPlaces()
    /// Made when first needed: its list of ignored names is most of what reading own types takes, which needs none.
    private(set) lazy var inbox = TrackedSettings<InboxSettings>()
    private(set) var history = TrackedSettings<HistorySettings>()
    private(set) var control = TrackedSettings<ControlSettings>()
    private(set) var types: TrackedSettings<TypesSettings>
    private(set) var typeSections = TypeSections()
    private(set) var documentTypeSections = DocumentTypeSections()
    private(set) var noticeSections = NoticeSections()
    private(set) var overrides: [Override] = []
    var problems: [ConfigurationProblem] = []
    var notices: [ConfigurationProblem] = []

    init(types: TypesSettings = TypesSettings()) {
        self.types = TrackedSettings(base: types)
    }

    /// Takes all that one source says.
    mutating func take(_ parsed: ParsedConfiguration) {
        problems += parsed.problems
        parsed.sections.forEach { take($0) }
    }

    /// Takes one section.
    mutating func take(_ section: ParsedSection) {
        guard problems.count < ConfigurationProblem.most else { return }
        if section.name == "Inbox", let argument = section.argument { return takeOverride(section, argument) }
        if section.name == TypeSettings.sectionName {
            return take(section, into: \.typeSections, TypeSettings.fields.map(\.name))
        }
        if section.name == DocumentTypeSettings.sectionName {
            return take(section, into: \.documentTypeSections, DocumentTypeSettings.fields.map(\.name))
        }
        if section.name == NoticeSettings.sectionName {
            return take(section, into: \.noticeSections, NoticeSettings.fields.map(\.name))
        }
        guard Self.sectionNames.contains(section.name) else {
            return complain(section.origin, unknown: "section", section.name, Self.sectionNames)
        }
        if let argument = section.argument {
            problems.append(
                ConfigurationProblem(
                    section.origin, "[\(section.name)] takes no argument, but has \(quotedExcerpt(argument))"))
        }
        for entry in section.entries {
            switch section.name {
            case "Inbox":
                attempt(entry, InboxPlaces.keys + InboxSettings.fields.map(\.name)) { assembly throws(ValueProblem) in
                    if try assembly.places.assign(entry) { return true }
                    return try assembly.inbox.assign(entry)
                }
            case "History":
                attempt(entry, HistorySettings.fields.map(\.name)) { assembly throws(ValueProblem) in
                    try assembly.history.assign(entry)
                }
            case "Types":
                attempt(entry, TypesSettings.fields.map(\.name)) { assembly throws(ValueProblem) in
                    try assembly.types.assign(entry)
                }
            default:
                attempt(entry, ControlSettings.fields.map(\.name)) { assembly throws(ValueProblem) in
                    guard !ControlSettings.formerKeys.contains(entry.key) else {
                        throw ValueProblem("\(entry.key) is a constant now, which inboxd(8) states: remove this line")
                    }
                    return try assembly.control.assign(entry)
                }
            }
        }
    }

    /// Where a key of a section without argument was set last; nil where it has its default.
    mutating func origin(of key: String, in section: String) -> ConfigurationOrigin? {
        switch (section, key) {
        case ("Inbox", "Documents"): places.documents?.origin
        case ("Inbox", "Inbox"): places.inboxOrigins.last
        case ("Inbox", _): inbox.origins[key]?.last
        case ("History", _): history.origins[key]?.last
        case ("Control", _): control.origins[key]?.last
        case ("Types", _): types.origins[key]?.last
        default: nil
        }
    }

    /// Checks the keys of an `[Inbox PATH]` and gives the settings that it makes of the general ones.
    mutating func settings(
        of entries: [ParsedEntry], over general: TrackedSettings<InboxSettings>
    ) -> TrackedSettings<InboxSettings> {
        var result = TrackedSettings(base: general.values, inherited: general.origins)
        for entry in entries {
            if InboxPlaces.keys.contains(entry.key) {
                problems.append(
                    ConfigurationProblem(
                        entry.origin, "\(entry.key) belongs into [Inbox], not into the section of one Inbox"))
                continue
            }
            attempt(entry, InboxSettings.fields.map(\.name)) { _ throws(ValueProblem) in
                try result.assign(entry)
            }
        }
        return result
    }

    private mutating func takeOverride(_ section: ParsedSection, _ argument: [UInt8]) {
        do throws(ValueProblem) {
            let path = try WordList.path(argument)
            overrides.append(Override(path: path, origin: section.origin, entries: section.entries))
        } catch {
            problems.append(ConfigurationProblem(section.origin, "[Inbox PATH]: \(error.text)"))
        }
    }

    private mutating func take<Sections: NamedSections>(
        _ section: ParsedSection, into sections: WritableKeyPath<Self, Sections>, _ known: [String]
    ) {
        var index: Int?
        do throws(ValueProblem) {
            index = try self[keyPath: sections].begin(section.argument, at: section.origin)
        } catch {
            problems.append(ConfigurationProblem(section.origin, error.text))
        }
        for entry in section.entries {
            attempt(entry, known) { assembly throws(ValueProblem) in
                try assembly[keyPath: sections].assign(entry, toSectionAt: index)
            }
        }
    }

    private mutating func attempt(
        _ entry: ParsedEntry, _ known: [String],
        _ assign: (inout ConfigurationAssembly) throws(ValueProblem) -> Bool
    ) {
        guard problems.count < ConfigurationProblem.most else { return }
        do throws(ValueProblem) {
            if let refusal = Surprise.refusal(of: entry) { throw refusal }
            if try !assign(&self) {
                complain(entry.origin, unknown: "key", entry.key, known)
            } else if let text = Surprise.notice(of: entry) {
                notices.append(ConfigurationProblem(entry.origin, text))
            }
        } catch {
            problems.append(ConfigurationProblem(entry.origin, error.text))
        }
    }

    /// Returns the section that has this key, for somebody who has written it into another one.
    private static func section(withKey name: String) -> String? {
        let sections: [(section: String, keys: [String])] = [
            ("Inbox", InboxPlaces.keys + InboxSettings.fields.map(\.name)),
            ("DocumentType NAME", DocumentTypeSettings.fields.map(\.name)),
            ("Notice NAME", NoticeSettings.fields.map(\.name)),
            ("Control", ControlSettings.fields.map(\.name)), ("History", HistorySettings.fields.map(\.name)),
            ("Type IDENTIFIER", TypeSettings.fields.map(\.name)), ("Types", TypesSettings.fields.map(\.name)),
        ]
        return sections.first { $0.keys.contains(name) }?.section
    }

    private mutating func complain(
        _ origin: ConfigurationOrigin, unknown kind: String, _ name: String, _ known: [String]
    ) {
        let hint =
            (kind == "key" ? Self.section(withKey: name) : nil).map { "; it belongs into [\($0)]" }
            ?? nearest(to: name, among: known).map { "; did you mean \($0)?" }
            ?? nearest(to: name, among: known, limit: .max).map { "; the nearest known one is \($0)" } ?? ""
        // The name was escaped when it was parsed.
        let shown = name.unicodeScalars.count > 80 ? "\(String(name.unicodeScalars.prefix(80)))…" : name
        problems.append(ConfigurationProblem(origin, "unknown \(kind) \"\(shown)\"\(hint)"))
    }
}
