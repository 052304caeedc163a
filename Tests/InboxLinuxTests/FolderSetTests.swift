import InboxLinux
import InboxTestSupport
import Testing

@Suite("Sets of folders")
struct FolderSetTests {
    private static func innermost(_ folders: [String], _ path: String) -> String? {
        FolderSet(folders.map { BytePath($0) }).innermost(around: BytePath(path)).map { "\($0)" }
    }

    @Test("The innermost folder around a path is found, and a folder is around itself")
    func innermost() {
        let folders = ["/a", "/a/b", "/a/b/c", "/ab", "/longer than the path"]
        #expect(Self.innermost(folders, "/a") == "/a")
        #expect(Self.innermost(folders, "/a/x/y") == "/a")
        #expect(Self.innermost(folders, "/a/b/x") == "/a/b")
        #expect(Self.innermost(folders, "/a/b/c") == "/a/b/c")
        #expect(Self.innermost(folders, "/a/bc") == "/a")
        #expect(Self.innermost(folders, "/abc") == nil)
        #expect(Self.innermost(folders, "/") == nil)
        #expect(Self.innermost([], "/a") == nil)
    }

    @Test("The root is around everything")
    func root() {
        #expect(Self.innermost(["/"], "/") == "/")
        #expect(Self.innermost(["/"], "/a/b") == "/")
        #expect(Self.innermost(["/", "/a"], "/a/b") == "/a")
    }

    @Test("It finds what a comparison with each of the folders finds")
    func compared() {
        var numbers = SeededRandom(seed: 20)
        func path() -> BytePath {
            let parts = (0..<Int.random(in: 0...4, using: &numbers)).map { _ in
                String(repeating: "a", count: Int.random(in: 1...3, using: &numbers))
            }
            return BytePath("/" + parts.joined(separator: "/"))
        }
        for _ in 0..<2_000 {
            let folders = (0..<Int.random(in: 0...6, using: &numbers)).map { _ in path() }
            let wanted = path()
            let found = FolderSet(folders).innermost(around: wanted)
            let expected = folders.filter { wanted == $0 || wanted.isInside($0) }.max {
                $0.bytes.count < $1.bytes.count
            }
            #expect(found == expected)
        }
    }
}
