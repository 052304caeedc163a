extension Knowledge {
    /// Returns whether a rule of the database for text compares so little that a text without a name matches it by
    /// chance, and the text lacks what else files of the format have.
    func isChance(_ rule: MIMEMagic.Match, _ head: Bytes) -> Bool {
        let first = head[0..<(head.index(of: 0x0A) ?? head.count)]
        switch database.relations.text(rule.mime) {
        case "text/x-patch":
            if head.has("Only in ") { return !first.contains(": ") }
            if head.has("Common sub") { return !first.contains(" and ") }
            if head.has("--- ") { return !head.contains("\n+++ ") && !head.contains("\n@@ ") }
            return !head.has("diff --git ") && !LineRules.hasHunk(head)
        case "text/x-matlab":
            // A function has a result; in other languages a brace begins its body.
            guard head.has("function") else { return false }
            return first.index(of: UInt8(ascii: "=")) == nil || first.index(of: UInt8(ascii: "{")) != nil
        case "text/x-modelica":
            guard !head.has("//") else { return false }
            return !head.contains("\nend ") || head.index(of: UInt8(ascii: ";")) == nil
        // The built-in rules look for these in full.
        case "text/x-mpl2", "text/x-microdvd", "text/x-mpsub", "text/x-uuencode", "text/cache-manifest",
            "text/x-systemd-unit":
            return true
        // One field begins a memorandum as well as a message.
        case "message/rfc822", "message/news":
            return !head.contains("\nFrom: ") || !head.contains("\nSubject: ") && !head.contains("\nDate: ")
        case "application/sparql-query": return head.has("PREFIX") && !head.contains(": <") && !head.contains(":<")
        case "text/x-objcsrc": return !first.contains("<") && !first.contains("\"")
        case "text/spreadsheet": return !LineRules.isSymbolicLink(head)
        case "model/stl": return !head.contains("facet ") && !head.contains("FACET ")
        default: return false
        }
    }
}
