/// A section's settings with the table of its keys.
protocol SettingsSection: Sendable, Equatable {
    /// The section's name.
    static var sectionName: String { get }
    /// Its keys, in the order in which they are documented and printed.
    static var fields: [SettingField<Self>] { get }
    /// The built-in defaults.
    init()
}

/// One key: how it is assigned and how it is printed.
struct SettingField<Settings: SettingsSection>: Sendable {
    /// The key as it is written.
    let name: String
    /// Takes a value; an empty one goes back to `base` (what may be absent becomes so, and a list empty).
    let assign: @Sendable (_ value: [UInt8], _ settings: inout Settings, _ base: Settings) throws(ValueProblem) -> Void
    /// The values whose assignment, one after the other, makes these settings out of `base`.
    let lines: @Sendable (_ settings: Settings, _ base: Settings) -> [String]
    /// An assignment adds to the value, so that several places contribute to it.
    let isList: Bool

    /// A key with one value.
    static func scalar<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable, _ format: ValueFormat<Value>
    ) -> SettingField {
        SettingField(
            name: name,
            assign: { (value: [UInt8], settings: inout Settings, base: Settings) throws(ValueProblem) in
                settings[keyPath: path] =
                    value.isEmpty ? format.cleared ?? base[keyPath: path] : try format.parse(value)
            },
            lines: { settings, _ in [format.text(settings[keyPath: path])] },
            isList: false)
    }

    /// A key with a list of words: an assignment appends what is not there yet.
    /// - Parameter check: throws where a word is not what the list is made of.
    static func list(
        _ name: String, _ path: any WritableKeyPath<Settings, [[UInt8]]> & Sendable,
        each check: @escaping @Sendable ([UInt8]) throws(ValueProblem) -> Void = { _ in }
    ) -> SettingField {
        SettingField(
            name: name,
            assign: { (value: [UInt8], settings: inout Settings, _: Settings) throws(ValueProblem) in
                let list = try listAfter(settings[keyPath: path], assigning: value)
                var problems: [String] = []
                for word in list.dropFirst(value.isEmpty ? 0 : settings[keyPath: path].count) {
                    do throws(ValueProblem) { try check(word) } catch { problems.append(error.text) }
                }
                guard problems.isEmpty else { throw ValueProblem(problems.prefix(8).joined(separator: "; ")) }
                settings[keyPath: path] = list
            },
            lines: { settings, base in
                let value = settings[keyPath: path]
                let text = value.map(WordList.quoted).joined(separator: " ")
                // A list grows out of its base; where it does not begin with the base, that must be emptied first.
                return value.isEmpty || value.starts(with: base[keyPath: path]) ? [text] : ["", text]
            },
            isList: true)
    }
}

/// The largest number of words in a list.
let longestList = 4096

/// The list rule of the configuration: a value appends, a word that is there already changes nothing, an empty value
/// empties.
func listAfter(_ list: [[UInt8]], assigning value: [UInt8]) throws(ValueProblem) -> [[UInt8]] {
    if value.isEmpty { return [] }
    var result = list
    var known = Set(list)
    for word in try WordList.split(value) {
        guard !word.isEmpty else { throw ValueProblem("a word of the list is empty") }
        if known.insert(word).inserted { result.append(word) }
    }
    guard result.count <= longestList else { throw ValueProblem("the list has more than \(longestList) words") }
    return result
}

/// The settings of one section while they are gathered, each with its origins.
struct TrackedSettings<Settings: SettingsSection> {
    /// The settings that an empty assignment restores.
    let base: Settings
    private(set) var values: Settings
    /// Only keys that somebody set. A list has one origin for each place that has a share in it.
    private(set) var origins: [String: [ConfigurationOrigin]] = [:]
    private let inherited: [String: [ConfigurationOrigin]]

    init(base: Settings = Settings(), inherited: [String: [ConfigurationOrigin]] = [:]) {
        self.base = base
        self.inherited = inherited
        values = base
    }

    /// Takes one assignment.
    /// - Returns: false where the section has no such key.
    mutating func assign(_ entry: ParsedEntry) throws(ValueProblem) -> Bool {
        guard let field = Settings.fields.first(where: { $0.name == entry.key }) else { return false }
        do throws(ValueProblem) {
            try field.assign(entry.value, &values, base)
        } catch {
            throw ValueProblem("\(entry.key): \(error.text)")
        }
        if field.isList, !entry.value.isEmpty {
            // An empty default has no share in the list.
            let hasDefault = field.lines(base, base) != [""]
            let earlier = origins[entry.key] ?? inherited[entry.key] ?? (hasDefault ? [.builtIn] : [])
            origins[entry.key] = earlier.contains(entry.origin) ? earlier : earlier + [entry.origin]
        } else {
            origins[entry.key] = [entry.origin]
        }
        return true
    }
}
