import InboxLinux

/// One Inbox and its settings in force.
package struct ConfiguredInbox: Sendable, Equatable {
    /// The folder: absolute, normalised, not looked up on the disk.
    package let path: BytePath
    /// Where its place in the list came from.
    package let origin: ConfigurationOrigin
    /// `[Inbox]` with `[Inbox PATH]` over it.
    package internal(set) var settings: InboxSettings
    /// The keys that `[Inbox PATH]` set, and where.
    package let overrides: [String: [ConfigurationOrigin]]
}

/// The whole configuration in force, free of problems. All paths are absolute and normalised.
package struct Configuration: Sendable, Equatable {
    /// The Documents folder.
    package let documents: BytePath
    /// At least one Inbox; none lies in another, nor Documents or the state folder in any.
    package let inboxes: [ConfiguredInbox]
    /// `[Inbox]`, before any `[Inbox PATH]`.
    package let inboxDefaults: InboxSettings
    /// `[History]`.
    package let history: HistorySettings
    /// `[Control]`.
    package let control: ControlSettings
    /// `[Notice]`, in the order of the configuration.
    package let notices: [ConfiguredNotice]
    /// `[Type]` and `[Types]`.
    package let ownTypes: ConfiguredTypes
    /// The control socket's path in force.
    package let socket: SocketAddress
    /// The state folder.
    package let stateFolder: BytePath

    /// Where Documents came from.
    package let documentsOrigin: ConfigurationOrigin
    let inboxOrigins: [ConfigurationOrigin]
    package let inboxDefaultsOrigins: [String: [ConfigurationOrigin]]
    let historyOrigins: [String: [ConfigurationOrigin]]
    let controlOrigins: [String: [ConfigurationOrigin]]

    /// Where the socket's place came from; nil for the usual one.
    package var socketOrigin: ConfigurationOrigin? { controlOrigins["Socket"]?.last }
}

/// The result of reading the configuration.
package struct LoadedConfiguration: Sendable {
    /// The configuration; nil where there is any problem: a broken one is never used.
    package let configuration: Configuration?
    /// Everything that is wrong, in the order of reading.
    package let problems: [ConfigurationProblem]
    /// The settings that are accepted but have no effect yet, and the like.
    package let notices: [ConfigurationProblem]
    /// The files that were read, in their order.
    package let files: [BytePath]
}
