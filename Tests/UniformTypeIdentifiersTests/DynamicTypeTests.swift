import Testing
import UniformTypeIdentifiers

@Suite("Dynamic types")
struct DynamicTypeTests {
    @Test(
        "A tag that nothing declares gives the identifier that Apple's systems give",
        arguments: [
            ("xlv", "dyn.age81u5d0"), ("zoo", "dyn.age81y55t"),
        ])
    func withoutSupertype(tag: String, identifier: String) throws {
        let type = try #require(UTType(tag: tag, tagClass: .filenameExtension, conformingTo: nil))
        #expect(type.identifier == identifier)
        #expect(type.isDynamic)
    }

    @Test("Under a supertype, the supertype is part of the identifier")
    func withSupertype() {
        #expect(UTType(filenameExtension: "xlv")?.identifier == "dyn.ah62d4rv4ge81u5d0")
        #expect(UTType(filenameExtension: "gitignore")?.identifier == "dyn.ah62d4rv4ge80s4pyrfx0655wqy")
        #expect(UTType(filenameExtension: "mov", conformingTo: .image)?.identifier == "dyn.ah62d4uv4ge804550")
    }
}
