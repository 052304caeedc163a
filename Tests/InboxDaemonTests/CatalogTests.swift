import InboxLinux
import Testing

@testable import InboxDaemon

@Suite("The message catalog")
struct CatalogTests {
    private func lines(of path: String) throws -> [Substring] {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        let bytes = try FileDescriptor.reading(path: BytePath("\(root)/\(path)")).contents(limit: 1 << 20) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private func catalog() throws -> [Substring] { try lines(of: "systemd/inboxd.catalog") }

    @Test("Explains each message identifier of the log exactly once, and no other")
    func identifiers() throws {
        let explained = try catalog().filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
        #expect(explained.sorted() == MessageID.allCases.map(\.rawValue).sorted())
        #expect(explained.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test("inboxd(8) lists each message identifier exactly once, and no other")
    func manual() throws {
        let listed = try lines(of: "Sources/inboxd/inboxd.8").filter { $0.hasPrefix(".It Li ") }
            .map { String($0.dropFirst(7)) }.filter { $0.count == 32 && $0.allSatisfy(\.isHexDigit) }
        #expect(listed.sorted() == MessageID.allCases.map(\.rawValue).sorted())
    }

    @Test("Each explanation has a subject")
    func subjects() throws {
        let lines = try catalog()
        for (index, line) in lines.enumerated() where line.hasPrefix("-- ") {
            #expect(lines[index + 1].hasPrefix("Subject: "), "\(line)")
        }
    }
}
