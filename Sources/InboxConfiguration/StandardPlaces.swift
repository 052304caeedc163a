import InboxLinux

/// Where things are when nobody says otherwise (spec sections 4, 5 and 6): a pure function of the environment.
package struct StandardPlaces: Sendable {
    /// The socket's name.
    package static let socketName = "io.inboxd.Inbox"

    private let environment: ConfigurationEnvironment
    private let scope: ConfigurationScope
    private let instance: String?

    /// Takes the facts.
    /// - Parameters:
    ///   - environment: the process's.
    ///   - scope: whose configuration; nil takes the usual one.
    ///   - instance: the NAME of `inboxd@NAME.service`; it must be valid (``isValidInstance(_:)``).
    package init(environment: ConfigurationEnvironment, scope: ConfigurationScope? = nil, instance: String? = nil) {
        self.environment = environment
        self.scope = scope ?? .usual(for: environment)
        self.instance = instance
    }

    /// Returns whether an instance's name can be part of a file's name: neither empty nor hidden, no slash, no
    /// control character, at most 200 bytes.
    package static func isValidInstance(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200 && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
    }

    /// `inboxd.conf`, or `NAME.conf` of an instance; nil for a person without a home.
    package var configurationFile: BytePath? {
        configurationFolder?.appending("\(instance ?? "inboxd").conf")
    }

    /// The folder of drop-in files: the configuration file's name followed by `.d`.
    package var dropInFolder: BytePath? {
        configurationFolder?.appending("\(instance ?? "inboxd").conf.d")
    }

    /// The names of a drop-in folder that are read, in their order: `*.conf`, not hidden, by bytes.
    package static func dropInNames(_ names: [FileName]) -> [FileName] {
        names.filter { !$0.isHidden && $0.bytes.suffix(5).elementsEqual(".conf".utf8) }.sorted()
    }

    /// The machine's folder of property lists with type declarations.
    static let machineTypesFolder = BytePath("/etc/inboxd/types.d")

    /// The folder of property lists with type declarations; nil for a person without a home.
    package var typesFolder: BytePath? {
        configurationFolder?.appending("types.d")
    }

    /// Where xdg-user-dirs keeps the places of Documents and the like; nil without a home.
    package var userDirectoriesFile: BytePath? {
        userConfigurationFolder?.appending("user-dirs.dirs")
    }

    /// The state folder; nil without any place for it.
    package var stateFolder: BytePath? {
        if let given = environment.absolutePath("STATE_DIRECTORY", isList: true) { return given }
        let base =
            environment.absolutePath("XDG_STATE_HOME") ?? environment.home?.appending(".local/state")
            ?? (scope == .system ? BytePath("/var/lib") : nil)
        return base?.appending(folderName)
    }

    /// The control socket's path; nil without any place for it.
    /// - Parameter stateFolder: the one in force, which is private: the socket lies there where there is no runtime
    ///   folder.
    package func controlSocket(stateFolder: BytePath?) -> BytePath? {
        if let given = environment.absolutePath("RUNTIME_DIRECTORY", isList: true) {
            return given.appending(Self.socketName)
        }
        if let runtime = environment.absolutePath("XDG_RUNTIME_DIR") { return socket(in: runtime) }
        return scope == .system ? socket(in: BytePath("/run")) : stateFolder?.appending(Self.socketName)
    }

    /// Where a client looks for a daemon, in this order; the first that accepts a connection is used.
    ///
    /// `INBOXD_SOCKET` alone where it is set (a relative one starts at the working directory), an instance's socket
    /// alone where one is named, else the person's and then the machine's.
    package var clientSockets: [BytePath] {
        let system = socket(in: BytePath("/run"))
        if instance != nil { return [system] }
        if let given = environment.variables[Array("INBOXD_SOCKET".utf8)], !given.isEmpty,
            let given = BytePath(bytes: given)
        {
            return [(environment.workingDirectory ?? BytePath("")).appending(given)]
        }
        let runtime = environment.absolutePath("XDG_RUNTIME_DIR") ?? BytePath("/run/user/\(environment.userID)")
        return [socket(in: runtime), stateFolder?.appending(Self.socketName), system].compactMap { $0 }
    }

    private var folderName: String { instance.map { "inboxd-\($0)" } ?? "inboxd" }

    private var userConfigurationFolder: BytePath? {
        environment.absolutePath("XDG_CONFIG_HOME") ?? environment.home?.appending(".config")
    }

    private var configurationFolder: BytePath? {
        switch scope {
        case .system: BytePath("/etc/inboxd")
        case .user: userConfigurationFolder?.appending("inboxd")
        }
    }

    private func socket(in folder: BytePath) -> BytePath {
        folder.appending(folderName).appending(Self.socketName)
    }
}
