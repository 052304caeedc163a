import InboxLinux

/// The `[Control]` section.
package struct ControlSettings: Sendable, Equatable {
    /// Where the socket is to be; nil for the usual place (``StandardPlaces/controlSocket(stateFolder:)``). In a
    /// finished ``Configuration`` it is the path in force, as ``Configuration/socket`` is.
    package var socket: BytePath?
    /// The socket's mode, up to 0777.
    package var socketMode: UInt32 = 0o600
    /// Users who may change things, beside root and the daemon's own.
    package var allowUsers: [[UInt8]] = []
    /// Groups whose members may.
    package var allowGroups: [[UInt8]] = []
    /// Users who may deliver by `Put`.
    package var putAllowUsers: [[UInt8]] = []
    /// Groups whose members may.
    package var putAllowGroups: [[UInt8]] = []

    /// The built-in defaults.
    package init() {}
}

extension ControlSettings: SettingsSection {
    static let sectionName = "Control"

    static let fields: [SettingField<ControlSettings>] = [
        .scalar("Socket", \.socket, ValueFormat.path.optional()),
        .scalar("SocketMode", \.socketMode, .mode.checked("0000 to 0777") { $0 <= 0o777 }),
        .list("AllowUsers", \.allowUsers),
        .list("AllowGroups", \.allowGroups),
        .list("PutAllowUsers", \.putAllowUsers),
        .list("PutAllowGroups", \.putAllowGroups),
    ]

    /// Keys that earlier versions had, of what is a constant now.
    static let formerKeys: Set = [
        "PutMax", "MaxConnections", "MaxConnectionsPerUser", "IdleTimeout", "MaxMessage", "EventBuffer",
    ]
}

extension ValueFormat where Value == BytePath {
    /// A path, as it is or as one quoted word; what it is relative to is decided later.
    static let path = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> BytePath in
            try WordList.path(bytes)
        }, text: { WordList.quoted($0.bytes) })
}
