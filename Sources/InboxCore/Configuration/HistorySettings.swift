/// The `[History]` section.
public struct HistorySettings: Sendable, Equatable {
    /// How long records are kept; zero keeps all.
    public var maxAge = Duration.zero
    /// How many bytes a file may hold before it is rotated; zero never rotates.
    public var maxSize: Int64 = 64 << 20

    /// The built-in defaults.
    public init() {}
}

extension HistorySettings: SettingsSection {
    static let sectionName = "History"

    static let fields: [SettingField<HistorySettings>] = [
        .scalar("MaxAge", \.maxAge, .timeSpan),
        .scalar("MaxSize", \.maxSize, .size),
    ]
}
