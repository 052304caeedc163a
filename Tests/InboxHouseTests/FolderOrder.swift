/// The order of the folders inside a room: a folder uses its own types and those of folders before it.
struct FolderOrder {
    /// The room.
    let room: String
    /// Its folders from the ground up; `.` means the files of the room itself.
    let folders: [String]

    static let all = [
        FolderOrder(
            room: "InboxFiling",
            folders: [
                "Naming", "Journal", "Roots", "Checks", ".", "Routing", "Folders", "Moving", "Preparing", "Staging",
                "Run", "Delivering",
            ]),
        FolderOrder(
            room: "InboxCore",
            folders: [
                "Pool", "Events", "Intake", "Record", "Programs", "Handlers", "Checks", "Notices", "Engine",
            ]),
    ]

    /// A source file: its path in the room and its text.
    struct File {
        let path: String
        let source: SwiftText

        init(_ path: String, source: SwiftText) {
            self.path = path
            self.source = source
        }

        init(_ path: String, _ text: String) { self.init(path, source: SwiftText(text)) }

        /// The folder that it lies in; `.` for none.
        var folder: String { path.split(separator: "/").dropLast().first.map(String.init) ?? "." }
    }

    /// The files of the room.
    func files() throws -> [File] {
        let start = "Sources/\(room)"
        return try Checkout.files(in: start, endingIn: [".swift"]).map { path in
            File(String(path.dropFirst(start.count + 1)), try Checkout.text(path))
        }
    }

    /// Each use of a type that lies in a later folder, in words, and each folder that the order does not name.
    func violations(in files: [File]) -> [String] {
        var heights: [String: Int] = [:]
        for (height, folder) in folders.enumerated() { heights[folder] = height }
        var homes: [String: String] = [:]
        for file in files { for name in file.source.declaredTypes { homes[name] = file.folder } }
        let others = Set(files.map(\.folder)).subtracting(folders)
        var found = others.sorted().map { "\(room)/\($0) has no place in the order" }
        for file in files {
            guard let height = heights[file.folder] else { continue }
            for name in file.source.words.sorted() {
                guard let home = homes[name], let other = heights[home], other > height else { continue }
                found.append("\(room)/\(file.path) uses \(name) of \(home)")
            }
        }
        return found
    }
}

/// Which folders of a room use types of which others.
struct FolderUses {
    private var uses: [String: Set<String>] = [:]

    init(_ files: [FolderOrder.File]) {
        var homes: [String: String] = [:]
        for file in files { for name in file.source.declaredTypes { homes[name] = file.folder } }
        for file in files { uses[file.folder, default: []].formUnion(file.source.words.compactMap { homes[$0] }) }
    }

    /// The pairs of folders that use each other, directly or by way of others.
    var circles: [(String, String)] {
        let folders = uses.keys.sorted()
        let reached = folders.map(reached)
        return folders.indices.flatMap { left in
            folders.indices.dropFirst(left + 1)
                .filter { reached[left].contains(folders[$0]) && reached[$0].contains(folders[left]) }
                .map { (folders[left], folders[$0]) }
        }
    }

    private func reached(from folder: String) -> Set<String> {
        var reached: Set<String> = []
        var rest = Array(uses[folder] ?? [])
        while let next = rest.popLast() {
            if reached.insert(next).inserted { rest += uses[next] ?? [] }
        }
        return reached
    }
}

extension SwiftText {
    private static let declarations: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    /// The types that are declared at the outermost level.
    var declaredTypes: [String] {
        code.split(separator: "\n").compactMap { line in
            guard let first = line.first, !first.isWhitespace else { return nil }
            let words = Self.words(in: line)
            guard let keyword = words.firstIndex(where: Self.declarations.contains), keyword + 1 < words.endIndex else {
                return nil
            }
            return String(words[keyword + 1])
        }
    }

    /// Every word of the code.
    var words: Set<String> { Set(Self.words(in: code[...]).map(String.init)) }

    fileprivate static func words(in text: Substring) -> [Substring] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
