/// A rule that the sources keep everywhere.
struct HouseRule: Sendable {
    /// What never occurs.
    let name: String
    /// Where it occurs all the same.
    let violations: @Sendable (House) -> [String]

    static let all = [
        HouseRule(name: "circles of folders in a room") { $0.circles },
        HouseRule(name: "uses of the intake by filing, the record and the handlers") { $0.intakeUses },
        HouseRule(name: "invented error numbers") { $0.inventedErrnos },
    ]
}

/// The sources that the rules are about.
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

    /// This checkout.
    static func checkout() throws -> House {
        let paths =
            try Checkout.files(in: "Sources", endingIn: [".swift", ".c"])
            + Checkout.files(in: "Tests", endingIn: [".swift"])
        return House(files: try paths.map { File($0, try Checkout.text($0)) })
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
}
