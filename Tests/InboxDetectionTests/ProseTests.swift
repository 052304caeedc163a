import InboxLinux
import Testing

@testable import InboxDetection

/// Text without a name is text, whichever words it has.
@Suite("Prose and programs without a name")
struct ProseTests {
    private let detector = Detector(places: .none)

    private func mime(_ text: String) -> String? {
        Array(text.utf8).withUnsafeBytes { detector.detect(nil, content: $0).mime }
    }

    @Test(
        "A program without a name and without an interpreter's line is text, whatever its language",
        arguments: [
            "#include <stdio.h>\n\nint main(void) {\n    return puts(\"a\") < 0;\n}\n",
            "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tx := 1\n\tfmt.Println(x)\n}\n",
            "use std::fmt;\n\npub fn main() {\n    let mut x = 1;\n    println!(\"{}\", x);\n}\n",
            "import os\n\ndef main(a):\n    for x in a:\n        print(x)\n",
            "require 'set'\n\nclass A < B\n  def x\n    puts 1\n  end\nend\n",
            "body { color: red; margin: 0; }\np { color: blue; }\n",
            "# Title\n\nA [link](https://example.com/) and `code`.\n\n## Section\n\nWords.\n",
        ])
    func languages(text: String) throws { #expect(mime(text) == "text/plain") }

    @Test(
        "Prose with the words and signs of languages is plain text",
        arguments: [
            "If you import goods for the first time, return the form to the office in your town.\n",
            "when the class begins, end the lesson; include everybody who is private or public.\n",
            "The following is for everyone: let us begin, and then function as one.\n",
            "* a list of things that were done, with a few words to each of them\n",
            "- another list, as changelogs have it, and with many words in each line\n",
            "> From: somebody who was quoted in a letter, at some length and twice\n",
        ])
    func prose(line: String) {
        #expect(mime(String(repeating: line, count: 25)) == "text/plain")
    }

    @Test("Fields of notices, underlined titles and settings without a grammar are plain text")
    func notices() {
        let notice = """
            Format: a notice in fields
            Source: somewhere
            Files: *
            Copyright: 2020 Somebody
            License: permissive
             Everybody may use this for every purpose, and nobody owes anything
             to anybody for what happens.

            """
        #expect(mime(notice) == "text/plain")
        #expect(
            mime("Release 2.1\n===========\n\nNothing was changed in this release but its number.\n") == "text/plain")
        #expect(mime("[main]\nname = somebody\npath = /srv/files\ncolour = dark green\n") == "text/plain")
        let holders = (1980..<2000).map { "  Copyright: \($0) Somebody\n" }.joined()
        #expect(mime("Copyright:\n\n" + holders) == "text/plain")
        #expect(mime("# the first setting\nname somebody\n\n# the second one\n\npath /srv\n") == "text/plain")
    }
}
