import InboxConfiguration
import InboxLinux

/// Where a reload gets the configuration from.
package struct ConfigurationSource {
    /// Reads it.
    let load: () -> LoadedConfiguration
    /// Finds what is wrong with its folders, but for those on the mounts of servers and programs in a table: these may
    /// hang.
    let check: (Configuration, MountTable) -> [ConfigurationProblem]
    /// The same for the folders that document types name, which a start reports and a reload refuses.
    let checkDestinations: (Configuration, MountTable) -> [ConfigurationProblem]
    /// Finds the folders that lie in others where they may not, with which nothing starts.
    let checkOverlaps: (Configuration, MountTable) -> [ConfigurationProblem]
    /// The reasons why the last reload was refused, as the lines that were logged; empty once one has succeeded.
    var refusals: [String] = []

    /// Takes all of them.
    package init(
        load: @escaping () -> LoadedConfiguration,
        check: @escaping (Configuration, MountTable) -> [ConfigurationProblem],
        checkDestinations: @escaping (Configuration, MountTable) -> [ConfigurationProblem] = { _, _ in [] },
        checkOverlaps: @escaping (Configuration, MountTable) -> [ConfigurationProblem] = { _, _ in [] }
    ) {
        self.load = load
        self.check = check
        self.checkDestinations = checkDestinations
        self.checkOverlaps = checkOverlaps
    }
}
