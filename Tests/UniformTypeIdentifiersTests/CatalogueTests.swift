import Testing
import UniformTypeIdentifiers

@Suite("The built-in declarations")
struct CatalogueTests {
    @Test("Every listed extension gives the type and the preferred extension that macOS gives")
    func extensions() throws {
        let expected = try expectedAnswers("extensions")
        #expect(expected.count == 762)
        for row in expected {
            let type = try #require(UTType(filenameExtension: row[0]))
            #expect(type.identifier == row[1], "of .\(row[0])")
            #expect(type.preferredFilenameExtension == row[2], "of .\(row[0])")
        }
    }

    @Test("Every listed identifier conforms to exactly the types that macOS lists")
    func conformance() throws {
        let expected = try expectedAnswers("conformance")
        #expect(expected.count == 404)
        for row in expected {
            let type = try #require(UTType(row[0]))
            let names = Set(row[1].split(separator: " ").map(String.init))
            #expect(Set(type.supertypes.map(\.identifier)) == names, "of \(row[0])")
        }
    }

    @Test("Every constant of Apple's framework is there under its name and identifier")
    func constantNames() throws {
        let expected = try expectedAnswers("constants")
        #expect(expected.map { $0[0] } == constants.map(\.name))
        for (row, constant) in zip(expected, constants) {
            #expect(constant.type.identifier == row[1])
            #expect(UTType(row[1]) == constant.type)
        }
    }

    @Test("Every MIME type of a constant finds it among the types that have it")
    func mimeTypes() throws {
        for (name, type) in constants {
            for mimeType in type.tags[.mimeType] ?? [] {
                let found = UTType.types(tag: mimeType, tagClass: .mimeType, conformingTo: nil)
                #expect(found.contains(type), "\(name): \(mimeType)")
            }
        }
    }
}
