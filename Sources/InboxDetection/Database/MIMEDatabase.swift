import InboxLinux

/// Where the freedesktop MIME database and `mime.types` are looked for.
public struct MIMEDatabasePlaces: Sendable {
    /// The folders that hold a `mime` folder each, the one that counts most first; absolute paths.
    public var dataFolders: [[UInt8]]
    /// `mime.types`, an absolute path; nil for none.
    public var mimeTypes: [UInt8]?

    /// These places.
    public init(dataFolders: [[UInt8]], mimeTypes: [UInt8]?) {
        self.dataFolders = dataFolders
        self.mimeTypes = mimeTypes
    }

    /// No places: the built-in knowledge alone.
    public static let none = MIMEDatabasePlaces(dataFolders: [], mimeTypes: nil)

    /// The places of the XDG Base Directory specification for these values of `HOME`, `XDG_DATA_HOME` and
    /// `XDG_DATA_DIRS`, and `/etc/mime.types`. Paths that are not absolute do not count.
    public init(home: [UInt8]?, dataHome: [UInt8]?, dataDirs: [UInt8]?) {
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
    private(set) var list = MIMETypesFile()
    /// Whether a freedesktop database was found, so that its names are the canonical ones.
    private(set) var isInstalled = false
    /// Files that are there but could not be read.
    private(set) var problems: [SyscallError] = []

    /// The largest file that is read: the usual ones have some 30 KB.
    private static let largestFile = 4 << 20

    /// Reads what is there; the built-in formats and their relations join in.
    init(reading places: MIMEDatabasePlaces, adding formats: [Format] = []) {
        var hiddenGlobs: Set<Int32> = []
        var hiddenMagic: Set<Int32> = []
        for folder in places.dataFolders {
            func read(_ name: StaticString) -> [UInt8]? { file(folder + Array("/mime/\(name)".utf8)) }
            if let aliases = read("aliases") { relations.readAliases(aliases) }
            if let subclasses = read("subclasses") { relations.readSubclasses(subclasses) }
            if let globs2 = read("globs2") {
                isInstalled = true
                globs.read(globs2, hidden: &hiddenGlobs, names: &relations)
            }
            if let rules = read("magic") { magic.read(rules, hidden: &hiddenMagic, names: &relations) }
        }
        if let path = places.mimeTypes, let text = file(path) { list.read(text, names: &relations) }
        for format in formats {
            _ = relations.number(format.mime.utf8)
            if let superclass = format.superclass { relations.add(format.mime, subclassOf: superclass) }
        }
        relations.finish()
        globs.finish()
        magic.finish()
    }

    private mutating func file(_ path: [UInt8]) -> [UInt8]? {
        do throws(SyscallError) {
            return try FileDescriptor.reading(path: path).contents(limit: Self.largestFile)
        } catch {
            if !error.errno.isAbsent { problems.append(error) }
            return nil
        }
    }

    /// How many bytes of memory the tables hold.
    var footprint: Int { relations.footprint + globs.footprint + magic.footprint + list.footprint }
}
