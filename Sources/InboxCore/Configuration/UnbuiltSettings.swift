/// A setting that is accepted but has no effect yet.
public struct UnbuiltSetting: Hashable, Sendable {
    /// The section's name.
    public let section: String
    /// The key.
    public let key: String
    /// The one value that has no effect; nil for any but the default.
    public let value: String?

    /// Names a setting.
    public init(_ section: String, _ key: String, _ value: String? = nil) {
        self.section = section
        self.key = key
        self.value = value
    }
}

/// What the daemon does not do yet. Whoever builds one of these takes it out; a key that is set to something else than
/// its default is said to be without effect as long as it stands here.
public let unbuiltSettings: [UnbuiltSetting] = [
    UnbuiltSetting("Inbox", "OnConflict", "skip-identical"),
    UnbuiltSetting("History", "MaxAge"),
    UnbuiltSetting("Control", "AllowUsers"),
    UnbuiltSetting("Control", "AllowGroups"),
    UnbuiltSetting("Control", "PutAllowUsers"),
    UnbuiltSetting("Control", "PutAllowGroups"),
    UnbuiltSetting("Control", "PutMax"),
]

/// Sections that are known but not read yet.
let unbuiltSections = ["DocumentType"]

extension TrackedSettings {
    /// A notice for each key that somebody set to what has no effect yet.
    func unbuiltNotices() -> [ConfigurationProblem] {
        let untouched = Settings()
        return Settings.fields.compactMap { field in
            guard let origin = origins[field.name]?.last else { return nil }
            let text = field.lines(values, untouched)
            let isUnbuilt = unbuiltSettings.contains {
                $0.section == Settings.sectionName && $0.key == field.name && ($0.value.map { [$0] } ?? text) == text
            }
            guard isUnbuilt, text != field.lines(untouched, untouched) else { return nil }
            return ConfigurationProblem(
                origin, "\(field.name)=\(text.last ?? "") is accepted, but has no effect yet")
        }
    }
}
