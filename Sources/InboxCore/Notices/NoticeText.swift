import InboxConfiguration
import InboxLinux

/// The text of a notice: lines of printable text, as a list of them or as a mail.
struct NoticeText {
    let counts: [NoticeEvent: Int]
    let events: [(kind: NoticeEvent, event: Event)]
    /// The machine's name.
    let host: [UInt8]

    /// Its subject in one line: numbers and words of the daemon's own.
    var subject: String {
        let parts = NoticeEvent.allCases.compactMap { kind -> String? in
            guard let count = counts[kind], count > 0 else { return nil }
            let (one, many) = Self.words(kind)
            return count == 1 ? "1 \(one)" : "\(count) \(many)"
        }
        let name = String(decoding: host.filter { $0 > 0x20 && $0 < 0x7F }.prefix(64), as: UTF8.self)
        return "inboxd\(name.isEmpty ? "" : " on \(name)"): \(parts.joined(separator: ", "))"
    }

    private static func words(_ kind: NoticeEvent) -> (one: String, many: String) {
        switch kind {
        case .held: ("document is held", "documents are held")
        case .problem: ("problem", "problems")
        case .handlerFailed: ("handler has failed", "handlers have failed")
        case .filed: ("document was filed", "documents were filed")
        case .recovered: ("problem is over", "problems are over")
        }
    }

    /// The number of events that have no line.
    private var rest: Int { counts.values.reduce(0, +) - events.count }

    /// The lines of text.
    var text: [UInt8] {
        var lines = [subject, ""] + events.map { line($0.kind, $0.event) }
        if rest > 0 { lines.append("... and \(rest) more") }
        if events.contains(where: { $0.kind == .held }) {
            lines += ["", "\"inboxctl explain PATH\" says more, \"inboxctl retry PATH\" tries again."]
        }
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// One event in one line, which nothing in a name can end.
    private func line(_ kind: NoticeEvent, _ event: Event) -> String {
        let path = event.path.map { "\($0)" } ?? ""
        let line =
            switch event.kind {
            case .held(let reason, let detail): "held (\(reason.rawValue)): \(path)" + (detail.map { ": \($0)" } ?? "")
            case .filed(let record):
                record.rejection.map { "rejected: \(path), now \(record.destination): \($0)" }
                    ?? "filed: \(path) as \(record.destination)"
            case .handler(let news):
                "handler failed: \(path): \(news.detail ?? ""): \"inboxctl retry \(news.id)\" runs it again"
            case .problem(let problem): "problem: \(problem.text)"
            case .problemOver(let problem): "over: \(problem.text)"
            default: "\(kind.rawValue): \(path)"
            }
        // Names in it are escaped already; whatever else may be in it ends no line.
        return String(String.UnicodeScalarView(line.unicodeScalars.map { $0.isLineEnding ? "\u{FFFD}" : $0 }))
    }

    /// The same as a mail: RFC 5322, with its text as quoted-printable of RFC 2045, so that no line is too long.
    func mail(to addresses: [[UInt8]], at time: Timestamp) -> [UInt8] {
        let headers = [
            "To: " + addresses.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",\n "),
            "Subject: \(subject)",
            "Date: \(Self.date(time))",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
        ]
        return Array(headers.map { $0 + "\n" }.joined().utf8) + [UInt8(ascii: "\n")] + Self.quotedPrintable(text)
    }

    /// Lines: one event each as others write it, then the count of the rest.
    func json(_ describe: (Event) -> [UInt8]) -> [UInt8] {
        var lines = events.flatMap { describe($0.event) + [UInt8(ascii: "\n")] }
        if rest > 0 { lines += Array("{\"more\":\(rest)}\n".utf8) }
        return lines
    }

    /// A date as headers have it, in UTC.
    static func date(_ time: Timestamp) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let text = Array(time.text.utf8)
        let part = { (range: Range<Int>) in String(decoding: text[range], as: UTF8.self) }
        let whole = time.seconds - (time.seconds % 86_400 + 86_400) % 86_400
        let day = days[Int(((whole / 86_400) % 7 + 7) % 7)]
        let month = months[((Int(part(5..<7)) ?? 1) - 1) % 12]
        return "\(day), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) +0000"
    }

    /// Encodes lines of text. A dot or "From " at the beginning of a line would mean something to programs on the way.
    static func quotedPrintable(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var (result, length) = ([UInt8](), 0)
        for (index, byte) in text.enumerated() {
            let newline = UInt8(ascii: "\n")
            if byte == newline {
                result.append(newline)
                length = 0
                continue
            }
            let isFirst = length == 0 && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F"))
            let isLast = byte == UInt8(ascii: " ") && (index + 1 == text.count || text[index + 1] == newline)
            let isPlain = byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "=") && !isFirst && !isLast
            let piece = isPlain ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            if length + piece.count > 75 {
                result += [UInt8(ascii: "="), newline]
                length = 0
            }
            result += piece
            length += piece.count
        }
        return result
    }
}

extension Unicode.Scalar {
    /// It is a control character, or ends a line.
    fileprivate var isLineEnding: Bool {
        properties.generalCategory == .control || self == "\u{2028}" || self == "\u{2029}"
    }
}
