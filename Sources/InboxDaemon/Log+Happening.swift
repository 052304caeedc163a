import InboxCore
import InboxLinux

extension LogEntry {
    /// The line that tells of what the core did or met.
    init(_ happening: Happening) {
        switch happening {
        case .filed(let record): self.init(record)
        case .held(let path, let reason, let detail):
            self.init(
                level: .warning, text: "held (\(reason.rawValue)): \(path)" + (detail.map { ": \($0)" } ?? ""),
                fields: [Self.message("3f1d0f0c5e0b4a4e9f0e5a8f6c1b7d21"), ("INBOX_SOURCE", path.bytes)])
        case .released(let path):
            self.init(
                level: .notice, text: "no longer held or tried: \(path)",
                fields: [Self.message("8a7a4fbc0d9141f0b0c2f9f6f6c2a9c4"), ("INBOX_SOURCE", path.bytes)])
        case .retrying(let path, let detail):
            self.init(
                level: .warning, text: "cannot file \(path) now, and tries again: \(detail)",
                fields: [Self.message("c5b0e4a6d3f94f57a1d0c8be24a7f013"), ("INBOX_SOURCE", path.bytes)])
        case .problemBegan(let text):
            self.init(level: .warning, text: text, fields: [Self.message("5b9b6c3ce7cf4d83a6d9e4c0f1a25e77")])
        case .problemEnded(let text):
            self.init(level: .notice, text: "over: \(text)", fields: [Self.message("e02c4c6a49f84b0b8f6a3d1b7ce9d550")])
        case .notice(let text): self.init(level: .notice, text: text)
        case .overflow:
            self.init(
                level: .warning, text: "the kernel's event queue overflowed: everything is looked at again",
                fields: [Self.message("27f5d3f8b1a64c3c9b7e0a2d4f6c8e19")])
        }
    }

    private init(_ record: FiledRecord) {
        self.init(
            level: .info,
            text: "filed \(record.source) as \(record.destination) (\(record.type), \(record.size) bytes)",
            fields: [
                Self.message("9d0f4b1e6a2c4f7d8e3b5a6c7d8e9f01"), ("INBOX_ID", Array(record.id.text.utf8)),
                ("INBOX_SOURCE", record.source.bytes), ("INBOX_DESTINATION", record.destination.bytes),
                ("INBOX_TYPE", Array(record.type.utf8)),
            ])
    }

    private static func message(_ identifier: String) -> (name: String, value: [UInt8]) {
        ("MESSAGE_ID", Array(identifier.utf8))
    }
}
