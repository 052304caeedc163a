import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

extension Configuration {
    /// One whose document type P has a handler. It is read from this folder, which is the state folder too.
    static func withHandler(in folder: TemporaryFolder, _ settings: String = "") throws -> Configuration {
        let text = "[DocumentType P]\nContentTypes=public.jpeg\nRun=/bin/true\n" + settings
        try folder.write("conf", "[Inbox]\nDocuments=\(folder.path)/d\n" + text)
        return try inFile("conf", of: folder, state: folder)
    }

    /// The configuration of a file.
    static func inFile(_ name: String, of folder: TemporaryFolder, state: TemporaryFolder) throws -> Configuration {
        var options = ConfigurationOptions()
        options.file = folder.bytePath(name).bytes
        options.state = state.bytePath().bytes
        let environment = ConfigurationEnvironment(
            userID: 1000, variables: [Array("HOME".utf8): folder.bytePath().bytes])
        return try #require(ConfigurationLoader.load(options, environment: environment, files: .disk).configuration)
    }
}

extension ArrivalID {
    /// A number for tests of what only hands it through.
    static func unit(_ number: UInt64) -> ArrivalID { ArrivalID(number: number) }
}
