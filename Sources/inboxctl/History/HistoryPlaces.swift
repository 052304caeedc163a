import InboxConfiguration
import InboxLinux
import InboxVarlink

extension Option {
    /// Where the history is.
    static let state = Option(name: "state", argument: "DIR", help: "read the history in this state folder")
}

/// Where the files of a history may be.
struct HistoryPlaces {
    let invocation: Invocation

    /// The first state folder that has a history: the one that is named, else the person's, else the system's.
    func open() throws(CommandFailure) -> HistoryFiles { try find().files }

    /// The same, and where it is.
    func find() throws(CommandFailure) -> (folder: BytePath, files: HistoryFiles) {
        let folders = try candidates()
        for folder in folders {
            do throws(SyscallError) {
                if let files = try HistoryFiles(folder: folder) { return (folder, files) }
            } catch  where error.errno.isAbsent {
                continue
            } catch {
                let advice = error.errno.isDenied ? " (it is private to the daemon's user)" : ""
                throw .failed("\(folder.displayText): \(error.errno)\(advice)")
            }
        }
        throw .failed("there is no history in \(folders.map(\.displayText).joined(separator: " or "))")
    }

    private func candidates() throws(CommandFailure) -> [BytePath] {
        let environment = invocation.surroundings.environment
        if let given = invocation.arguments.value("state") {
            guard !given.isEmpty, let folder = BytePath(bytes: given) else { throw .usage("--state needs a folder") }
            return [folder]
        }
        let instance = try invocation.arguments.text("instance")
        if let instance, !StandardPlaces.isValidInstance(instance) {
            throw .usage("\"\(printable(instance.utf8))\" cannot be the name of an instance")
        }
        let nobody = ConfigurationEnvironment(userID: 0, variables: [:])
        let system = StandardPlaces(environment: nobody, scope: .system, instance: instance).stateFolder
        let own = instance == nil ? StandardPlaces(environment: environment).stateFolder : nil
        return [own, own == system ? nil : system].compactMap { $0 }
    }
}
