import Testing

@testable import UniformTypeIdentifiers

/// One after the other: what is declared is the whole program's. Other suites run beside these, so nothing built in is
/// taken over here; ``PrecedenceTests`` does that in catalogues of its own.
@Suite("Declaring types", .serialized)
struct DeclareTests {
    private static let invoice = UTTypeDeclaration(
        identifier: "com.example.invoice", conformsTo: ["com.adobe.pdf"], description: "Invoice",
        tags: [.filenameExtension: ["inv", "INVOICE"], .mimeType: ["application/x-invoice"]], version: 3,
        referenceURL: URL(string: "https://example.com/invoice"))

    @Test("A declared type is found by everything that it declares")
    func declared() throws {
        defer { _ = try? UTType.declare([]) }
        #expect(try UTType.declare([Self.invoice]).isEmpty)
        let type = try #require(UTType("com.example.Invoice"))
        #expect(UTType(filenameExtension: "INV") == type && UTType(filenameExtension: "invoice") == type)
        #expect(UTType(mimeType: "application/x-invoice") == type)
        #expect(type.identifier == "com.example.invoice" && type.localizedDescription == "Invoice")
        #expect(type.version == 3 && type.referenceURL?.absoluteString == "https://example.com/invoice")
        #expect(type.preferredFilenameExtension == "inv" && type.tags[.filenameExtension] == ["inv", "INVOICE"])
        #expect(type.conforms(to: .pdf) && type.conforms(to: .data) && !type.conforms(to: .image))
        #expect(UTType.pdf.isSupertype(of: type) && !UTType.pdf.conforms(to: type))
        #expect(UTType.pdf.subtypes == [type])
        #expect(type.declaration == Self.invoice)
        #expect(UTType(exportedAs: "com.example.invoice").isDeclared)
    }

    @Test("What a reload drops is gone for lookups, while values made before stay as they were")
    func dropped() throws {
        defer { _ = try? UTType.declare([]) }
        try UTType.declare([Self.invoice])
        let type = try #require(UTType("com.example.invoice"))
        let undeclared = UTType(exportedAs: "com.example.later")
        try UTType.declare([UTTypeDeclaration(identifier: "com.example.later", conformsTo: ["public.image"])])
        #expect(UTType("com.example.invoice") == nil)
        #expect(UTType(filenameExtension: "inv")?.isDynamic == true)
        #expect(type.isDeclared && type.conforms(to: .pdf) && type.preferredFilenameExtension == "inv")
        #expect(type == UTType(exportedAs: "com.example.INVOICE"))
        let later = try #require(UTType("com.example.later"))
        #expect(later == undeclared && later.hashValue == undeclared.hashValue)
        try UTType.declare([Self.invoice])
        let again = try #require(UTType("com.example.invoice"))
        #expect(again == type && type.conforms(to: again) && again.conforms(to: type))
        #expect(Set([again, type]).count == 1)
    }

    @Test("A refused declaration leaves everything as it was")
    func refused() throws {
        defer { _ = try? UTType.declare([]) }
        try UTType.declare([Self.invoice])
        let wrong = UTTypeDeclaration(identifier: "com.example_x.y", origin: "a.plist: UTExportedTypeDeclarations[0]")
        let error = #expect(throws: UTTypeDeclarationError.self) { try UTType.declare([wrong]) }
        #expect(error?.description.hasPrefix("a.plist: UTExportedTypeDeclarations[0]: com.example_x.y: ") == true)
        #expect(error?.problems.map(\.rule) == [.identifierSyntax])
        #expect(UTType("com.example.invoice") != nil)
    }

    @Test("Importing a built-in type adds its new tags after the existing ones, also for the constant")
    func importedTags() throws {
        defer { _ = try? UTType.declare([]) }
        let before = UTType.pdf.tags
        let problems = try UTType.declare([
            UTTypeDeclaration(
                identifier: "com.Adobe.pdf", conformsTo: ["public.image"], description: "other",
                tags: [
                    .filenameExtension: ["PDF", "pdfx"], .mimeType: ["application/x-pdfx; a=b"],
                    UTTagClass(rawValue: "com.apple.ostype"): ["PDF "],
                ], kind: .imported)
        ])
        #expect(problems.isEmpty)
        #expect(UTType.pdf.tags[.filenameExtension] == ["pdf", "pdfx"])
        #expect(UTType.pdf.tags[.mimeType] == (before[.mimeType] ?? []) + ["application/x-pdfx"])
        #expect(UTType(filenameExtension: "pdfx") == .pdf)
        #expect(
            UTType.types(tag: "PDF ", tagClass: UTTagClass(rawValue: "com.apple.ostype"), conformingTo: nil) == [.pdf])
        #expect(!UTType.pdf.conforms(to: .image) && UTType.pdf.localizedDescription != "other")
        try UTType.declare([])
        #expect(UTType.pdf.tags == before)
    }

    @Test("Lookups on many threads see one catalogue or the other while declarations change")
    func threads() async throws {
        defer { _ = try? UTType.declare([]) }
        let other = UTTypeDeclaration(
            identifier: "com.example.other", conformsTo: ["public.image"], tags: [.filenameExtension: ["inv"]])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<40 { _ = try? UTType.declare(round % 2 == 0 ? [Self.invoice] : [other]) }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<2_000 {
                        guard let type = UTType(filenameExtension: "inv") else { continue }
                        switch type.identifier {
                        case "com.example.invoice": #expect(type.conforms(to: .pdf) && !type.conforms(to: .image))
                        case "com.example.other": #expect(type.conforms(to: .image) && !type.conforms(to: .pdf))
                        default: #expect(type.isDynamic)
                        }
                        #expect(UTType.jpeg.conforms(to: .image))
                    }
                }
            }
        }
    }
}
