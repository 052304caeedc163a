import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite("Safe paths")
struct SafePathTests {
    private static let isRoot: ConditionTrait = .enabled(if: geteuid() == 0, "only root can give folders away")
    private static let stranger: uid_t = 4001
    private static let other: uid_t = 4002
    /// Nobody's group is private here.
    private let users = TrustedUsers(own: Process.user, unmapped: nil) { _ in nil }

    private func error(
        _ path: String, _ last: SafePath.LastComponent = .folderOrLink, trusting users: TrustedUsers? = nil
    ) -> SafePathError? {
        do throws(SafePathError) {
            _ = try SafePath.open(BytePath(path), last, trusting: users ?? self.users)
            return nil
        } catch {
            return error
        }
    }

    private func right(_ path: String, trusting users: TrustedUsers? = nil) -> PathExposure.Right? {
        if case .unsafe(let exposure) = error(path, trusting: users) { exposure.right } else { nil }
    }

    /// The temporary folder's real path, since links on the way to it are not the test's concern.
    private func tree(_ folders: String...) throws -> TemporaryFolder {
        let tree = try TemporaryFolder()
        for folder in folders { tree.makeFolder(folder) }
        return tree
    }

    @Test("A path of folders that only the user and root may change is followed to its end")
    func plain() throws {
        let tree = try tree("a", "a/b", "a/c")
        tree.makeLink("to b", to: "a/../a/./b")
        tree.makeLink("absolute", to: tree.path + "/to b")
        let wanted = try tree.status("a/b").identity.file
        for path in ["a/b", "a//b/", "a/c/../b", "to b", "absolute"] {
            let opened = try SafePath.open(BytePath(tree.path + "/" + path), trusting: users)
            #expect(try opened.status().identity.file == wanted, "\(path)")
        }
        #expect(error("/../..") == nil)
    }

    @Test("What is missing, what is no folder and a circle of links are distinguished from what is not safe")
    func unreachable() throws {
        let tree = try tree("a")
        try tree.write("file")
        tree.makeLink("circle", to: "circle")
        tree.makeLink("dangling", to: "nowhere")
        #expect(error(tree.path + "/a/none")?.errno == .noEntry)
        #expect(error(tree.path + "/dangling")?.errno == .noEntry)
        #expect(error(tree.path + "/file")?.errno == .notDirectory)
        #expect(error(tree.path + "/file/a")?.errno == .notDirectory)
        #expect(error(tree.path + "/" + String(repeating: "n", count: 256))?.errno?.rawValue == ENAMETOOLONG)
        #expect(error("relative") == .relative(BytePath("relative")))
        #expect(error(tree.path + "/circle") == .tooManyLinks(BytePath(tree.path + "/circle")))
    }

