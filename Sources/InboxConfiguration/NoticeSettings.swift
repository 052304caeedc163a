import InboxLinux

/// An event that a notice can report, named as in `Events=`.
package enum NoticeEvent: String, CaseIterable, Sendable {
    /// A document is held.
    case held
    /// Something is wrong with the daemon's surroundings.
    case problem
    /// The last try of a handler has failed.
    case handlerFailed = "handler-failed"
    /// A document was filed.
    case filed
    /// A problem is over.
    case recovered
}

/// The settings of one `[Notice NAME]`.
package struct NoticeSettings: Sendable, Equatable {
    /// The form in which the program gets a notice on its standard input.
    package enum Format: String, CaseIterable, Sendable {
        /// Lines of text.
        case text
        /// The same as a mail, with its headers.
        case mail
        /// An event a line, as `inboxctl events --json` prints it.
        case json
    }

    /// The events that it reports.
    package var events: [NoticeEvent] = [.held, .problem, .handlerFailed]
    /// The program that tells it.
    package var run: CommandTemplate?
    /// The form of what the program gets.
    package var format = Format.text
    /// The addresses that a mail goes to.
    package var to: [[UInt8]] = []
    /// The time for which events are gathered.
    package var after = Duration.seconds(60)

    /// The built-in defaults.
    package init() {}
}

extension NoticeSettings: SettingsSection {
    static let sectionName = "Notice"

    static let fields: [SettingField<NoticeSettings>] = [
        .scalar("Events", \.events, .noticeEvents),
        .scalar("Run", \.run, ValueFormat<CommandTemplate>.noticeCommand.optional()),
        .scalar("Format", \.format, .choice),
        .list("To", \.to) { (word) throws(ValueProblem) in
            // It becomes a part of a header: nothing in it may end that, or begin another address.
            guard word.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !",;:<>()[]\"\\".utf8.contains($0) }), word.count <= 254
            else {
                throw ValueProblem(
                    "\(quotedExcerpt(word)) is no address, such as office@example.com; a blank separates two")
            }
        },
        .scalar("After", \.after, .timeSpan.checked("at most 1d") { $0 <= .seconds(86_400) }),
    ]
}

extension ValueFormat where Value == [NoticeEvent] {
    /// The events that a notice reports.
    static let noticeEvents = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> [NoticeEvent] in
            var events: [NoticeEvent] = []
            for word in try WordList.split(bytes) {
                let event = try ValueFormat<NoticeEvent>.choice.parse(word)
                if !events.contains(event) { events.append(event) }
            }
            return events
        }, text: { $0.map(\.rawValue).joined(separator: " ") })
}

extension ValueFormat where Value == CommandTemplate {
    /// A command that is about no one document.
    static let noticeCommand = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> CommandTemplate in
            let command = try CommandTemplate(bytes)
            for case .placeholder(let name) in command.arguments.joined() {
                throw ValueProblem(
                    "{\(name.rawValue)}: a notice may be about many documents, which its standard input names")
            }
            return command
        }, text: ValueFormat<CommandTemplate>.command.text)
}

/// One notice of the configuration.
package struct ConfiguredNotice: Sendable, Equatable {
    /// Its name.
    package let name: String
    /// Where its first section begins.
    package let origin: ConfigurationOrigin
    /// The combined settings of its sections.
    package let settings: NoticeSettings
    /// The keys that they set, and where.
    package let origins: [String: [ConfigurationOrigin]]
}

/// The `[Notice NAME]` sections while they are gathered: a later file, or an option, changes the section of an earlier one.
struct NoticeSections: NamedSections {
    private struct Section {
        let name: String
        let origin: ConfigurationOrigin
        var settings = TrackedSettings<NoticeSettings>()
    }

    /// Notices: each may have a program that runs.
    private static let most = 32

    private var sections: [Section] = []

    /// Finds the section of a name, or begins it.
    mutating func begin(_ argument: [UInt8]?, at origin: ConfigurationOrigin) throws(ValueProblem) -> Int {
        guard let argument else { throw ValueProblem("[Notice] needs a name: [Notice NAME]") }
        let name: String
        do throws(ValueProblem) { name = try ValueFormat<String>.text.parse(argument) } catch {
            throw ValueProblem("[Notice NAME]: \(error.text)")
        }
        if let known = sections.firstIndex(where: { $0.name == name }) { return known }
        guard sections.count < Self.most else { throw ValueProblem("there are more than \(Self.most) notices") }
        sections.append(Section(name: name, origin: origin))
        return sections.count - 1
    }

    /// Takes one assignment; without a section its key and value are checked all the same.
    mutating func assign(_ entry: ParsedEntry, toSectionAt index: Int?) throws(ValueProblem) -> Bool {
        guard let index else {
            var nowhere = TrackedSettings<NoticeSettings>()
            return try nowhere.assign(entry)
        }
        return try sections[index].settings.assign(entry)
    }

    /// The notices, in the order in which they first appear.
    var notices: [ConfiguredNotice] {
        sections.map {
            ConfiguredNotice(
                name: $0.name, origin: $0.origin, settings: $0.settings.values, origins: $0.settings.origins)
        }
    }
}

extension ConfiguredNotice {
    /// The keys that it lacks.
    var problems: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        let name = quotedExcerpt(name.utf8)
        if settings.run == nil {
            problems.append(ConfigurationProblem(origin, "[Notice \(name)] needs Run=, the program that tells it"))
        }
        if settings.format == .mail, settings.to.isEmpty {
            problems.append(
                ConfigurationProblem(origins["Format"]?.last ?? origin, "Format: a mail needs To=, whom it goes to"))
        }
        return problems
    }

    /// The keys in it that have no effect.
    var surprises: [ConfigurationProblem] {
        if settings.events.isEmpty {
            return [
                ConfigurationProblem(origins["Events"]?.last ?? origin, "Events: it is empty, so that nothing is told")
            ]
        }
        guard !settings.to.isEmpty, settings.format != .mail else { return [] }
        return [
            ConfigurationProblem(origins["To"]?.last ?? origin, "To: it has no effect without Format=mail")
        ]
    }
}
