import InboxLinux
import Testing

@testable import inboxctl

@Suite("The man page")
struct ManualTests {
    private func page() throws -> String {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
        let file = try FileDescriptor.reading(path: Array("\(folder)/Sources/inboxctl/inboxctl.1".utf8))
        return String(decoding: try file.contents(limit: 1 << 20), as: UTF8.self)
    }

    @Test("It tells of every verb and every option, and of no other verb")
    func complete() throws {
        let page = try page()
        for verb in Verb.all {
            #expect(page.contains(".It Cm \(verb.name)"), "\(verb.name) is missing")
            for option in verb.options + .common {
                #expect(page.contains("Fl Fl \(option.name)"), "--\(option.name) is missing")
            }
        }
        let verbs = Set(Verb.all.map(\.name)).union(["waiting", "held", "ignored"])
        for line in page.split(separator: "\n") where line.hasPrefix(".It Cm ") {
            #expect(verbs.contains(String(line.split(separator: " ")[2])), "\(line) is no verb")
        }
    }
}
