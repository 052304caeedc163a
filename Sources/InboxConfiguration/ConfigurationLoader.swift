import InboxLinux

/// The reason why a file or folder of the configuration could not be read.
package struct ConfigurationReadError: Error, Hashable, Sendable {
    /// The reason in words, such as *Permission denied*.
    package let reason: String

    /// Takes the words.
    package init(_ reason: String) {
        self.reason = reason
    }
}

/// The disk, as far as the configuration needs it; whoever may touch it hands this in.
package struct ConfigurationFiles {
    /// The content of a file; nil where there is none. It should refuse what is far larger than any configuration.
    package let content: (BytePath) throws(ConfigurationReadError) -> [UInt8]?
    /// The names in a folder, in any order; nil where there is no such folder.
    package let names: (BytePath) throws(ConfigurationReadError) -> [FileName]?

    /// Takes both ways in.
    package init(
        content: @escaping (BytePath) throws(ConfigurationReadError) -> [UInt8]?,
        names: @escaping (BytePath) throws(ConfigurationReadError) -> [FileName]?
    ) {
        self.content = content
        self.names = names
    }
}

/// Reads the configuration: built-in defaults, then files, then the command line; later wins (spec section 4).
package struct ConfigurationLoader {
    private let options: ConfigurationOptions
    private let environment: ConfigurationEnvironment
    private let places: StandardPlaces
    private let files: ConfigurationFiles
    private let paths: PathResolution
    private var assembly: ConfigurationAssembly
    private var filesRead: [BytePath] = []

    /// Reads everything and collects all problems.
    /// - Parameters:
    ///   - options: what the command line says.
    ///   - environment: the process's.
    ///   - scope: whose files; nil takes ``ConfigurationScope/usual(for:)``.
    ///   - instance: the NAME of `inboxd@NAME.service`.
    ///   - files: how to read.
    package static func load(
        _ options: ConfigurationOptions, environment: ConfigurationEnvironment, scope: ConfigurationScope? = nil,
        instance: String? = nil, files: ConfigurationFiles
    ) -> LoadedConfiguration {
        let isValid = instance.map(StandardPlaces.isValidInstance) ?? true
        let places = StandardPlaces(environment: environment, scope: scope, instance: isValid ? instance : nil)
        var loader = ConfigurationLoader(options, environment, places, files)
        if !isValid {
            loader.complain(.commandLine, "\(quotedExcerpt((instance ?? "").utf8)) cannot be the name of an instance")
        }
        return loader.load()
    }

    /// Reads the same places for their own types alone: where Documents, the Inboxes and the state folder are does not
    /// matter, nor whether there is any place for them.
    ///
    /// `instance` must be valid (``StandardPlaces/isValidInstance(_:)``); the rest is as for `load`.
    package static func loadTypes(
        _ options: ConfigurationOptions, environment: ConfigurationEnvironment, scope: ConfigurationScope? = nil,
        instance: String? = nil, files: ConfigurationFiles
    ) -> LoadedTypes {
        let places = StandardPlaces(environment: environment, scope: scope, instance: instance)
        var loader = ConfigurationLoader(options, environment, places, files)
        loader.takeFiles()
        loader.takeOptions()
        let types = loader.readTypes()
        return LoadedTypes(
            types: loader.assembly.problems.isEmpty ? types : nil,
            problems: ConfigurationProblem.bounded(loader.assembly.problems),
            notices: loader.assembly.notices)
    }

    private init(
        _ options: ConfigurationOptions, _ environment: ConfigurationEnvironment, _ places: StandardPlaces,
        _ files: ConfigurationFiles
    ) {
        self.options = options
        self.environment = environment
        self.places = places
        self.files = files
        paths = PathResolution(home: environment.home)
        assembly = ConfigurationAssembly(types: TypesSettings(places))
    }

    private mutating func takeFiles() {
        if let given = options.file {
            if let path = ownPath(given, "--config"), !take(path) {
                complain(.file(path.displayText, line: 0), "there is no such file")
            }
        } else {
            takeStandardFiles()
        }
    }

    private mutating func readTypes() -> ConfiguredTypes {
        var reading = TypeReading(files, paths)
        let types = reading.read(assembly)
        assembly.problems += reading.problems
        assembly.notices += reading.notices
        filesRead += reading.filesRead
        return types
    }

    private mutating func load() -> LoadedConfiguration {
        takeFiles()
        takeOptions()
        let types = readTypes()
        let stateFolder = options.state.map { ownPath($0, "--state") } ?? places.stateFolder
        let documents = defaultDocuments()
        var resolution = ConfigurationResolution(
            assembly, paths: paths, stateFolder: stateFolder,
            defaultSocket: places.controlSocket(stateFolder: stateFolder),
            defaultDocuments: documents, types: types)
        let configuration = resolution.finish()
        return LoadedConfiguration(
            configuration: configuration, problems: ConfigurationProblem.bounded(resolution.assembly.problems),
            notices: resolution.assembly.notices, files: filesRead)
    }

    private mutating func takeStandardFiles() {
        if let path = places.configurationFile { _ = take(path) }
        guard let folder = places.dropInFolder else { return }
        do throws(ConfigurationReadError) {
            for name in StandardPlaces.dropInNames(try files.names(folder) ?? []) {
                _ = take(folder.appending(name))
            }
        } catch {
            complain(.file(folder.displayText, line: 0), "the folder cannot be read: \(error.reason)")
        }
    }

    /// Takes one file; false where there is none.
    private mutating func take(_ path: BytePath) -> Bool {
        let label = path.displayText
        do throws(ConfigurationReadError) {
            guard let content = try files.content(path) else { return false }
            filesRead.append(path)
            assembly.take(ConfigurationParser.parse(content, label: label))
        } catch {
            complain(.file(label, line: 0), "the file cannot be read: \(error.reason)")
        }
        return true
    }

    private mutating func takeOptions() {
        for text in options.assignments {
            do throws(ValueProblem) {
                let section = try ConfigurationOptions.section(ofAssignment: text)
                for entry in section.entries { noteOverride(of: entry.key, in: section.name, by: "--set") }
                assembly.take(section)
            } catch {
                complain(.commandLine, "--set: \(error.text)")
            }
        }
        if let path = options.documents.flatMap({ ownPath($0, "--documents") }) {
            noteOverride(of: "Documents", in: "Inbox", by: "--documents")
            assembly.places.documents = InboxPlaces.Entry(path: path, origin: .commandLine, isLiteral: true)
        }
        if !options.inboxes.isEmpty {
            noteOverride(of: "Inbox", in: "Inbox", by: "--inbox")
            assembly.places.inboxes = options.inboxes.compactMap { path($0, "--inbox") }.map {
                InboxPlaces.Entry(path: $0, origin: .commandLine, isLiteral: true)
            }
            assembly.places.inboxOrigins = [.commandLine]
        }
        if let path = options.socket.flatMap({ ownPath($0, "--socket") }) {
            noteOverride(of: "Socket", in: "Control", by: "--socket")
            let value = Array(WordList.quoted(path.bytes).utf8)
            assembly.take(
                ParsedSection(
                    name: "Control", argument: nil, origin: .commandLine,
                    entries: [ParsedEntry(key: "Socket", value: value, origin: .commandLine)]))
        }
    }

    /// Notes that a line of a file has no effect because an option overrides it.
    private mutating func noteOverride(of key: String, in section: String, by option: String) {
        guard let origin = assembly.origin(of: key, in: section), case .file = origin else { return }
        assembly.notices.append(ConfigurationProblem(origin, "\(key)= has no effect: \(option) overrides it"))
    }

    /// A path of the command line, as it was given.
    private mutating func path(_ bytes: [UInt8], _ option: String) -> BytePath? {
        do throws(ValueProblem) { return try WordList.path(word: bytes) } catch {
            complain(.commandLine, "\(option): \(error.text)")
            return nil
        }
    }

    /// A path that the command line gave for itself: relative to where the daemon was started.
    private mutating func ownPath(_ bytes: [UInt8], _ option: String) -> BytePath? {
        do throws(ValueProblem) {
            let typed = try WordList.path(word: bytes)
            let whole = environment.workingDirectory.map { $0.appending(typed) }
            return try paths.literal(
                whole.flatMap(TypedPath.withoutDots) ?? typed, relativeTo: environment.workingDirectory)
        } catch {
            complain(.commandLine, "\(option): \(error.text)")
            return nil
        }
    }

    /// `XDG_DOCUMENTS_DIR` of `user-dirs.dirs`, else `~/Documents`. That file is not ours: what is wrong with it is
    /// worth a notice, and only where Documents depends on it.
    private mutating func defaultDocuments() -> InboxPlaces.Entry {
        let usual = InboxPlaces.Entry(path: BytePath("~/Documents"), origin: .builtIn)
        guard assembly.places.documents == nil, let home = environment.home, let file = places.userDirectoriesFile
        else { return usual }
        do throws(ConfigurationReadError) {
            guard let text = try files.content(file),
                let found = UserDirectories.documents(in: text, home: home)
            else { return usual }
            return InboxPlaces.Entry(
                path: found.path, origin: .file(file.displayText, line: found.line), isLiteral: true)
        } catch {
            assembly.notices.append(
                ConfigurationProblem(
                    .file(file.displayText, line: 0), "the file cannot be read: \(error.reason); ~/Documents is used"))
            return usual
        }
    }

    private mutating func complain(_ origin: ConfigurationOrigin, _ text: String) {
        assembly.problems.append(ConfigurationProblem(origin, text))
    }
}
