import InboxCore
import InboxFiling
import InboxLinux
import UniformTypeIdentifiers

extension LogEntry {
    /// The line that reports what the core did or encountered.
    init(_ happening: Happening) {
        switch happening {
        case .filed(let record): self.init(record)
        case .recovered(let record):
            self.init(
                level: .notice, text: "recovered the record of \(record.destination) after an interruption",
                fields: [("INBOX_ID", Array(record.id.text.utf8)), ("INBOX_DESTINATION", record.destination.bytes)])
        case .duplicate(let record):
            self.init(
                .duplicate, .info, "discarded \(record.source), which is identical to \(record.twin)",
                [
                    ("INBOX_ID", Array(record.id.text.utf8)), ("INBOX_SOURCE", record.source.bytes),
                    ("INBOX_DESTINATION", record.twin.bytes), ("INBOX_TYPE", Array(record.type.utf8)),
                ])
        case .undone(let record):
            self.init(
                .undone, .info, "put \(record.destination) back as \(record.source)",
                [
                    ("INBOX_ID", Array(record.id.text.utf8)), ("INBOX_SOURCE", record.source.bytes),
                    ("INBOX_DESTINATION", record.destination.bytes), ("INBOX_TYPE", Array(record.type.utf8)),
                ])
        case .checkWrote(let path, let line):
            self.init(
                level: .info, text: "check of \(path): \(EscapedBytes.printable(line))",
                fields: [("INBOX_SOURCE", path.bytes)])
        case .handlerWrote(let id, let documentType, let line):
            self.init(
                level: .info,
                text:
                    "handler of \(EscapedBytes.printable(documentType.utf8)) for \(id): \(EscapedBytes.printable(line))",
                fields: [("INBOX_ID", Array(id.utf8))])
        case .handled(let news, let program):
            // The program is not known any more where a reload has removed its section.
            let agent = program.bytes.isEmpty ? "" : " by \(program)"
            let hasFailed = news.outcome == .failed || news.outcome == .retrying
            let text =
                switch news.outcome {
                case .done: "handled \(news.path)\(agent)"
                case .gone: "the handler of \(news.path) does not run: \(news.detail ?? "")"
                case .retrying, .failed: "the handler of \(news.path) failed: \(news.detail ?? "")"
                }
            self.init(
                hasFailed ? .handlerFailed : .handled, hasFailed ? .warning : .info, text,
                [("INBOX_ID", Array(news.id.utf8)), ("INBOX_DESTINATION", news.path.bytes)])
        case .held(let path, let reason, let detail):
            self.init(
                .held, .warning, "held (\(reason.rawValue)): \(path)" + (detail.map { ": \($0)" } ?? ""),
                [("INBOX_SOURCE", path.bytes), Self.state("held"), ("INBOX_REASON", Array(reason.rawValue.utf8))])
        case .released(let path):
            self.init(.released, .notice, "no longer held or tried: \(path)", [("INBOX_SOURCE", path.bytes)])
        case .retrying(let path, let detail):
            self.init(
                .retrying, .warning, "cannot file \(path) now, and tries again: \(detail)",
                [("INBOX_SOURCE", path.bytes), Self.state("waiting"), ("INBOX_REASON", Array("retrying".utf8))])
        case .problemBegan(let problem): self.init(.problemBegan, .warning, problem.text)
        case .problemChanged(let problem): self.init(.problemBegan, .warning, "still: \(problem.text)")
        case .problemEnded(let problem): self.init(.problemEnded, .notice, "over: \(problem.text)")
        case .notice(let text): self.init(level: .notice, text: text)
        case .warning(let text): self.init(level: .warning, text: text)
        case .overflow:
            self.init(.overflow, .warning, "the kernel's event queue overflowed: everything is scanned again")
        }
    }

    private init(_ record: FiledRecord) {
        // Written straight into bytes, since there is one for each document.
        var text: [UInt8] = []
        text.reserveCapacity(record.source.bytes.count + record.destination.bytes.count + 128)
        func add(_ words: StaticString) { words.withUTF8Buffer { text.append(contentsOf: $0) } }
        add(record.isRejected ? "rejected " : "filed ")
        EscapedBytes.appendPrintable(record.source.bytes, to: &text)
        add(" as ")
        EscapedBytes.appendPrintable(record.destination.bytes, to: &text)
        add(" (")
        var type = UTType.shown(record.type)
        type.withUTF8 { text.append(contentsOf: $0) }
        add(", ")
        DecimalDigits.append(record.size, to: &text)
        add(" bytes)")
        if let words = record.rejection { text += ": \(EscapedBytes.printable(words.utf8))".utf8 }
        self.init(
            record.isRejected ? .rejected : .filed, record.isRejected ? .warning : .info, text,
            [
                ("INBOX_ID", Array(record.id.text.utf8)), ("INBOX_SOURCE", record.source.bytes),
                ("INBOX_DESTINATION", record.destination.bytes), ("INBOX_TYPE", Array(record.type.utf8)),
            ])
    }

    /// A line of a kind that journalctl(1) finds.
    init(
        _ message: MessageID, _ level: LogLevel, _ text: String,
        _ fields: @autoclosure @escaping () -> [(name: String, value: [UInt8])] = []
    ) {
        self.init(message, level, Array(text.utf8), fields())
    }

    private init(
        _ message: MessageID, _ level: LogLevel, _ text: [UInt8],
        _ fields: @autoclosure @escaping () -> [(name: String, value: [UInt8])] = []
    ) {
        self.init(level: level, text: text, fields: [("MESSAGE_ID", Array(message.rawValue.utf8))] + fields())
    }

    private static func state(_ name: String) -> (name: String, value: [UInt8]) { ("INBOX_STATE", Array(name.utf8)) }
}
