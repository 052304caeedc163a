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
    /// The largest delivery in bytes; nil for no limit.
    package var putMax: Int64?
    /// Connections at a time, 1 to 65536.
    package var maxConnections = 64
    /// Connections at a time of one user, 1 to 65536.
    package var maxConnectionsPerUser = 16
    /// How long a client may be idle; zero for ever. Who follows the events is not idle.
    package var idleTimeout = Duration.seconds(300)
    /// The largest request in bytes, 1 KiB to 64 MiB.
    package var maxMessage: Int64 = 64 << 10
    /// Events kept for subscribers, 1 to 1048576.
    package var eventBuffer = 4096

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
        .scalar("PutMax", \.putMax, ValueFormat.size.optional()),
        .scalar("MaxConnections", \.maxConnections, .connections),
        .scalar("MaxConnectionsPerUser", \.maxConnectionsPerUser, .connections),
        .scalar("IdleTimeout", \.idleTimeout, .timeSpan),
        .scalar("MaxMessage", \.maxMessage, .size.checked("1K to 64M") { (1 << 10...64 << 20).contains($0) }),
        .scalar("EventBuffer", \.eventBuffer, .count.checked("1 to 1048576") { (1...1 << 20).contains($0) }),
    ]
}

extension ValueFormat where Value == Int {
    fileprivate static let connections = count.checked("1 to 65536") { (1...65536).contains($0) }
}

extension ValueFormat where Value == BytePath {
    /// A path, as it is or as one quoted word; what it is relative to is decided later.
    static let path = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> BytePath in
            try WordList.path(bytes)
        }, text: { WordList.quoted($0.bytes) })
}
