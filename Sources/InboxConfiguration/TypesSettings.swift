/// The `[Types]` section.
package struct TypesSettings: Sendable, Equatable {
    /// Folders of property lists (`*.plist`) with declarations, as they were written.
    package var declarations: [[UInt8]] = []

    /// No folder.
    package init() {}

    /// The folder of the machine, or of the person; none for a person without a home.
    init(_ places: StandardPlaces) {
        declarations = places.typesFolder.map { [$0.bytes] } ?? []
    }
}

extension TypesSettings: SettingsSection {
    static let sectionName = "Types"

    static let fields: [SettingField<TypesSettings>] = [.list("Declarations", \.declarations)]
}
