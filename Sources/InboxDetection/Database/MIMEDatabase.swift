import InboxLinux

/// The folders in which the freedesktop MIME database is searched, and the path of `mime.types`.
package struct MIMEDatabasePlaces: Sendable {
    /// The folders that hold a `mime` folder each, the one that counts most first; absolute paths.
    package var dataFolders: [[UInt8]]
    /// `mime.types`, an absolute path; nil for none.
    package var mimeTypes: [UInt8]?

    /// These places.
    package init(dataFolders: [[UInt8]], mimeTypes: [UInt8]?) {
        self.dataFolders = dataFolders
        self.mimeTypes = mimeTypes
    }

    /// No places: the built-in knowledge alone.
    package static let none = MIMEDatabasePlaces(dataFolders: [], mimeTypes: nil)

    /// The places of the XDG Base Directory specification for these values of `HOME`, `XDG_DATA_HOME` and
    /// `XDG_DATA_DIRS`, and `/etc/mime.types`. Paths that are not absolute do not count.
    package init(home: [UInt8]?, dataHome: [UInt8]?, dataDirs: [UInt8]?) {
        func isAbsolute(_ path: some Collection<UInt8>) -> Bool { path.first == UInt8(ascii: "/") }
        var folders: [[UInt8]] = []
        if let dataHome, isAbsolute(dataHome) {
            folders.append(dataHome)
        } else if let home, isAbsolute(home) {
            folders.append(home + Array("/.local/share".utf8))
        }
        let shared = dataDirs.flatMap { $0.isEmpty ? nil : $0 } ?? Array("/usr/local/share:/usr/share".utf8)
        folders += shared.split(separator: UInt8(ascii: ":")).filter(isAbsolute).prefix(32).map { Array($0) }
        self.init(dataFolders: folders, mimeTypes: Array("/etc/mime.types".utf8))
    }
}

/// The freedesktop MIME database and `mime.types` in compact tables.
struct MIMEDatabase: ~Copyable, Sendable {
    private(set) var relations = MIMERelations()
    private(set) var globs = MIMEGlobs()
    private(set) var magic = MIMEMagic()
    /// `mime.types`, which is read when a name is asked for that the database does not know.
    let list: MIMETypesFile
    /// Whether a freedesktop database was found, so that its names are the canonical ones.
    private(set) var isInstalled = false
    /// Files that are there but could not be read.
    private(set) var problems: [DatabaseProblem] = []

    /// The largest file that is read: the usual ones have some 30 KB.
    static let largestFile = 4 << 20

    /// The number of the MIME type of each built-in format, as the table of formats spells it.
    private(set) var numberOfFormat: [Int32] = []

    /// Reads what is there; the built-in formats and their relations join in.
    init(
        reading places: MIMEDatabasePlaces, adding formats: UnsafeBufferPointer<Format> = .init(start: nil, count: 0)
    ) {
        list = MIMETypesFile(path: places.mimeTypes)
        var hiddenGlobs: [Int32] = []
        var hiddenMagic: [Int32] = []
        for folder in places.dataFolders {
            let database = folder + Array("/mime".utf8)
            guard Self.isThere(database) else { continue }
            func read(_ name: StaticString) -> [UInt8]? { file(database + Array("/\(name)".utf8)) }
            if let aliases = read("aliases") { relations.readAliases(aliases) }
            if let subclasses = read("subclasses") { relations.readSubclasses(subclasses) }
            if let globs2 = read("globs2") {
                isInstalled = true
                globs.read(globs2, hidden: &hiddenGlobs, names: &relations)
            }
            if let rules = read("magic") { magic.read(rules, hidden: &hiddenMagic, names: &relations) }
        }
        numberOfFormat.reserveCapacity(formats.count)
        for format in formats {
            let number = relations.number(format.mimeWord.bytes)
            numberOfFormat.append(number)
            if let superclass = format.superclass { relations.add(number, subclassOf: superclass) }
        }
        relations.finish()
        globs.finish()
        magic.finish()
    }

    /// Whether the folder may be there: most of the places have none, and then four files need not be asked for.
    private static func isThere(_ folder: [UInt8]) -> Bool {
        do throws(SyscallError) {
            _ = try FileStatus(path: folder)
            return true
        } catch {
            return !error.errno.isAbsent
        }
    }

    private mutating func file(_ path: [UInt8]) -> [UInt8]? {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: path)
            let size = Int(clamping: try file.status().size)
            return try file.contents(limit: Self.largestFile, expected: min(max(size, 1), Self.largestFile + 1))
        } catch {
            if !error.errno.isAbsent { problems.append(DatabaseProblem(path: BytePath(bytes: path), error: error)) }
            return nil
        }
    }

    /// How many bytes of memory the tables hold.
    var footprint: Int { relations.footprint + globs.footprint + magic.footprint + list.footprint }
}
