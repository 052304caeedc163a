import InboxLinux

/// The folders in which the freedesktop MIME database is searched, and the path of `mime.types`.
package struct MIMEDatabasePlaces: Sendable {
    /// The folders that hold a `mime` folder each, the one that counts most first; absolute paths.
    package var dataFolders: [BytePath]
    /// `mime.types`, an absolute path; nil for none.
    package var mimeTypes: BytePath?

    /// These places.
    package init(dataFolders: [BytePath], mimeTypes: BytePath?) {
        self.dataFolders = dataFolders
        self.mimeTypes = mimeTypes
    }

    /// No places: the built-in knowledge alone.
    package static let none = MIMEDatabasePlaces(dataFolders: [], mimeTypes: nil)

    /// The places of the XDG Base Directory specification for these values of `HOME`, `XDG_DATA_HOME` and
    /// `XDG_DATA_DIRS`, and `/etc/mime.types`. Paths that are not absolute do not count.
    package init(home: [UInt8]?, dataHome: [UInt8]?, dataDirs: [UInt8]?) {
        func absolute(_ path: some Collection<UInt8>) -> BytePath? {
            BytePath(bytes: Array(path)).flatMap { $0.isAbsolute ? $0 : nil }
        }
        var folders: [BytePath] = []
        if let dataHome = dataHome.flatMap(absolute) {
            folders.append(dataHome)
        } else if let home = home.flatMap(absolute) {
            folders.append(home.appending(".local/share"))
        }
        let shared = dataDirs.flatMap { $0.isEmpty ? nil : $0 } ?? Array("/usr/local/share:/usr/share".utf8)
        folders += shared.split(separator: UInt8(ascii: ":")).compactMap(absolute).prefix(32)
        self.init(dataFolders: folders, mimeTypes: BytePath("/etc/mime.types"))
    }
}

/// The freedesktop MIME database and `mime.types` in compact tables.
final class MIMEDatabase: Sendable {
    let relations: MIMERelations
    let globs: MIMEGlobs
    /// The files of content rules.
    private let ruleFiles: [[UInt8]]
    /// The rules of these files, parsed when content is first compared with them: what the table of formats knows for
    /// sure needs none.
    private let rules: Once<Rules>
    /// `mime.types`, which is read when a name is asked for that the database does not know.
    let list: MIMETypesFile
    /// Files that are there but could not be read.
    let problems: [DatabaseProblem]

    /// The largest file that is read: the usual ones have some 30 KB.
    static let largestFile = 4 << 20

    /// Reads what is there; the built-in formats and their relations join in.
    init(reading places: MIMEDatabasePlaces, adding formats: FormatTable? = nil) {
        list = MIMETypesFile(path: places.mimeTypes)
        var relations = MIMERelations()
        var globs = MIMEGlobs()
        var ruleFiles: [[UInt8]] = []
        var problems: [DatabaseProblem] = []
        for folder in places.dataFolders {
            let database = folder.appending("mime")
            guard Self.isThere(database) else { continue }
            func read(_ name: StaticString) -> [UInt8]? { Self.file(database.appending("\(name)"), &problems) }
            if let aliases = read("aliases") { relations.readAliases(aliases) }
            if let subclasses = read("subclasses") { relations.readSubclasses(subclasses) }
            if let globs2 = read("globs2") { globs.read(globs2) }
            if let magic = read("magic") { ruleFiles.append(magic) }
        }
        let rules = Once { [ruleFiles] in Rules(ruleFiles) }
        let globNames = globs.addNames
        relations.finish(adding: formats) { names in
            globNames(&names)
            rules.value.magic.addNames(&names)
            guard let formats else { return }
            for format in formats.formats {
                if format.hasMIME { _ = names.add(format.mimeWord.bytes) }
                if let superclass = format.superclass { _ = names.add(superclass) }
            }
        }
        globs.finish(relations.names)
        self.relations = relations
        self.globs = globs
        self.ruleFiles = ruleFiles
        self.rules = rules
        self.problems = problems
    }

    /// Returns whether the folder may exist: most of the places have none, and then four files need not be looked up.
    private static func isThere(_ folder: BytePath) -> Bool {
        do throws(SyscallError) {
            _ = try FileStatus(path: folder)
            return true
        } catch {
            return !error.errno.isAbsent
        }
    }

    private static func file(_ path: BytePath, _ problems: inout [DatabaseProblem]) -> [UInt8]? {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: path)
            let size = Int(clamping: try file.status().size)
            let expected = min(max(size, 1), largestFile + 1)
            if let content = try file.contents(limit: largestFile, expected: expected) { return content }
            problems.append(DatabaseProblem(path: path, reason: "it is larger than \(largestFile) bytes"))
        } catch {
            if !error.errno.isAbsent { problems.append(DatabaseProblem(path: path, reason: "\(error)")) }
        }
        return nil
    }

    /// The content rules.
    var magic: MIMEMagic { _read { yield rules.value.magic } }

    /// Returns whether there are content rules for a MIME type, without parsing them.
    func hasRules(_ mime: Int32) -> Bool {
        ([mime] + relations.aliases(of: mime)).contains { name in
            let heading = [UInt8(ascii: ":")] + relations.names.name(name) + Array("]\n".utf8)
            return ruleFiles.contains { $0.contains(heading) }
        }
    }

    /// The parsed content rules.
    private final class Rules: Sendable {
        let magic: MIMEMagic

        init(_ files: [[UInt8]]) {
            var magic = MIMEMagic()
            for file in files { magic.read(file) }
            magic.finish()
            self.magic = magic
        }
    }
}
