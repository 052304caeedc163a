import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite("Access lists")
struct AccessListTests {
    private func list(_ entries: [(TestAccessList.Holder, UInt16)]) -> AccessList {
        AccessList(TestAccessList(entries).bytes)
    }

    /// Who may read what has the list, whose owning group is 10: user 500 with these groups.
    private func mayRead(_ list: AccessList, groups: Set<UInt32> = []) -> Bool {
        list.permits(4, user: 500, group: 10) { groups.contains($0) }
    }

    @Test("An entry for the user decides, whatever his groups and others may")
    func namedUser() {
        let denied = list([(.owner, 7), (.user(500), 0), (.group, 7), (.mask, 7), (.others, 7)])
        #expect(!mayRead(denied, groups: [10]))
        let granted = list([(.owner, 7), (.user(500), 4), (.user(501), 0), (.group, 0), (.mask, 4), (.others, 0)])
        #expect(mayRead(granted, groups: [10]))
    }

    @Test("One of several groups is enough, and where none grants the right others' does not count")
    func groups() {
        let list = list([
            (.owner, 7), (.group, 0), (.namedGroup(20), 4), (.namedGroup(30), 0), (.mask, 7), (.others, 4),
        ])
        #expect(mayRead(list, groups: [10, 20]))
        #expect(!mayRead(list, groups: [10, 30]))
        #expect(!mayRead(list, groups: [10]))
        #expect(mayRead(list))
    }

    @Test("The mask takes away what named users and groups and the owning group have, and nothing from others")
    func masked() {
        func list(_ mask: UInt16) -> AccessList {
            self.list([
                (.owner, 7), (.user(500), 7), (.group, 7), (.namedGroup(20), 7), (.mask, mask), (.others, 4),
            ])
        }
        #expect(mayRead(list(4)) && !mayRead(list(3)))
        func unnamed(_ list: AccessList, _ groups: Set<UInt32>) -> Bool {
            list.permits(4, user: 501, group: 10) { groups.contains($0) }
        }
        #expect(!unnamed(list(3), [10]) && !unnamed(list(3), [20]) && unnamed(list(3), []))
    }

    @Test("Bytes that are no list permit nothing", arguments: [[], [2, 0, 0, 0], [UInt8](repeating: 0xFF, count: 37)])
    func damaged(_ bytes: [UInt8]) {
        #expect(!mayRead(AccessList(bytes), groups: [10]))
        #expect(AccessList(bytes).groupPermissions == 0)
    }

    @Test("A file without a list has none, and what is open by its path alone is asked too")
    func absent() throws {
        let folder = try TemporaryFolder()
        let directory = try Directory.open(path: BytePath(folder.path))
        #expect(directory.accessList == nil)
        let way = GuardedPath(followingLinksOf: [Process.user]) { _ in true }
        guard let entry = try way.find(BytePath(folder.path), isFollowed: true) else {
            Issue.record("the folder is not found")
            return
        }
        #expect(entry.accessList == nil)
    }

    @Test("A long list is read as a whole")
    func long() throws {
        let folder = try TemporaryFolder()
        let named = (1000..<1300).map { (TestAccessList.Holder.user($0), UInt16($0 == 1299 ? 4 : 0)) }
        let list = TestAccessList([(.owner, 7)] + named + [(.group, 0), (.mask, 7), (.others, 0)])
        try list.set(TestPath(folder.path))
        let found = try #require(try Directory.open(path: BytePath(folder.path)).accessList)
        #expect(found.bytes == list.bytes)
        #expect(found.permits(4, user: 1299, group: 0) { _ in false })
    }
}
