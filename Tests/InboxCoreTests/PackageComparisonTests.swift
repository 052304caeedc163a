import InboxFiling
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

@Suite("Comparing a claimed package with its copy")
struct PackageComparisonTests {
    private func isCopied(_ package: [String: String], to copy: [String: String]) throws -> Bool {
        let folders = try [package, copy].map { files in
            let folder = try TemporaryFolder()
            folder.makeFolder("in")
            for (name, content) in files { try folder.write(name, content) }
            return folder
        }
        var comparison = PackageComparison(with: OpenFolder(try folders[1].open()), Abandonment())
        return try comparison.hasAll(of: folders[0].open())
    }

    @Test("A copy has all of it with the same content, whatever else it has")
    func all() throws {
        let whole = ["a": "1", "in/b": "2"]
        #expect(try isCopied(whole, to: whole))
        #expect(try isCopied(["in/b": "2"], to: whole))
        #expect(try !isCopied(whole, to: ["a": "1"]))
        #expect(try !isCopied(whole, to: ["a": "1", "in/b": "3"]))
    }

    @Test("An entry that its removal has set aside is compared with the one that it was, and with one of its own name")
    func setAside() throws {
        let aside = ".inboxd-removed-a"
        #expect(try isCopied([aside: "1"], to: ["a": "1"]))
        #expect(try !isCopied([aside: "1"], to: ["a": "2"]))
        let both = [aside: "1", "a": "2"]
        #expect(try isCopied(both, to: both))
    }
}
