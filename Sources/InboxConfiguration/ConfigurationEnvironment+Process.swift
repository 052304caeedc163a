import InboxLinux

extension ConfigurationEnvironment {
    /// The facts of this process.
    package static func ofThisProcess() -> ConfigurationEnvironment {
        let names = [
            "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "RUNTIME_DIRECTORY", "STATE_DIRECTORY",
        ]
        var environment = ConfigurationEnvironment(
            userID: Process.user, variables: [:],
            workingDirectory: Process.workingDirectory.flatMap(BytePath.init(bytes:)))
        for name in names { environment.variables[Array(name.utf8)] = Process.environment(name) }
        // The user database may be a server of the network: it is asked only where the environment has no answer.
        if environment.home == nil { environment.fallbackHome = Process.home.flatMap(BytePath.init(bytes:)) }
        return environment
    }
}

extension BytePath {
    /// The home folder of the person who runs this process; nil for the daemon of a machine.
    package static var ownHome: BytePath? {
        let environment = ConfigurationEnvironment.ofThisProcess()
        guard ConfigurationScope.usual(for: environment) == .user else { return nil }
        return environment.home
    }
}
