import InboxLinux
import Testing

@testable import InboxConfiguration

/// `Ready=`.
@Suite("The names of markers") struct MarkerTemplateTests {
    private static func template(_ text: String) throws -> MarkerTemplate {
        try MarkerTemplate(Array(text.utf8))
    }

    private static func fits(_ template: MarkerTemplate, _ name: String) throws -> Bool {
        template.fits(try #require(FileName(name)))
    }

    @Test("A marker's name has the document's name in it, its name without extension, or neither")
    func subjects() throws {
        let own = try Self.template("{name}.done")
        #expect(own.subject == .name && own.prefix.isEmpty && own.suffix == Array(".done".utf8))
        #expect(try Self.fits(own, "a.done"))
        #expect(try !Self.fits(own, ".done") && !Self.fits(own, "a.don"))
        let stem = try Self.template("ready-{stem}.ok")
        #expect(try stem.subject == .stem && Self.fits(stem, "ready-a.ok"))
        #expect(try !Self.fits(stem, "ready-.ok") && !Self.fits(stem, "a.ok"))
        let folder = try Self.template("\"all {{ready}}\"")
        #expect(try folder.subject == .folder && Self.fits(folder, "all {ready}"))
    }

    @Test(
        "What is no name beside the document is refused",
        arguments: [
            "{name}", "{stem}", "done/{name}", "{name}.done/", "{name}{stem}.done", "{name}.{name}", "{year}.done",
            "{name|stem}.done", "{name:lower}.done", "{nam}.done", "{name", "..", ".",
        ])
    func refused(_ text: String) {
        #expect(throws: ValueProblem.self) { _ = try Self.template(text) }
    }
}
