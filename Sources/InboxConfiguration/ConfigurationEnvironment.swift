import InboxLinux

/// The facts about the process that the configuration needs; passed in, so that every rule can be tested.
package struct ConfigurationEnvironment: Sendable {
    /// The effective user.
    package var userID: UInt32
    /// The environment, byte for byte.
    package var variables: EnvironmentVariables
    /// Where relative paths of the command line start; nil where it is unknown (then they are refused).
    package var workingDirectory: BytePath?
    /// The home folder from the user database, for when `HOME` is not set.
    package var fallbackHome: BytePath?

    /// Takes the facts.
    package init(
        userID: UInt32, variables: EnvironmentVariables, workingDirectory: BytePath? = nil,
        fallbackHome: BytePath? = nil
    ) {
        self.userID = userID
        self.variables = variables
        self.workingDirectory = workingDirectory
        self.fallbackHome = fallbackHome
    }

    /// The home folder; nil where none is known. A relative `HOME` does not count.
    package var home: BytePath? { absolutePath("HOME") ?? fallbackHome?.normalized }

    /// A variable that holds an absolute path, normalised. Unset, empty and relative ones are nil, as the XDG base
    /// directory specification asks; of a list with colons (systemd's `STATE_DIRECTORY`) the first counts where
    /// `isList` says so.
    func absolutePath(_ name: String, isList: Bool = false) -> BytePath? {
        guard let value = variables[Array(name.utf8)] else { return nil }
        let path = isList ? value.prefix { $0 != UInt8(ascii: ":") } : value[...]
        guard path.first == UInt8(ascii: "/") else { return nil }
        return BytePath(bytes: Array(path))?.normalized
    }
}

/// Variables of an environment, byte for byte: those few that matter, in no order.
///
/// A list, not a dictionary: every command makes one at its start, and the first dictionary of byte strings costs a
/// program more than all its arguments do.
package struct EnvironmentVariables: Sendable, ExpressibleByDictionaryLiteral {
    /// No tuple, for which an array costs a start three times as much.
    private struct Entry: Sendable {
        let name: [UInt8]
        let value: [UInt8]
    }

    private var entries: [Entry] = []

    /// These variables; of one that is named twice the last counts.
    package init(dictionaryLiteral elements: ([UInt8], [UInt8])...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a variable; nil where it is not set.
    package subscript(name: [UInt8]) -> [UInt8]? {
        get { entries.first { $0.name == name }?.value }
        set {
            entries.removeAll { $0.name == name }
            if let newValue { entries.append(Entry(name: name, value: newValue)) }
        }
    }
}

/// Whose configuration is read.
package enum ConfigurationScope: Hashable, Sendable {
    /// That of the machine, under `/etc/inboxd`.
    case system
    /// That of the person, under `$XDG_CONFIG_HOME/inboxd`.
    case user

    /// The default rule: root and the users of services (below 1000) read the machine's, everybody else their own.
    ///
    /// A set `XDG_CONFIG_HOME` speaks for the person even then: no system service has it.
    package static func usual(for environment: ConfigurationEnvironment) -> ConfigurationScope {
        environment.userID < 1000 && environment.absolutePath("XDG_CONFIG_HOME") == nil ? .system : .user
    }
}
