import InboxConfiguration
import InboxDetection
import InboxFiling
import UniformTypeIdentifiers

extension Option {
    /// Where own types are declared.
    static let config = Option(
        name: "config", argument: "FILE", help: "read own types from this file, not from the standard places")
}

extension Invocation {
    /// Puts the own types of the configuration in force, and makes a detector that knows them.
    func detector() throws(CommandFailure) -> Detector {
        TableImages.use()
        let types = try ownTypes()
        // This process declared nothing before, so that there is nothing to take back either.
        guard !types.declarations.isEmpty else { return Detector(places: surroundings.database) }
        do throws(UTTypeDeclarationError) {
            return try types.declare(places: surroundings.database)
        } catch {
            throw CommandFailure(status: .configuration, message: printableWords(error.description))
        }
    }

    private func ownTypes() throws(CommandFailure) -> ConfiguredTypes {
        var options = ConfigurationOptions()
        options.file = arguments.value("config")
        let instance = try arguments.text("instance")
        if let instance, !StandardPlaces.isValidInstance(instance) {
            throw .usage("\"\(printable(instance.utf8))\" cannot be the name of an instance")
        }
        let loaded = ConfigurationLoader.loadTypes(
            options, environment: surroundings.environment, scope: instance == nil ? nil : .system,
            instance: instance, files: surroundings.files)
        if let types = loaded.types { return types }
        let first = loaded.problems.first.map(\.description) ?? "the configuration is broken"
        throw CommandFailure(status: .configuration, message: first + otherProblems(loaded.problems.count - 1))
    }
}
