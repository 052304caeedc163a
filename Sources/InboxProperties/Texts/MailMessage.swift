import InboxDetection

/// A mail by the fields before its text (RFC 5322), whose words may be encoded (RFC 2047).
enum MailMessage {
    private static let reach = 64 * 1024
    private static let mostFields = 1024

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        let bytes = excerpts.bytes(at: 0, count: reach, ahead: 16 * 1024)
        var place = bytes.has("\u{FEFF}") ? 3 : 0
        // Apple's mails begin with a line that says how long they are.
        while ASCII.isDigit(bytes[place]) || place > 0 && place < 16 && bytes[place] == 0x20 { place += 1 }
        if bytes[place] == 0x0A { place += 1 }
        for _ in 0..<mostFields where place < bytes.count {
            let end = endOfField(bytes, from: place)
            let field = bytes[place..<end]
            guard field.hasInk else { return }
            if field.hasIgnoringCase("date:") {
                findings.offer(WrittenDate.words(unfolded(field.from(5), &excerpts)), from: .mail)
            } else if field.hasIgnoringCase("subject:") {
                findings.offer(title: EncodedWords.text(unfolded(field.from(8), &excerpts)))
            } else if field.hasIgnoringCase("from:") {
                findings.offer(author: MailAddress.name(unfolded(field.from(5), &excerpts)))
            }
            place = end
        }
    }

    /// Where a field ends: at the end of a line that no blank follows.
    private static func endOfField(_ bytes: Bytes, from start: Int) -> Int {
        var place = start
        while let end = bytes.index(of: 0x0A, from: place) {
            let next = bytes[end + 1]
            // An empty line ends all fields, whatever follows it.
            guard end > start, !(end == start + 1 && bytes[start] == 0x0D), next == 0x20 || next == 0x09 else {
                return end + 1
            }
            place = end + 1
        }
        return bytes.count
    }

    /// A field's text in one line.
    private static func unfolded(_ field: Bytes, _ excerpts: inout Excerpts) -> Bytes {
        let field = field[0..<TextDecoding.longest]
        return excerpts.keep(limit: field.count) { room in
            var count = 0
            for index in 0..<field.count where count < room.count && field[index] != 0x0A && field[index] != 0x0D {
                room[count] = field[index]
                count += 1
            }
            return count
        }
    }
}

/// Who a mail is from.
enum MailAddress {
    /// The name of the first of the addresses in a field, or else the address.
    static func name(_ field: Bytes) -> String? {
        var quoted: [UInt8] = []
        var name: [UInt8] = []
        var address: [UInt8] = []
        var comment: [UInt8] = []
        var isQuoted = false
        var isAddress = false
        var depth = 0
        var place = 0
        var hadAddress = false
        scan: while place < field.count {
            var byte = field[place]
            place += 1
            let isEscaped = byte == UInt8(ascii: "\\") && (isQuoted || depth > 0)
            if isEscaped {
                byte = field[place]
                place += 1
            } else if byte == UInt8(ascii: "\""), depth == 0 {
                isQuoted.toggle()
                continue
            } else if !isQuoted {
                switch byte {
                case UInt8(ascii: "("):
                    depth += 1
                    if depth == 1 { continue }
                case UInt8(ascii: ")") where depth > 0:
                    depth -= 1
                    if depth == 0 { continue }
                case UInt8(ascii: "<") where depth == 0:
                    isAddress = true
                    hadAddress = true
                    continue
                case UInt8(ascii: ">") where depth == 0:
                    isAddress = false
                    continue
                case UInt8(ascii: ",") where depth == 0 && !isAddress, UInt8(ascii: ";") where depth == 0 && !isAddress:
                    if !(name.isEmpty && quoted.isEmpty && address.isEmpty) { break scan }
                    continue
                case UInt8(ascii: ":") where depth == 0 && !isAddress && !hadAddress:
                    // The name of a group precedes its members.
                    name.removeAll()
                    quoted.removeAll()
                    continue
                default: break
                }
            }
            if depth > 0 {
                comment.append(byte)
            } else if isAddress {
                address.append(byte)
            } else {
                name.append(byte)
                if isQuoted { quoted.append(byte) }
            }
        }
        let words = decoded(name)
        if hadAddress {
            if let words { return words }
            return decoded(comment) ?? decoded(address)
        }
        // An address alone, perhaps with the name as a comment, as it was done long ago.
        return decoded(comment) ?? words
    }

    private static func decoded(_ bytes: [UInt8]) -> String? {
        let text = bytes.withUnsafeBytes { EncodedWords.text(Bytes($0)) }
        return text.unicodeScalars.contains { !$0.properties.isWhitespace } ? text : nil
    }
}
