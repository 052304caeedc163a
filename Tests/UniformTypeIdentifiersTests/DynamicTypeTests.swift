import InboxTestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("Dynamic types")
struct DynamicTypeTests {
    @Test(
        "A tag that nothing declares gives the identifier that Apple's systems give",
        arguments: [("xlv", "dyn.age81u5d0"), ("zoo", "dyn.age81y55t")])
    func withoutSupertype(tag: String, identifier: String) throws {
        let type = try #require(UTType(tag: tag, tagClass: .filenameExtension, conformingTo: nil))
        #expect(type.identifier == identifier)
        #expect(type.isDynamic && type.supertypes.isEmpty)
        #expect(UTType(identifier)?.preferredFilenameExtension == tag)
    }

    @Test("Under a supertype, the supertype is part of the identifier")
    func withSupertype() {
        #expect(UTType(filenameExtension: "xlv")?.identifier == "dyn.ah62d4rv4ge81u5d0")
        #expect(UTType(filenameExtension: "gitignore")?.identifier == "dyn.ah62d4rv4ge80s4pyrfx0655wqy")
        #expect(UTType(filenameExtension: "mov", conformingTo: .image)?.identifier == "dyn.ah62d4uv4ge804550")
    }

    @Test("A published identifier decodes into its tags and supertype, in any case of letters")
    func decoding() throws {
        let type = try #require(UTType("DYN.AH62D4UV4GE804550"))
        #expect(type.identifier == "dyn.ah62d4uv4ge804550")
        #expect(type.tags == [.filenameExtension: ["mov"]])
        #expect(type.directSupertypes == [.image])
        #expect(type == UTType(filenameExtension: "mov", conformingTo: .image))
        #expect(UTType("dyn.age81u5k")?.preferredFilenameExtension == "xm")
        let empty = try #require(UTType("dyn.age8u"))
        #expect(empty.tags == [.filenameExtension: [""]] && empty.preferredFilenameExtension == nil)
    }

    @Test("A supertype without a code is spelled out")
    func spelledOut() throws {
        let type = try #require(UTType(filenameExtension: "xlv", conformingTo: .item))
        let decoded = try #require(DynamicIdentifier(type.identifier))
        #expect(decoded.supertypes == ["public.item"])
        #expect(UTType(type.identifier)?.conforms(to: .item) == true)
        let unknown = DynamicIdentifier(
            supertypes: ["com.example.gone"], tags: [.init(tagClass: .mimeType, value: "a/b")])
        let gone = try #require(UTType(unknown.identifier))
        #expect(gone.directSupertypes.map(\.identifier) == ["com.example.gone"])
        #expect(gone.preferredMIMEType == "a/b")
    }

    @Test("A type under several supertypes conforms to each")
    func severalSupertypes() throws {
        let made = DynamicIdentifier(
            supertypes: ["public.3d-content", "public.data"], tags: [.init(tagClass: .filenameExtension, value: "3mf")])
        let type = try #require(UTType(made.identifier))
        #expect(type.directSupertypes == [.threeDContent, .data])
        #expect(type.conforms(to: .data) && type.conforms(to: .content))
    }

    @Test("Random tags of any class, one or several, survive encoding and decoding")
    func roundTrip() throws {
        var random = SeededRandom(seed: 3)
        let classes = [
            "public.filename-extension", "public.mime-type", "com.apple.ostype", "com.example.own", "1", "?0", "\\",
        ]
        let names = ["public.data", "public.item", "public.image", "com.apple.package", "A", "dyn.age8u"]
        for _ in 0..<5_000 {
            let tags = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                LooseType.Tag(
                    tagClass: UTTagClass(rawValue: classes.randomElement(using: &random) ?? ""),
                    value: random.text(upTo: 12))
            }
            let supertypes = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                names.randomElement(using: &random) ?? ""
            }
            let encoded = DynamicIdentifier(supertypes: supertypes, tags: tags)
            let decoded = try #require(DynamicIdentifier(encoded.identifier), "\(tags) under \(supertypes)")
            #expect(decoded.supertypes == supertypes)
            #expect(decoded.tags.map(\.value) == tags.map(\.value))
            #expect(decoded.tags.map(\.tagClass) == tags.map(\.tagClass))
        }
    }

    @Test("A type made of a random extension decodes into the same type")
    func roundTripOfTypes() throws {
        var random = SeededRandom(seed: 4)
        for _ in 0..<2_000 {
            let text = random.text(upTo: 10)
            guard let type = UTType(filenameExtension: text, conformingTo: .image), type.isDynamic else { continue }
            let decoded = try #require(UTType(type.identifier), "\(text.debugDescription)")
            #expect(decoded == type && decoded.tags == type.tags && decoded.supertypes == type.supertypes)
        }
    }

    @Test(
        "A malformed identifier is unknown",
        arguments: [
            "dyn.", "dyn.a", "dyn.b", "dyn.age81u5", "dyn.age81u5m", "dyn.age81u5dd0", "dyn.age81u5d0a",
            "dyn.age81u5l0",
            "dyn.gge81u5d0", "dyn.age81u5d0 ", "dyn.ah62d4rv4", "dyn.a.ge81u5d0", "dynage81u5d0",
        ])
    func malformed(identifier: String) {
        #expect(UTType(identifier) == nil)
    }

    @Test("Payloads that no encoder writes are unknown")
    func malformedPayload() {
        for payload in [
            "", "1", "=", "1=a=b", ":1=a", "1=a:", "1=a::1=b", "?0=6", "1=a:?0=6", "?0=6:?0=7:1=a", "1=a,b", "1=a\\b",
            "1=a\\", "public.filename-extension=a", "?0=public.data:1=a",
        ] {
            #expect(UTType("dyn.a" + Base32.encode(Array(payload.utf8))) == nil, "\(payload)")
        }
        #expect(UTType("dyn.a" + Base32.encode([0x31, 0x3D, 0xFF])) == nil)
        #expect(UTType("dyn.a" + Base32.encode(Array("1=a".utf8))) != nil)
    }

    @Test("Random letters after dyn. never decode into something that encodes differently")
    func randomIdentifiers() {
        var random = SeededRandom(seed: 5)
        let letters: [Character] = Array("abcdefghkmnpqrstuvwxyz0123456789")
        for round in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            let body = String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
            let identifier = (round % 2 == 0 ? "dyn.a" : "dyn.age8") + body
            if let type = UTType(identifier) { #expect(type.identifier == identifier) }
        }
    }
}
