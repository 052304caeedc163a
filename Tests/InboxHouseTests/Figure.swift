/// A figure that the house keeps within a limit, with what it counts.
struct Figure: Sendable {
    /// What is counted.
    let name: String
    /// No more of it than this.
    let limit: Int
    /// What was found: names, or places in the sources.
    let found: @Sendable (House) throws -> [String]

    /// In the order in which they are printed.
    static let all = [
        Figure(name: "circles of folders in a room", limit: 0) { $0.circles },
        Figure(name: "uses of the intake by filing, the record and the handlers", limit: 0) { $0.intakeUses },
        Figure(name: "stored properties of the largest class", limit: 8) { $0.largestClass },
        Figure(name: "types called Place", limit: 1) { $0.types(called: "Place") },
        Figure(name: "functions of filing that return a Result", limit: 0) { $0.returnedResults },
        Figure(name: "invented error numbers", limit: 0) { $0.inventedErrnos },
        Figure(name: "files on a document's way from event to record", limit: 25) { try $0.way() },
    ]
}

/// The sources, and what is counted of them.
struct House {
    /// A source file: its path from the top and its text.
    struct File {
        let path: String
        let source: SwiftText

        init(_ path: String, _ text: String) {
            self.path = path
            source = SwiftText(text)
        }
    }

    let files: [File]
    let readme: String

    /// This checkout.
    static func checkout() throws -> House {
        let paths =
            try Checkout.files(in: "Sources", endingIn: [".swift", ".c"])
            + Checkout.files(in: "Tests", endingIn: [".swift"])
        return House(
            files: try paths.map { File($0, try Checkout.text($0)) }, readme: try Checkout.text("README.md"))
    }

    private func files(in folders: String...) -> [File] {
        files.filter { file in folders.contains { file.path.hasPrefix("Sources/\($0)") } }
    }

    /// The pairs of folders of one room that use types of each other, directly or by way of others.
    var circles: [String] {
        FolderOrder.all.flatMap { order in
            let start = "Sources/\(order.room)/"
            let inside = files.filter { $0.path.hasPrefix(start) }
                .map { FolderOrder.File(String($0.path.dropFirst(start.count)), source: $0.source) }
            return FolderUses(inside).circles.map { "\(order.room): \($0) and \($1)" }
        }
    }

    /// Where a room or folder that only receives values names the intake.
    var intakeUses: [String] {
        files(in: "InboxFiling/", "InboxCore/Record/", "InboxCore/Handlers/").flatMap { file in
            file.source.words.intersection(["Intake", "intake"]).map { "\(file.path): \($0)" }
        }
    }

    /// The classes, each with its stored properties.
    var classes: [(type: String, names: [String])] { files(in: "").flatMap(\.source.storedProperties) }

    /// The stored properties of the class that has most, each with its class.
    var largestClass: [String] {
        guard let largest = classes.max(by: { $0.names.count < $1.names.count }) else { return [] }
        return largest.names.map { "\(largest.type).\($0)" }
    }

    /// The files that declare a type of this name, at any level, once for each declaration.
    func types(called name: String) -> [String] {
        files.flatMap { file in file.source.allDeclaredTypes.filter { $0 == name }.map { _ in file.path } }
    }

    /// Where a function of filing returns a result that somebody has to unpack.
    var returnedResults: [String] { files(in: "InboxFiling/").filter { $0.source.contains("-> Result<") }.map(\.path) }

    /// What makes a failed call or an error number without inventing it, by the file that may do so: from `errno` after a
    /// call, by the choke point, as a fault plan asks for it, or as a name for a number.
    private static let givenErrnos = [
        "CallObserver.swift": "Errno(rawValue: errno)", "Errno.swift": "static let ",
        "FaultPlan.swift": ".fail(Errno(rawValue: ", "FileDescriptor.swift": "throw SyscallError(.close, ",
        "SyscallError.swift": "throw SyscallError(call, ",
    ]

    /// The lines that make up a failed call or an error number, in C too.
    var inventedErrnos: [String] {
        let signs = ["SyscallError(", "SyscallError.init", "Errno(", "Errno.init", "errno = E"]
        return files(in: "").flatMap { file in
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            let given = file.path.hasPrefix("Sources/InboxLinux/") ? Self.givenErrnos[name] : nil
            return file.source.code.split(separator: "\n")
                .filter { line in signs.contains(where: line.contains) }
                .filter { line in given.map { !line.contains($0) } ?? true }
                .map { "\(file.path): \($0)" }
        }
    }

    /// A step of a document's way that the README lists wrongly.
    struct BrokenWay: Error {
        let step: String
        let reason: String
    }

    /// The files that the README lists as a document's way. Each must be there and, but for the first, declare a type
    /// that an earlier one names, or extend one.
    func way() throws -> [String] {
        let steps = Self.listedWay(in: readme)
        guard steps.count > 1 else { throw BrokenWay(step: "README.md", reason: "lists no way") }
        var named: Set<String> = []
        for (number, step) in steps.enumerated() {
            guard let file = files.first(where: { $0.path == "Sources/\(step)" }) else {
                throw BrokenWay(step: step, reason: "is not there")
            }
            if number > 0, file.source.typesOfFile.isDisjoint(with: named) {
                throw BrokenWay(step: step, reason: "declares nothing that an earlier step uses")
            }
            named.formUnion(file.source.words)
        }
        return steps
    }

    /// The paths at the start of the lines below the heading.
    static func listedWay(in readme: String) -> [String] {
        let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "### Reading the sources") else { return [] }
        return lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.compactMap { line in
            guard line.hasPrefix("    "), let word = line.split(separator: " ").first, word.hasSuffix(".swift") else {
                return nil
            }
            return String(word)
        }
    }
}
