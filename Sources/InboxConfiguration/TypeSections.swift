import UniformTypeIdentifiers

/// One type that `[Type IDENTIFIER]` sections declare.
package struct ConfiguredType: Sendable, Equatable {
    /// The identifier, as it was first written.
    package let identifier: String
    /// Where its first section begins.
    package let origin: ConfigurationOrigin
    /// The combined settings of its sections.
    package let settings: TypeSettings
    /// The keys that they set, and where.
    package let origins: [String: [ConfigurationOrigin]]
}

/// The `[Type IDENTIFIER]` sections while they are gathered: those of one identifier say what they say together.
struct TypeSections: NamedSections {
    private struct Section {
        let identifier: String
        let origin: ConfigurationOrigin
        var settings = TrackedSettings<TypeSettings>()
    }

    private var sections: [Section] = []
    private var places: [String: Int] = [:]

    /// Finds the section of an identifier, or begins it.
    /// - Returns: its number, for ``assign(_:toSectionAt:)``.
    mutating func begin(_ argument: [UInt8]?, at origin: ConfigurationOrigin) throws(ValueProblem) -> Int {
        guard let argument else {
            throw ValueProblem("[Type] needs an identifier, such as [Type com.example.invoice]")
        }
        let word = try WordList.single(argument)
        do throws(ValueProblem) {
            try TypeSettings.checkedIdentifier(word)
        } catch {
            throw ValueProblem("[Type IDENTIFIER]: \(error.text)")
        }
        let identifier = String(decoding: word, as: UTF8.self)
        // Identifiers compare without case.
        let key = identifier.lowercased()
        if let known = places[key] { return known }
        places[key] = sections.count
        sections.append(Section(identifier: identifier, origin: origin))
        return sections.count - 1
    }

    /// Takes one assignment; without a section its key and value are checked all the same.
    /// - Returns: false where there is no such key.
    mutating func assign(_ entry: ParsedEntry, toSectionAt index: Int?) throws(ValueProblem) -> Bool {
        guard let index else {
            var nowhere = TrackedSettings<TypeSettings>()
            return try nowhere.assign(entry)
        }
        return try sections[index].settings.assign(entry)
    }

    /// The types, in the order in which they first appear.
    var types: [ConfiguredType] {
        sections.map {
            ConfiguredType(
                identifier: $0.identifier, origin: $0.origin, settings: $0.settings.values,
                origins: $0.settings.origins)
        }
    }
}
