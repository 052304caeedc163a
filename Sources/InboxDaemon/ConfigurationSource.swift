import InboxConfiguration
import InboxLinux

/// Where a reload gets the configuration from.
package struct ConfigurationSource {
    /// Reads it.
    let load: () -> LoadedConfiguration
    /// Finds what is wrong with its folders, but for those on the mounts of servers and programs in a table: these may
    /// hang.
    let check: (Configuration, MountTable) -> [ConfigurationProblem]
    /// Why the last reload was refused, in the lines that were logged; empty once one has succeeded.
    var refusals: [String] = []

    /// Takes both.
    package init(
        load: @escaping () -> LoadedConfiguration,
        check: @escaping (Configuration, MountTable) -> [ConfigurationProblem]
    ) {
        self.load = load
        self.check = check
    }
}
