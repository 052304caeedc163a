import Glibc
import Testing

@testable import InboxConfiguration
@testable import InboxFiling

@Suite("The man page inboxd.conf(5)")
struct ConfigurationManualTests {
    private struct Unreadable: Error {}

    /// A section's items: each key's line and the text below it.
    private struct Item {
        let head: String
        let text: String
    }

    /// The items of the page, by section and key.
    private static func items() throws -> [String: [String: Item]] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = fopen("/\(root)/Sources/inboxd/inboxd.conf.5", "r") else { throw Unreadable() }
        defer { fclose(file) }
        var content = [UInt8](repeating: 0, count: 1 << 16)
        content.removeLast(content.count - fread(&content, 1, content.count, file))
        var result: [String: [String: Item]] = [:]
        for section in String(decoding: content, as: UTF8.self).split(separator: ".Sh SECTION [").dropFirst() {
            let name = String(section.prefix { $0 != "]" })
            for item in section.split(separator: ".El\n")[0].split(separator: ".It Li ").dropFirst() {
                let head = String(item.prefix { $0 != "\n" })
                result[name, default: [:]][String(head.prefix { $0 != "=" })] = Item(
                    head: head, text: String(item.dropFirst(head.count)))
            }
        }
        return result
    }

    /// What the page has to say of a section: its keys with their defaults; those that are named have words of their own.
    private static func expect<Settings: SettingsSection>(
        _ type: Settings.Type, places: [String] = [], otherwise: Set<String> = []
    ) throws {
        let items = try #require(try items()[Settings.sectionName])
        #expect(Set(items.keys) == Set(places + Settings.fields.map(\.name)))
        let usual = Settings()
        for field in Settings.fields where !otherwise.contains(field.name) {
            #expect(items[field.name]?.head == "\(field.name)=\(field.lines(usual, usual).joined())")
        }
        for (key, item) in items { #expect(!item.text.contains("ot built yet"), "\(key)") }
    }

    @Test("It describes every key and its default, and every key is built")
    func keys() throws {
        try Self.expect(InboxSettings.self, places: InboxPlaces.keys, otherwise: ["Ignore"])
        try Self.expect(HistorySettings.self)
        try Self.expect(ControlSettings.self)
    }

    @Test("It has every key of a document type with its default, and every placeholder")
    func documentTypes() throws {
        let items = try #require(try Self.items()["DocumentType NAME"])
        let usual = DocumentTypeSettings()
        #expect(Set(items.keys) == Set(DocumentTypeSettings.fields.map(\.name)))
        for field in DocumentTypeSettings.fields {
            #expect(items[field.name]?.head == "\(field.name)=\(field.lines(usual, usual).joined())")
        }
        for placeholder in TemplatePlaceholder.allCases {
            #expect(items["Destination"]?.text.contains("{\(placeholder.rawValue)}") == true)
        }
        for placeholder in CommandTemplate.Placeholder.allCases {
            #expect(items["Run"]?.text.contains("{\(placeholder.rawValue)}") == true)
        }
    }

    @Test("It has every key of a notice with its default")
    func notices() throws {
        let items = try #require(try Self.items()["Notice NAME"])
        let usual = NoticeSettings()
        #expect(Set(items.keys) == Set(NoticeSettings.fields.map(\.name)))
        for field in NoticeSettings.fields {
            #expect(items[field.name]?.head == "\(field.name)=\(field.lines(usual, usual).joined())")
        }
    }

    @Test("It describes every pattern that is left alone")
    func patterns() throws {
        let text = try #require(try Self.items()["Inbox"]?["Ignore"]?.text)
        let words = " " + text.split(whereSeparator: \.isWhitespace).joined(separator: " ") + " "
        for pattern in InboxSettings.defaultIgnore {
            let word = String(decoding: pattern, as: UTF8.self).replacing("\r", with: "\\ex0d")
            #expect(words.contains(" \(word) ") || words.contains(" \\(dq\(word)\\(dq "), "\(word)")
        }
    }
}
