import Testing

@testable import InboxConfiguration
import InboxLinux
@testable import InboxFiling

/// A disk made of strings, and the shortest way to load from it.
struct ConfigurationFixture {
    var files: [String: [UInt8]] = [:]
    var unreadable: Set<String> = []
    var options = ConfigurationOptions()
    var variables = ["HOME": "/home/u"]
    var userID: UInt32 = 1000
    var scope: ConfigurationScope?
    var instance: String?

    init(_ text: String? = nil) {
        if let text { files["/home/u/.config/inboxd/inboxd.conf"] = Array(text.utf8) }
    }

    func load() -> LoadedConfiguration {
        var bytes: EnvironmentVariables = [:]
        for (name, value) in variables { bytes[Array(name.utf8)] = Array(value.utf8) }
        let environment = ConfigurationEnvironment(
            userID: userID, variables: bytes, workingDirectory: BytePath("/work/dir"))
        func content(_ path: BytePath) throws(ConfigurationReadError) -> [UInt8]? {
            if unreadable.contains(path.displayText) { throw ConfigurationReadError("Permission denied") }
            return files[path.displayText]
        }
        func names(_ folder: BytePath) throws(ConfigurationReadError) -> [FileName]? {
            if unreadable.contains(folder.displayText) { throw ConfigurationReadError("Permission denied") }
            let names = files.keys.map { BytePath($0) }.filter { $0.parent == folder }.compactMap(\.names.last)
            return names.isEmpty ? nil : names
        }
        return ConfigurationLoader.load(
            options, environment: environment, scope: scope, instance: instance,
            files: ConfigurationFiles(content: content, names: names))
    }

    /// The configuration, where there must be one.
    func configuration(_ location: SourceLocation = #_sourceLocation) throws -> Configuration {
        let loaded = load()
        return try #require(loaded.configuration, "\(loaded.report)", sourceLocation: location)
    }

    /// The problems as they are printed, the usual file's name shortened to `conf`.
    var problems: [String] { load().problems.map { Self.shortened($0) } }
    var notices: [String] { load().notices.map { Self.shortened($0) } }

    private static func shortened(_ problem: ConfigurationProblem) -> String {
        let name = "/home/u/.config/inboxd/inboxd.conf"
        let text = problem.description
        return text.hasPrefix(name) ? "conf" + text.dropFirst(name.count) : text
    }
}

extension StandardPlaces {
    static var ofMachine: StandardPlaces {
        StandardPlaces(environment: ConfigurationEnvironment(userID: 0, variables: [:]), scope: .system)
    }
}

func raw(_ text: String) -> [UInt8] { Array(text.utf8) }

func texts(_ words: [[UInt8]]) -> [String] { words.map { String(decoding: $0, as: UTF8.self) } }
