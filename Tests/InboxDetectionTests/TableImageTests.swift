import Glibc
import Testing

@testable import InboxDetection
@testable import UniformTypeIdentifiers

/// With `INBOXD_WRITE_IMAGES` in the environment the images are written: what is to be done after the texts of
/// `CUniformTypeData` were changed.
@Suite("The images of the tables")
struct TableImageTests {
    @Test("They are the tables of the texts as they are")
    func images() throws {
        let made = [
            ("types", Catalogue.read().image.bytes),
            ("formats", FormatTable(reading: FormatTable.builtInText).image.bytes),
        ]
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        for (name, bytes) in made {
            let path = "/\(root)/Sources/CUniformTypeData/images/\(name)"
            if getenv("INBOXD_WRITE_IMAGES") != nil { try write(bytes, path) }
            let written = try read(path)
            #expect(written == bytes, "INBOXD_WRITE_IMAGES=1 swift test --filter TableImageTests writes them")
        }
    }

    @Test("A table from its image is as the one from its text")
    func reading() throws {
        let text = FormatTable(reading: FormatTable.builtInText)
        let image = Kept(text.image.bytes)
        let table = try #require(FormatTable(image: image.start, of: FormatTable.builtInText))
        #expect(table.image.bytes == text.image.bytes)
        for (place, format) in text.formats.enumerated() {
            #expect(table.format(mime: format.mime) == FormatID(place: place), "\(format.mime)")
        }
        let types = Kept(Catalogue.read().image.bytes)
        let catalogue = try #require(Catalogue(image: types.start))
        #expect(catalogue.image.bytes == Catalogue.read().image.bytes)
        let name = Array("com.compuserve.gif".utf8)
        let row = try #require(name.withUnsafeBufferPointer { catalogue.row(identifier: $0) })
        #expect(catalogue.texts(catalogue.types.rows[row].extensions) == ["gif"])
    }

    @Test("An image of another text is not used")
    func otherText() {
        let image = Kept(TableImage(ofText: 3).bytes)
        #expect(FormatTable(image: image.start, of: FormatTable.builtInText) == nil)
        #expect(Catalogue(image: image.start) == nil)
    }

    /// Bytes in memory that is aligned and not freed, as those of the program.
    private struct Kept {
        let start: UnsafeRawPointer

        init(_ bytes: [UInt8]) {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
            memory.copyMemory(from: bytes, byteCount: bytes.count)
            start = UnsafeRawPointer(memory)
        }
    }

    private func read(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"), "\(path)")
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 2 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "w"), "\(path)")
        defer { fclose(file) }
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
