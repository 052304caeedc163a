/// One Inbox and its settings in force.
public struct ConfiguredInbox: Sendable, Equatable {
    /// The folder: absolute, normalised, not looked up on the disk.
    public let path: BytePath
    /// Where its place in the list came from.
    public let origin: ConfigurationOrigin
    /// `[Inbox]` with `[Inbox PATH]` over it.
    public let settings: InboxSettings
    /// The keys that `[Inbox PATH]` set, and where.
    public let overrides: [String: [ConfigurationOrigin]]
}

/// The whole configuration in force, free of problems. All paths are absolute and normalised.
public struct Configuration: Sendable, Equatable {
    /// The Documents folder.
    public let documents: BytePath
    /// At least one Inbox; none lies in another, nor Documents or the state folder in any.
    public let inboxes: [ConfiguredInbox]
    /// `[Inbox]`, before any `[Inbox PATH]`.
    public let inboxDefaults: InboxSettings
    /// `[History]`.
    public let history: HistorySettings
    /// `[Control]`.
    public let control: ControlSettings
    /// `[Type]` and `[Types]`.
    public let ownTypes: ConfiguredTypes
    /// The control socket's path in force.
    public let socket: BytePath
    /// The state folder.
    public let stateFolder: BytePath

    let documentsOrigin: ConfigurationOrigin
    let inboxOrigins: [ConfigurationOrigin]
    let inboxDefaultsOrigins: [String: [ConfigurationOrigin]]
    let historyOrigins: [String: [ConfigurationOrigin]]
    let controlOrigins: [String: [ConfigurationOrigin]]
}

/// What came of reading the configuration.
public struct LoadedConfiguration: Sendable {
    /// The configuration; nil where there is any problem: a broken one is never used.
    public let configuration: Configuration?
    /// Everything that is wrong, in the order of reading.
    public let problems: [ConfigurationProblem]
    /// What is accepted but without effect yet, and the like.
    public let notices: [ConfigurationProblem]
    /// The files that were read, in their order.
    public let files: [BytePath]
}
