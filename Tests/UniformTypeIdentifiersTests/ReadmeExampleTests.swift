import Glibc
import Testing
import UniformTypeIdentifiers

/// The README's example for Swift programs: its lines are here too, where the compiler sees them.
@Suite("The README's example")
struct ReadmeExampleTests {
    private struct Unreadable: Error {}

    private func lines(of path: String) throws -> [String] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = fopen("/\(root)/\(path)", "r") else { throw Unreadable() }
        defer { fclose(file) }
        var content = [UInt8](repeating: 0, count: 1 << 16)
        content.removeLast(content.count - fread(&content, 1, content.count, file))
        return String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("It compiles, and says what the README says")
    func example() throws {
        let type = UTType(filenameExtension: "heic")
        let isImage = type?.conforms(to: .image) == true
        let text = UTType(mimeType: "text/plain; charset=utf-8") == .plainText
        let words = UTType("com.adobe.pdf")?.localizedDescription
        #expect(isImage && text && words == "PDF document")
        let readme = try lines(of: "Sources/UniformTypeIdentifiers/README.md")
        let start = try #require(readme.firstIndex(of: "```swift"))
        let example = readme[(start + 1)...].prefix { $0 != "```" }
        #expect(example.count == 5)
        let source = Set(
            try lines(of: "Tests/UniformTypeIdentifiersTests/ReadmeExampleTests.swift").map { line in
                String(line.drop { $0 == " " })
            })
        for line in example { #expect(source.contains(line), "\(line)") }
    }
}
