/// The `[History]` section.
package struct HistorySettings: Sendable, Equatable {
    /// How long records are kept; zero keeps all.
    package var maxAge = Duration.zero
    /// How many bytes a file may hold before it is rotated; zero never rotates.
    package var maxSize: Int64 = 64 << 20

    /// The built-in defaults.
    package init() {}
}

extension HistorySettings: SettingsSection {
    static let sectionName = "History"

    static let fields: [SettingField<HistorySettings>] = [
        .scalar("MaxAge", \.maxAge, .timeSpan),
        .scalar("MaxSize", \.maxSize, .size),
    ]
}