    @Test("A folder that a group or everybody may write to is passed only if it is sticky")
    func writable() throws {
        let tree = try tree("a", "a/b")
        chmod(tree.path + "/a", 0o757)
        #expect(right(tree.path + "/a/b") == .everybody)
        chmod(tree.path + "/a", 0o1777)
        #expect(error(tree.path + "/a/b") == nil)
        chmod(tree.path + "/a", 0o770)
        #expect(right(tree.path + "/a/b") == .group(try tree.status("a").group, hasList: false))
        chmod(tree.path + "/a", 0o3770)
        #expect(error(tree.path + "/a/b") == nil)
        // What may be written at the end is no concern of the path, unless something is to be made there.
        chmod(tree.path + "/a", 0o777)
        #expect(error(tree.path + "/a") == nil)
        let made = BytePath(tree.path + "/a/new")
        #expect(throws: SafePathError.unsafe(PathExposure(component: made, right: .everybody))) {
            _ = try SafePath.open(BytePath(tree.path + "/a"), toMake: aName("new"), trusting: users)
        }
    }

    @Test("A group that has one member is that member")
    func privateGroup() throws {
        let tree = try tree("a", "a/b")
        chmod(tree.path + "/a", 0o775)
        let own = Process.user
        let privately = TrustedUsers(own: own, unmapped: nil) { _ in own }
        #expect(error(tree.path + "/a/b", trusting: privately) == nil)
        let strangers = TrustedUsers(own: own, unmapped: nil) { _ in Self.stranger }
        #expect(right(tree.path + "/a/b", trusting: strangers) == .group(try tree.status("a").group, hasList: false))
    }

    @Test(
        "A group that has one member is more than that where an access list names others",
        .enabled(if: (try? TemporaryFolder()).map { hasList($0.path) } == true, "there are no access lists"))
    func accessList() throws {
        let tree = try tree("a", "a/b")
        chmod(tree.path + "/a", 0o775)
        #expect(Self.hasList(tree.path + "/a"))
        let own = Process.user
        let privately = TrustedUsers(own: own, unmapped: nil) { _ in own }
        #expect(right(tree.path + "/a/b", trusting: privately) == .group(try tree.status("a").group, hasList: true))
    }

    /// Gives a folder an access list of acl(5) that lets a named user write.
    /// - Returns: whether its filesystem has access lists.
    private static func hasList(_ folder: String) -> Bool {
        // Version 2, then tag, permissions and number each.
        var list: [UInt8] = [2, 0, 0, 0]
        let nobody: UInt32 = .max
        let rows: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
            (0x01, 7, nobody), (0x02, 7, 4001), (0x04, 5, nobody), (0x10, 7, nobody), (0x20, 5, nobody),
        ]
        for row in rows {
            for word in [row.tag, row.permissions] { list += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }
            list += (0..<4).map { UInt8(truncatingIfNeeded: row.id >> ($0 * 8)) }
        }
        return failureOf {
            try Directory.open(path: BytePath(folder)).descriptor.setAttribute(.accessList, to: list)
        } == nil
    }

    @Test("The owner of a folder on the way must be root, the user, or the owner of the folder at the end", isRoot)
    func folderOwner() throws {
        let tree = try tree("a", "a/b", "a/b/c")
        chmod(tree.path, 0o755)
        chown(tree.path + "/a", Self.stranger, 0)
        #expect(right(tree.path + "/a/b") == .folderOwner(Self.stranger))
        chown(tree.path + "/a/b", Self.stranger, 0)
        #expect(error(tree.path + "/a/b") == nil)
        #expect(right(tree.path + "/a/b/c") == .folderOwner(Self.stranger))
        chown(tree.path + "/a/b/c", Self.other, 0)
        #expect(right(tree.path + "/a/b/c") == .folderOwner(Self.stranger))
        let daemon = TrustedUsers(own: Self.stranger, unmapped: nil) { _ in nil }
        #expect(error(tree.path + "/a/b/c", trusting: daemon) == nil)
        let namespace = TrustedUsers(own: 0, unmapped: Self.stranger) { _ in nil }
        #expect(error(tree.path + "/a/b/c", trusting: namespace) == nil)
    }

    @Test("In a sticky folder the owner of a component could exchange it, and must be trusted", isRoot)
    func sticky() throws {
        let tree = try tree("a", "a/b", "a/b/c")
        chmod(tree.path + "/a", 0o1777)
        chown(tree.path + "/a/b", Self.stranger, 0)
        #expect(right(tree.path + "/a/b/c") == .entryOwner(Self.stranger))
        #expect(error(tree.path + "/a/b") == nil)
    }

    @Test("A link's owner could have made it lead anywhere, and must be trusted", isRoot)
    func linkOwner() throws {
        let tree = try tree("a", "theirs")
        tree.makeLink("link", to: "a")
        lchown(tree.path + "/link", Self.stranger, 0)
        #expect(right(tree.path + "/link") == .linkOwner(Self.stranger))
        chown(tree.path + "/a", Self.stranger, 0)
        #expect(error(tree.path + "/link") == nil)
        tree.makeLink("to etc", to: "/etc")
        lchown(tree.path + "/to etc", Self.stranger, 0)
        #expect(right(tree.path + "/to etc") == .linkOwner(Self.stranger))
    }

    @Test("A link at the end is refused where it may not be, and followed in a person's own home")
    func linkAtEnd() throws {
        let tree = try tree("home", "a", "a/b")
        tree.makeLink("link", to: "a")
        tree.makeLink("home/link", to: "../a")
        let link = tree.path + "/link"
        #expect(error(link, .folder) == .linkAtEnd(BytePath(link)))
        #expect(error(link + "/b", .folder) == nil)
        let home = SafePath.LastComponent.folderOrOwnLink(below: BytePath(tree.path + "/home"))
        #expect(error(link, home) == .linkAtEnd(BytePath(link)))
        #expect(error(tree.path + "/home/link", home) == nil)
        if geteuid() == 0 {
            lchown(tree.path + "/home/link", Self.stranger, 0)
            #expect(error(tree.path + "/home/link", home) == .linkAtEnd(BytePath(tree.path + "/home/link")))
        }
    }

    @Test("Every folder and link on the way is lent to whoever wants to watch it")
    func visits() throws {
        let tree = try tree("a", "a/b")
        tree.makeLink("link", to: "a")
        var kinds: [FileStatus.Kind] = []
        _ = try SafePath.open(BytePath(tree.path + "/link/b"), trusting: users) { _, status in kinds.append(status.kind)
        }
        #expect(kinds.suffix(3) == [.symlink, .directory, .directory])
        #expect(kinds.count == BytePath(tree.path).names.count + 4)
    }
}

@Suite("Whom a path may depend on")
struct TrustedUsersTests {
    @Test("Only a map of every user makes an unmapped owner impossible")
    func maps() {
        func isWhole(_ text: String?) -> Bool { TrustedUsers.isWholeMap(text.map { Array($0.utf8) }) }
        #expect(isWhole("         0          0 4294967295\n"))
        #expect(!isWhole("0 100000 65536\n"))
        #expect(!isWhole("0 1000 1\n1 100000 65536\n"))
        #expect(!isWhole(""))
        #expect(isWhole(nil))
        #expect(isWhole("no map at all"))
        #expect(isWhole("0 0 99999999999999999999"))
    }

    @Test("A private group has one user by both files, who is root or a person")
    func groups() {
        let database = UserDatabase(
            users: Array(
                """
                root:x:0:0:root:/root:/bin/sh
                inboxd:x:998:998::/:/bin/false
                ada:x:1000:1000::/home/ada:/bin/sh
                bob:x:1001:1001::/home/bob:/bin/sh
                eve:x:1002:1001::/home/eve:/bin/sh
                torn:x
                """.utf8),
            groups: Array(
                """
                root:x:0:
                inboxd:x:998:
                ada:x:1000:ada
                bob:x:1001:
                staff:x:50:
                shared:x:1003:ada,bob
                """.utf8))
        #expect(database.onlyMember(ofGroup: 0) == 0)
        #expect(database.onlyMember(ofGroup: 998) == nil, "it exists to be shared")
        #expect(database.onlyMember(ofGroup: 1000) == 1000)
        #expect(database.onlyMember(ofGroup: 1001) == nil, "two users")
        #expect(database.onlyMember(ofGroup: 50) == nil, "nobody")
        #expect(database.onlyMember(ofGroup: 1003) == nil, "members")
        #expect(database.onlyMember(ofGroup: 7) == nil)
        #expect(UserDatabase(users: [], groups: []).onlyMember(ofGroup: 0) == nil)
    }
}
