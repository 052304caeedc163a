/// The `[History]` section.
package struct HistorySettings: Sendable, Equatable {
    /// The time for which records are kept; zero keeps all.
    package var maxAge = Duration.zero
    /// Bytes: the size at which a file is rotated; zero never rotates.
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
