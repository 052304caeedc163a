import InboxTestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("Hostile input")
struct HostileInputTests {
    @Test("Property lists that are cut off anywhere are refused or read, and nothing traps")
    func cutOff() throws {
        for whole in [Array(PropertyListTests.infoPlist.utf8), try PropertyListTests.binaryPlist()] {
            for count in whole.indices {
                #expect(throws: PropertyListError.self) {
                    try PropertyListDeclarations(Array(whole[..<count]), label: "cut")
                }
            }
        }
    }

    @Test("Damaged and random property lists never trap, and what they declare is taken or refused in order")
    func damaged() throws {
        var random = SeededRandom(seed: 1)
        let xml = Array(PropertyListTests.infoPlist.utf8)
        let binary = try PropertyListTests.binaryPlist()
        var read = 0
        for round in 0..<6_000 {
            let bytes =
                switch round % 4 {
                case 0: random.damaged(xml)
                case 3: Array("bplist00".utf8) + random.bytes(upTo: 200)
                default: random.damaged(binary)
                }
            guard let declarations = try? PropertyListDeclarations(bytes, label: "damaged") else { continue }
            read += 1
            _ = OwnDeclarations.resolve(Array(declarations.types.prefix(3)))
        }
        #expect(read > 100, "the damage is so great that nothing behind the reader was tried")
    }

    @Test("A list that nests without end is refused, in either form")
    func deep() {
        let levels = 200_000
        let text = "<plist>" + String(repeating: "<array>", count: levels)
        let error = #expect(throws: PropertyListError.self) { try PropertyList(Array(text.utf8)) }
        #expect(error?.reason.contains("deeper") == true)
        // One array whose only element is itself.
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
        let circle = Array("bplist00".utf8) + [0xA1, 0x00] + [8] + trailer
        let other = #expect(throws: PropertyListError.self) { try PropertyList(circle) }
        #expect(other?.reason.contains("deeper") == true)
    }

    @Test("A binary list that multiplies by sharing its parts is refused in bounded time")
    func sharing() {
        var objects: [UInt8] = []
        var offsets: [UInt8] = []
        let count: UInt8 = 50
        for index in 0..<count {
            offsets.append(8 + UInt8(objects.count))
            objects += index == count - 1 ? [0xA0] : [0xA2, index + 1, index + 1]
        }
        let table = 8 + UInt8(objects.count)
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, count] + [0, 0, 0, 0, 0, 0, 0, 0]
            + [0, 0, 0, 0, 0, 0, 0, table]
        let error = #expect(throws: PropertyListError.self) {
            try PropertyList(Array("bplist00".utf8) + objects + offsets + trailer)
        }
        #expect(error?.reason.contains("more than") == true)
    }

    /// A list of one array that has the first of the other objects so often.
    private func list(of object: [UInt8], times: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
        let array = [0xAF, 0x13] + number(times) + [UInt8](repeating: 1, count: times)
        let objects = Array("bplist00".utf8) + array + object
        let offsets = number(8) + number(8 + array.count)
        return objects + offsets + [0, 0, 0, 0, 0, 0, 8, 1] + number(2) + number(0) + number(objects.count)
    }

    @Test("A binary list that multiplies one long text is refused before it takes the memory")
    func longText() throws {
        let size = 64 * 1024
        let text = [0x5F, 0x12, 0, 1, 0, 0] + [UInt8](repeating: 0x61, count: size)
        #expect(try PropertyList(list(of: text, times: 3)).array?.count == 3)
        let error = #expect(throws: PropertyListError.self) { try PropertyList(list(of: text, times: 1000)) }
        #expect(error?.reason.contains("longer than") == true)
    }

    @Test("Thousands of imports of one type take memory in proportion to their number")
    func imports() throws {
        let count = 1_500
        let declarations = (0..<count).map { index in
            UTTypeDeclaration(
                identifier: "public.jpeg",
                tags: [.filenameExtension: ["xj\(index)"], .mimeType: ["image/x-j\(index)"]], kind: .imported)
        }
        let catalogue = try #require(OwnDeclarations.resolve(declarations).catalogue)
        let jpeg = try #require(UTType("public.jpeg", in: catalogue)?.row(in: catalogue))
        let extensions = catalogue.texts(catalogue.types.rows[jpeg].extensions)
        #expect(extensions.first == "jpg" || extensions.first == "jpeg")
        #expect(extensions.suffix(count) == (0..<count).map { "xj\($0)" })
        #expect(catalogue.texts(catalogue.types.rows[jpeg].mimeTypes).suffix(1) == ["image/x-j\(count - 1)"])
        #expect(catalogue.types.tags.count < Catalogue.builtIn.types.tags.count + 3 * count)
    }

    @Test("Random text of every kind can be looked up")
    func lookups() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<5_000 {
            let text = random.text(upTo: 20)
            let bytes = random.bytes(upTo: 20)
            #expect(UTType(filenameExtension: text) != nil || text.isEmpty)
            _ = UTType(mimeType: text)
            _ = UTType(text)
            _ = UTType("dyn.a" + text)
            _ = UTType(exportedAs: text).conforms(to: .data)
            if let found = UTType.declared(filenameExtension: bytes.span) {
                #expect(
                    found.tags[.filenameExtension]?.contains(String(decoding: bytes, as: UTF8.self).lowercased())
                        == true)
            }
            _ = UTTypeDeclaration.syntaxError(in: text)
        }
    }
}
