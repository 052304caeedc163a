/// E-mail and its relatives by their header lines (RFC 5322, RFC 4155).
enum MailText {
    static func finding(_ text: Bytes) -> TextFinding? {
        let isBox = isEnvelope(text)
        var place = isBox ? (text.index(of: 0x0A) ?? text.count) + 1 : 0
        var fields = 0
        var known = 0
        // A memorandum has the same lines: only addresses and the fields of programs are a message's alone.
        var isSent = false
        var isSnapshot = false
        var isKept = false
        // Header lines until an empty one; a line that begins with a blank continues the one before.
        while place < text.count, fields < 40 {
            let end = text.index(of: 0x0A, from: place) ?? text.count
            let line = text[place..<end]
            if line.isEmpty || line.equals("\r") { break }
            if !ASCII.isSpace(line[0]) || fields == 0 {
                guard let length = nameLength(line) else {
                    if end == text.count, fields > 0 { break }
                    return nil
                }
                fields += 1
                let name = line[0..<length]
                if isKnown(name) { known += 1 }
                if isTechnical(name, line) || hasAddress(line) { isSent = true }
                if name.hasIgnoringCase("content-type"), line.contains("multipart/related") { isSnapshot = true }
                if line.hasIgnoringCase("snapshot-content-location:") { isSnapshot = true }
                // Programs write these into the mailboxes that they keep, and remove them from what leaves one.
                if line.hasIgnoringCase("x-evolution") || line.hasIgnoringCase("x-imapbase:") { isKept = true }
            }
            place = end + 1
        }
        guard fields > 0 else { return nil }
        if isBox, known >= 1 {
            // One message with an envelope line is not a mailbox; in a mailbox a second such line follows an empty
            // line.
            let isSeveral = isKept || text.find("\nFrom ", from: place) != nil
            return .sure(isSeveral ? "application/mbox" : "message/rfc822", nil, fixed: isSeveral ? 11 : 5)
        }
        if isSnapshot, text.contains("text/html"), !text.contains("Received:") {
            return .sure("application/x-mimearchive", nil, fixed: 8)
        }
        if known >= 2, isSent { return .sure("message/rfc822", nil, fixed: 8) }
        if known == 1, isSent, startsLikeMail(text) { return .sure("message/rfc822", nil, fixed: 8) }
        return nil
    }

    /// `From someone Mon Jan  1 00:00:00 2024`: a sentence that begins so holds no time of day.
    static func isEnvelope(_ text: Bytes) -> Bool {
        guard text.has("From ") else { return false }
        let end = text.index(of: 0x0A) ?? text.count
        var place = 5
        while let colon = text.index(of: UInt8(ascii: ":"), from: place), colon < end {
            if ASCII.isDigit(text[colon - 1]), ASCII.isDigit(text[colon + 1]), ASCII.isDigit(text[colon + 2]) {
                return true
            }
            place = colon + 1
        }
        return false
    }

    /// Returns the length of a field's name: printable characters up to a colon, before which old programs put a
    /// blank.
    private static func nameLength(_ line: Bytes) -> Int? {
        for index in 0..<min(line.count, 76) {
            let byte = line[index]
            if byte == UInt8(ascii: ":") { return index > 0 ? index : nil }
            if byte == 0x20, line[index + 1] == UInt8(ascii: ":") { return index > 0 ? index : nil }
            guard byte > 0x20, byte < 0x7F else { return nil }
        }
        return nil
    }

    private static func startsLikeMail(_ text: Bytes) -> Bool {
        for name: StaticString in ["return-path:", "received:", "message-id:", "delivered-to:", "mime-version:"]
        where text.hasIgnoringCase(name) { return true }
        return false
    }

    /// Returns whether a field is one of those that programs write, with the content that they write into it.
    private static func isTechnical(_ name: Bytes, _ line: Bytes) -> Bool {
        let fields: [(name: StaticString, mark: StaticString)] = [
            ("received", "from "), ("received", "by "), ("message-id", "<"), ("mime-version", "1"),
            ("return-path", "<"),
            ("content-type", "/"), ("delivered-to", ""), ("x-mailer", ""), ("dkim-signature", "="),
            ("x-mozilla-status", ""), ("in-reply-to", "<"),
        ]
        return fields.contains { field in
            field.name.utf8CodeUnitCount == name.count && name.hasIgnoringCase(field.name)
                && (field.mark.utf8CodeUnitCount == 0 || line.contains(field.mark))
        }
    }

    /// Returns whether the line has an @ inside a word.
    private static func hasAddress(_ line: Bytes) -> Bool {
        guard let place = line.index(of: UInt8(ascii: "@")) else { return false }
        return !ASCII.isSpace(line[place - 1]) && !ASCII.isSpace(line[place + 1])
    }

    private static func isKnown(_ name: Bytes) -> Bool {
        let names: [StaticString] = [
            "from", "to", "subject", "date", "received", "message-id", "mime-version", "return-path", "content-type",
            "delivered-to", "reply-to", "cc", "bcc", "sender", "x-mozilla-status", "in-reply-to", "references",
            "dkim-signature", "x-mailer", "authentication-results", "content-transfer-encoding", "x-received",
        ]
        return names.contains { $0.utf8CodeUnitCount == name.count && name.hasIgnoringCase($0) }
    }
}
