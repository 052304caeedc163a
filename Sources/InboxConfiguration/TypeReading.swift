import InboxLinux
import UniformTypeIdentifiers

/// Gathers the own types out of the sections and the property lists, and finds what is wrong with them together.
struct TypeReading {
    /// The location of a declaration: the file or folder, and its name there.
    private struct Location {
        let origin: ConfigurationOrigin
        /// In a property list the entry, such as `UTExportedTypeDeclarations[0]`.
        let entry: String?
        /// In a section the keys that were set.
        let keys: [String: [ConfigurationOrigin]]
    }

    /// Which declaration the type library speaks of: the command line may be the origin of several.
    private struct Declared: Hashable {
        let origin: String?
        let identifier: String?
    }

    /// More files in all folders together are no declarations of applications.
    static let mostFiles = 4096

    private let files: ConfigurationFiles
    private let paths: PathResolution
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var notices: [ConfigurationProblem] = []
    private(set) var filesRead: [BytePath] = []
    private var declarations: [UTTypeDeclaration] = []
    private var locations: [Declared: Location] = [:]
    private var documentTypes: [DocumentTypeReading.Entry] = []

    init(_ files: ConfigurationFiles, _ paths: PathResolution) {
        self.files = files
        self.paths = paths
    }

    /// Reads everything; a configuration with problems is not to be used.
    mutating func read(_ assembly: ConfigurationAssembly) -> ConfiguredTypes {
        let sections = assembly.typeSections.types
        for section in sections {
            add(
                section.settings.declaration(of: section.identifier, origin: section.origin),
                Location(origin: section.origin, entry: nil, keys: section.origins))
        }
        let folders = resolve(assembly.types)
        for folder in folders { readFolder(folder.path, of: folder.origin) }
        check()
        var resolved = TypesSettings()
        resolved.declarations = folders.map(\.path.bytes)
        return ConfiguredTypes(
            declarations: declarations,
            magic: sections.filter { !$0.settings.magic.isEmpty }
                .map { TypeMagic(identifier: $0.identifier, alternatives: $0.settings.magic) },
            sections: sections, folders: resolved, documentTypes: readDocumentTypes(assembly.documentTypeSections),
            foldersBase: assembly.types.base,
            foldersOrigins: assembly.types.origins)
    }

    /// A folder of declarations, and who wants it to be there; nil where it need not be.
    private struct Folder {
        let path: BytePath
        let origin: ConfigurationOrigin?
    }

    private mutating func resolve(_ settings: TrackedSettings<TypesSettings>) -> [Folder] {
        let origin = settings.origins["Declarations"]?.last
        // An array, since there are few of them: a set would search the program for the conformance to `Hashable`.
        var known: [BytePath] = []
        return settings.values.declarations.compactMap { word in
            do throws(ValueProblem) {
                let path = try paths.resolve(try WordList.path(word: word), relativeTo: nil)
                guard !known.contains(path) else { return nil }
                known.append(path)
                // The standard folders need not be there; what somebody named otherwise should.
                let isStandard = settings.base.declarations.contains(word) || path == StandardPlaces.machineTypesFolder
                return Folder(path: path, origin: isStandard ? nil : origin)
            } catch {
                problems.append(ConfigurationProblem(origin ?? .builtIn, "Declarations: \(error.text)"))
                return nil
            }
        }
    }

    private mutating func readFolder(_ folder: BytePath, of origin: ConfigurationOrigin?) {
        let label = folder.displayText
        do throws(ConfigurationReadError) {
            guard let names = try files.names(folder) else {
                if let origin {
                    notices.append(ConfigurationProblem(origin, "Declarations: there is no folder \(label)"))
                }
                return
            }
            for name in Self.propertyLists(among: names) { readFile(folder.appending(name)) }
        } catch {
            problems.append(ConfigurationProblem(.file(label, line: 0), "the folder cannot be read: \(error.reason)"))
        }
    }

    /// The names that are read, in their order: `*.plist`, not hidden, by bytes.
    private static func propertyLists(among names: [FileName]) -> [FileName] {
        names.filter { !$0.isHidden && $0.bytes.suffix(6).elementsEqual(".plist".utf8) }.sorted()
    }

