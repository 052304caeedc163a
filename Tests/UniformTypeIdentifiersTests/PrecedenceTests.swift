import InboxTestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("Whose declaration counts")
struct PrecedenceTests {
    private func catalogue(_ declarations: [UTTypeDeclaration]) throws -> (Catalogue, [UTTypeDeclarationProblem]) {
        let (catalogue, problems) = OwnDeclarations.resolve(declarations)
        return (try #require(catalogue), problems)
    }

    private func types(_ tag: String, in catalogue: Catalogue) -> [String] {
        UTType.declaredRows(tag: tag, tagClass: .filenameExtension, under: nil, in: catalogue)
            .map { UTType(catalogue: catalogue, row: $0).identifier }
    }

    private func declaration(
        _ identifier: String, _ conformsTo: [String] = ["public.data"], _ extensions: [String] = [],
        _ kind: UTTypeDeclaration.Kind = .exported
    ) -> UTTypeDeclaration {
        UTTypeDeclaration(
            identifier: identifier, conformsTo: conformsTo,
            tags: extensions.isEmpty ? [:] : [.filenameExtension: extensions], kind: kind, origin: "types.plist")
    }

    @Test("An extension belongs to the exported type, then to the built-in one, then to the first imported one")
    func contested() throws {
        let (catalogue, problems) = try catalogue([
            declaration("com.example.i1", ["public.data"], ["png"], .imported),
            declaration("com.example.i2", ["public.data"], ["png"], .imported),
            declaration("com.example.e1", ["public.data"], ["png"]),
            declaration("com.example.e2", ["public.data"], ["png"]),
        ])
        #expect(
            types("png", in: catalogue) == [
                "com.example.e1", "com.example.e2", "public.png", "com.example.i1", "com.example.i2",
            ])
        #expect(
            problems.map(\.description) == [
                "types.plist: com.example.e1: .png is taken from the built-in type public.png",
                "types.plist: com.example.e2: .png belongs to com.example.e1, which goes first",
                "types.plist: com.example.i1: .png belongs to com.example.e1, which goes first",
                "types.plist: com.example.i2: .png belongs to com.example.e1, which goes first",
            ])
    }

    @Test("Of two that export one identifier the first counts; an import adds to it")
    func owners() throws {
        let (catalogue, problems) = try catalogue([
            declaration("com.example.x", ["public.image"], ["third"], .imported),
            declaration("com.example.x", ["public.text"], ["first"]),
            declaration("com.example.X", ["public.movie"], ["second"]),
        ])
        let type = try #require(UTType("com.example.x", in: catalogue))
        #expect(type.tags[.filenameExtension] == ["first", "third"])
        #expect(type.conforms(to: .text) && !type.conforms(to: .movie) && !type.conforms(to: .image))
        #expect(problems.map(\.rule) == [.duplicateIdentifier])
        #expect(problems.first?.message.contains("(types.plist)") == true)
    }

    @Test("What belongs to the system cannot be exported, and no dynamic identifier be declared")
    func reserved() {
        let rules: [(UTTypeDeclaration, UTTypeDeclarationProblem.Rule)] = [
            (declaration("public.mine"), .reservedIdentifier), (declaration("PUBLIC.jpeg"), .builtInIdentifier),
            (declaration("dyn.age8u"), .reservedIdentifier),
            (declaration("dyn.age8u", [], [], .imported), .reservedIdentifier),
            (declaration("com.adobe.pdf"), .builtInIdentifier), (declaration("com.exa mple.x"), .identifierSyntax),
            (declaration("com..x"), .identifierSyntax), (declaration("invoice"), .identifierSyntax),
            (declaration(""), .identifierSyntax), (declaration(".com.x"), .identifierSyntax),
        ]
        for (declaration, rule) in rules {
            let (catalogue, problems) = OwnDeclarations.resolve([declaration])
            #expect(catalogue == nil && problems.map(\.rule) == [rule], "\(declaration.identifier)")
        }
        #expect(UTType.problems(in: [declaration("public.mine", ["public.data"], [], .imported)]).isEmpty)
        #expect(UTType.problems(in: [declaration("com.bücher-verlag.文書")]).isEmpty)
    }

    @Test("More declarations than a catalogue takes are refused")
    func tooMany() {
        let many = (0...OwnDeclarations.limit).map { declaration("com.example.n\($0)") }
        #expect(UTType.problems(in: many).map(\.rule) == [.tooManyDeclarations])
        #expect(UTType.problems(in: many.dropLast()).isEmpty)
    }

    @Test("A circle is broken where it would close, and the first declared type keeps its supertypes")
    func cycles() throws {
        let (catalogue, problems) = try catalogue([
            declaration("com.example.a", ["com.example.b", "public.data"]),
            declaration("com.example.b", ["com.example.c", "public.text"]),
            declaration("com.example.c", ["com.example.a", "public.image"]),
            declaration("com.example.self", ["com.example.self", "public.data"]),
        ])
        let types = try ["a", "b", "c"].map { try #require(UTType("com.example.\($0)", in: catalogue)) }
        #expect(types[0].conforms(to: types[1]) && types[0].conforms(to: types[2]) && types[0].conforms(to: .image))
        #expect(!types[2].conforms(to: types[0]) && types[2].conforms(to: .image))
        #expect(problems.map(\.rule) == [.conformanceCycle, .conformanceCycle])
        #expect(problems.map(\.identifier) == ["com.example.c", "com.example.self"])
        #expect(types[0].conformanceList.count == types[0].supertypes.count)
        #expect(types[2].directSupertypes == [.image])
    }

    @Test("An unknown supertype is left out; where none is left, the type is data")
    func unknownSupertype() throws {
        let (catalogue, problems) = try catalogue([
            declaration("com.example.a", ["com.example.gone", "public.text"]),
            declaration("com.example.b", ["com.example.gone"], ["bbb"]), declaration("com.example.c", [], ["ccc"]),
            declaration("com.example.d", []),
        ])
        #expect(UTType("com.example.a", in: catalogue)?.directSupertypes == [.text])
        #expect(UTType("com.example.b", in: catalogue)?.directSupertypes == [.data])
        #expect(UTType("com.example.c", in: catalogue)?.directSupertypes == [])
        #expect(problems.map(\.rule) == [.unknownSupertype, .unknownSupertype, .noSupertype])
        #expect(problems.first?.message.contains("\"com.example.gone\"") == true)
    }

    @Test("Tags that no file can have are left out and reported")
    func malformedTags() throws {
        var wrong = declaration("com.example.a", ["public.data"], ["", ".x", "a/b", "c\0d", "good"])
        wrong.tags[.mimeType] = ["", "text", "/", "a/", "/b", "a/b/c", " ;x", "A/B ; c=d"]
        let (catalogue, problems) = try catalogue([wrong])
        let tags = try #require(UTType("com.example.a", in: catalogue)).tags
        #expect(tags == [.filenameExtension: ["good"], .mimeType: ["a/b"]])
        #expect(problems.count == 11 && problems.allSatisfy { $0.rule == .malformedTag })
    }

    @Test("Letters beyond ASCII are compared without case too")
    func unicode() throws {
        let (catalogue, _) = try catalogue([declaration("com.example.Straße", ["public.data"], ["ÄÖ"])])
        #expect(UTType("COM.EXAMPLE.STRAßE", in: catalogue) != nil)
        #expect(types("äö", in: catalogue) == ["com.example.Straße"])
        let bytes = Array("äÖ".utf8)
        let row = bytes.withUnsafeBufferPointer { catalogue.row(filenameExtension: $0, under: nil) }
        #expect(row != nil)
    }

    @Test("A chain of supertypes as long as there may be types is followed to its end")
    func longChain() throws {
        let count = 2_000
        let chain = (0..<count).map { declaration("com.example.n\($0)", ["com.example.n\($0 + 1)", "public.text"]) }
        let (catalogue, problems) = try catalogue(chain)
        #expect(problems.map(\.rule) == [.unknownSupertype])
        let first = try #require(UTType("com.example.n0", in: catalogue))
        let last = try #require(UTType("com.example.n\(count - 1)", in: catalogue))
        #expect(first.conforms(to: last) && !last.conforms(to: first) && first.conforms(to: .text))
        var list: [UTType] = []
        let time = processorTime { list = first.conformanceList }
        #expect(list.prefix(count - 1).map(\.identifier) == (1..<count).map { "com.example.n\($0)" })
        #expect(list.dropFirst(count - 1) == [.text, .data, .content, .item])
        #expect(time < .seconds(1))
    }
}
