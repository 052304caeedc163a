import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("Links that stay inside the Inbox")
struct TreeLinkTests {
    @Test(
        "A relative target is followed by its names, into another tree too; one that leaves the Inbox is none",
        arguments: [
            ("b", "tree/sub/b"), ("../b", "tree/b"), ("./x/../b//c/", "tree/sub/b/c"), ("../../tree/b", "tree/b"),
            ("../..", nil), ("..", "tree"), ("/tree/b", nil), ("../../other", "other"), ("../../other/c", "other/c"),
            ("../../../tree/b", nil), (".", "tree/sub"), ("", "tree/sub"),
        ] as [(String, String?)])
    func target(_ text: String, _ wanted: String?) throws {
        let folder = ["tree", "sub"].map { aName($0) }
        let found = TreeLink.target(of: BytePath(text), in: folder)
        #expect(found?.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/") == wanted)
    }

    @Test("A clone is young until each of its repositories has a reference, and git's own files show that it writes")
    func repositories() {
        var survey = SurveyedRepositories()
        let git = [aName(".git")]
        /// Returns whether it is young after this file, and whether the file is one that git has while it writes.
        func note(_ name: String, _ folder: [FileName]) -> [Bool] {
            let isWritten = survey.note(aName(name), at: folder)
            return [survey.isYoung, isWritten]
        }
        #expect(note("README", []) == [false, false])
        #expect(note("HEAD", git) == [true, false])
        #expect(note("HEAD", git + [aName("refs"), aName("remotes")]) == [true, false])
        #expect(note("main", git + [aName("refs"), aName("heads")]) == [false, false])
        let module = git + [aName("modules"), aName("a")]
        #expect(note("HEAD", module) == [true, false])
        #expect(note("packed-refs", module) == [false, false])
        #expect(note("tmp_pack_a1B2c3", git + [aName("objects"), aName("pack")]) == [false, true])
        #expect(note("index.lock", git) == [false, true])
        survey.met(aName(".svn"))
        #expect(survey.isYoung)
    }
}