    private mutating func readFile(_ path: BytePath) {
        let label = path.displayText
        guard filesRead.count < Self.mostFiles else {
            if filesRead.count == Self.mostFiles {
                problems.append(
                    ConfigurationProblem(
                        .file(label, line: 0), "there are more than \(Self.mostFiles) property lists"))
                filesRead.append(path)
            }
            return
        }
        let bytes: [UInt8]
        do throws(ConfigurationReadError) {
            // One that went away since the folder was read is as good as never there.
            guard let content = try files.content(path) else { return }
            bytes = content
        } catch {
            problems.append(ConfigurationProblem(.file(label, line: 0), "the file cannot be read: \(error.reason)"))
            return
        }
        filesRead.append(path)
        do throws(PropertyListError) {
            take(try PropertyListDeclarations(bytes, label: label), label)
        } catch {
            problems.append(
                ConfigurationProblem(.file(label, line: error.line ?? 0), EscapedBytes.hidingControls(error.reason)))
        }
    }

    private mutating func take(_ list: PropertyListDeclarations, _ label: String) {
        // An origin is `label: entry`.
        func location(_ origin: String?) -> Location {
            let entry = origin.map { String(decoding: $0.utf8.dropFirst(label.utf8.count + 2), as: UTF8.self) }
            let line = entry.flatMap { list.entryLines[$0] } ?? 0
            return Location(origin: .file(label, line: line), entry: entry, keys: [:])
        }
        for declaration in list.types { add(declaration, location(declaration.origin)) }
        for problem in list.problems { report(problem, at: location(problem.origin)) }
        documentTypes += list.documentTypes.map { declaration in
            let place = location(declaration.origin)
            return DocumentTypeReading.Entry(
                declaration: declaration, name: place.entry ?? "CFBundleDocumentTypes", origin: place.origin)
        }
    }

    private mutating func readDocumentTypes(_ sections: DocumentTypeSections) -> [ConfiguredDocumentType] {
        guard !sections.isEmpty || !documentTypes.isEmpty else { return [] }
        var reading = DocumentTypeReading(declarations)
        var result = reading.read(sections)
        result += reading.read(documentTypes)
        problems += reading.problems
        notices += reading.notices
        return result
    }

    private mutating func add(_ declaration: UTTypeDeclaration, _ location: Location) {
        locations[Declared(origin: declaration.origin, identifier: declaration.identifier)] = location
        declarations.append(declaration)
    }

    /// Finds what only shows when all are known: unknown supertypes, circles, claims on what others have.
    private mutating func check() {
        guard !declarations.isEmpty else { return }
        var advice = SupertypeAdvice(declarations)
        for problem in UTType.problems(in: declarations) {
            let location =
                locations[Declared(origin: problem.origin, identifier: problem.identifier)]
                ?? Location(origin: .builtIn, entry: nil, keys: [:])
            report(problem, at: location, advice: problem.rule == .unknownSupertype ? advice.next(for: problem) : "")
        }
    }

    private mutating func report(_ problem: UTTypeDeclarationProblem, at location: Location, advice: String = "") {
        let words = [location.entry, problem.identifier, problem.message].compactMap(\.self).joined(separator: ": ")
        // A property list says it by the array that the declaration is in.
        let key = problem.rule == .builtInIdentifier && location.entry == nil ? " (Imported=yes)" : ""
        let text = EscapedBytes.hidingControls(words + advice + key)
        let origin = problem.key.flatMap { location.keys[$0]?.last } ?? location.origin
        if problem.rule.isFatal {
            problems.append(ConfigurationProblem(origin, text))
        } else {
            notices.append(ConfigurationProblem(origin, text))
        }
    }
}

extension UTTypeDeclarationProblem {
    /// The key of a section whose line is to be mended; nil for the section's header.
    fileprivate var key: String? {
        switch rule {
        case .unknownSupertype, .noSupertype, .conformanceCycle: "ConformsTo"
        case .contestedTag, .malformedTag: message.hasPrefix(".") ? "Extensions" : "MIMETypes"
        default: nil
        }
    }
}
