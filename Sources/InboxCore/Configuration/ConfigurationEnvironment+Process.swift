import InboxLinux

extension ConfigurationEnvironment {
    /// The facts of this process.
    public static func ofThisProcess() -> ConfigurationEnvironment {
        let names = [
            "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "RUNTIME_DIRECTORY", "STATE_DIRECTORY",
        ]
        var variables: [[UInt8]: [UInt8]] = [:]
        for name in names { variables[Array(name.utf8)] = Process.environment(name) }
        return ConfigurationEnvironment(
            userID: Process.user, variables: variables,
            workingDirectory: Process.workingDirectory.map(BytePath.init(bytes:)),
            fallbackHome: Process.home.map(BytePath.init(bytes:)))
    }
}
