import Testing

@Suite("The house")
struct HouseTests {
    @Test("The top level holds nothing but what belongs there")
    func topLevel() throws {
        let expected: Set = ["Package.swift", "Sources", "Tests", "systemd", "config", "README.md"]
        let dotfiles: Set = [".ci", ".git", ".github", ".gitignore", ".swift-format"]
        let names = Set(try Checkout.names(in: "."))
        let strangers = names.filter { name in
            // What builds leave behind is on the list of .gitignore.
            let left = name.hasPrefix(".build") || name.hasSuffix(".profraw") || name == ".DS_Store"
            return !expected.contains(name) && !dotfiles.contains(name) && !left && name != "Package.resolved"
        }
        #expect(strangers.isEmpty, "\(strangers.sorted()) do not belong here")
        #expect(expected.isSubset(of: names), "\(expected.subtracting(names).sorted()) are missing")
    }

    @Test("The package depends on no other package")
    func packageDependencies() throws {
        let manifest = SwiftText(try Checkout.text("Package.swift"))
        #expect(!manifest.contains(".package("))
        #expect(manifest.imports == ["PackageDescription"])
    }

    /// What would end the daemon on an input, or hide a race from the compiler.
    static let forbidden = ["try!", "as!", "fatalError", "preconditionFailure", "@unchecked Sendable", "FIXME", "TODO"]

    @Test("Sources hold no word that traps or silences the compiler", arguments: forbidden)
    func words(_ word: String) throws {
        for file in try Checkout.files(in: "Sources", endingIn: [".swift"]) {
            let source = try Checkout.text(file)
            // A note of work left undone is in a comment; the others count in code alone.
            let isNote = word == "TODO" || word == "FIXME"
            let isThere = source.contains(word) && (isNote || SwiftText(source).contains(word))
            #expect(!isThere, "\(file) has \(word)")
        }
    }

    @Test("The search for forbidden words sees code, and only code")
    func wordsSeen() {
        #expect(SwiftText("let a = try! b()").contains("try!"))
        #expect(!SwiftText("// never try! this\nlet a = \"as!\"").contains("try!"))
        #expect(!SwiftText("// never try! this\nlet a = \"as!\"").contains("as!"))
    }

    @Test("The README names the command that does the main job and the one that passes the tests")
    func readme() throws {
        let commands = Self.commands(in: try Checkout.text("README.md"))
        #expect(commands.contains("swift run inboxd"))
        #expect(commands.contains("swift test"))
    }

    @Test("Commands in a README are the lines of its code blocks")
    func readmeCommands() {
        let text = "swift test\n```sh\n$ swift run inboxd\nswift build # once\n```\n    swift test\n"
        #expect(Self.commands(in: text) == ["swift run inboxd", "swift build", "swift test"])
    }

    /// Lines of code blocks, fenced or indented, without prompt and comment.
    static func commands(in text: String) -> [String] {
        var isFenced = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            if line.hasPrefix("```") {
                isFenced.toggle()
                return nil
            }
            guard isFenced || line.hasPrefix("    ") else { return nil }
            var command = line.drop { $0 == " " }
            if command.hasPrefix("$ ") { command = command.dropFirst(2) }
            if let comment = command.firstRange(of: " #") { command = command[..<comment.lowerBound] }
            while command.last == " " { command.removeLast() }
            return command.isEmpty ? nil : String(command)
        }
    }

    @Test(
        "What a user installs is there",
        arguments: [
            "config/inboxd.conf", "systemd/install.sh", "systemd/inboxd.service", "systemd/inboxd@.service",
            "systemd/inboxd.socket", "systemd/inboxd.catalog", "systemd/user/inboxd.service",
            "systemd/user/inboxd.socket", "systemd/build.sh", ".ci/run", ".ci/full",
        ])
    func files(_ path: String) {
        #expect(Checkout.exists(path))
    }

    /// Every key of the `[Inbox]` section.
    static let keys = [
        "Documents", "Inbox", "Settle", "EmptySettle", "StallAfter", "IgnoreHidden", "Ignore", "Folders",
        "RemoveEmptyFolders", "FolderSettle", "RemoveInbox", "OnConflict", "Symlinks", "Mismatch", "OnIncomplete",
        "Ready", "OnDuplicate",
        "Durability", "Poll",
        "Rescan", "RetryMax",
    ]

    @Test("The configuration file that is shipped shows every key of the Inbox section", arguments: keys)
    func configuration(_ key: String) throws {
        let lines = try Checkout.text("config/inboxd.conf").split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("#\(key)=") || $0.hasPrefix("\(key)=") || $0.hasPrefix("# \(key)=") })
    }
}
