/// Formats that a line near the beginning identifies: sections of settings, subtitles, patches, playlists and the like.
enum LineRules {
    private static let reach = 2048

    /// HTML 5, section "Writing cache manifests": the first line begins so, in capitals, and a blank or the line's end
    /// follows.
    static func isCacheManifest(_ text: Bytes) -> Bool {
        text.has("CACHE MANIFEST") && (text.count == 14 || [0x20, 0x09, 0x0A, 0x0D].contains(text[14]))
    }

    static func finding(_ text: Bytes) -> TextFinding? {
        if let section = section(text) { return section }
        if let subtitle = subtitle(text) { return subtitle }
        if let patch = patch(text) { return patch }
        if text.has("#define "), let end = text.index(of: 0x0A), text[0..<end].contains("_width "),
            text[end..<(end + 80)].contains("_height ")
        {
            return .sure("image/x-xbitmap", nil, fixed: 15)
        }
        if let row = prefixes.first(ASCII.lower(text[0]), where: { text.hasIgnoringCase($0.start) && $0.fits(text) }) {
            return .sure(row.mime, nil, fixed: row.start.utf8CodeUnitCount)
        }
        if isEncoded(text) { return .sure("text/x-uuencode", nil, fixed: 10) }
        for directive: StaticString in ["\"use strict\"", "'use strict'", "\"use client\"", "'use client'"]
        where text.has(directive) && (text[12] == UInt8(ascii: ";") || endsLine(text, 12)) {
            return .guess("application/javascript")
        }
        if text.has("---\n") {
            if let end = text.find("\n---\n", from: 3) {
                let rest = text.from(end + 5)
                if isPage(rest) { return .guess("text/markdown") }
                if isTemplate(rest) { return nil }
            }
            if SettingsText.isEntry(text.from(4)) { return .guess("application/x-yaml") }
        }
        // Remarks of the translators precede the first message.
        if text[0] == UInt8(ascii: "#"), text.contains("\nmsgid \""), text.contains("\nmsgstr \"") {
            return .guess("text/x-gettext-translation")
        }
        if let row = hints.first(text[0], where: { text.has($0.start) && $0.fits(text) }) { return .guess(row.mime) }
        if text.has("#import "), text[8] == UInt8(ascii: "<") || text[8] == UInt8(ascii: "\"") {
            return .guess("text/x-objcsrc")
        }
        if isSurface(text) { return .sure("model/x-off", nil, fixed: 8) }
        if isObject(text) { return .guess("model/obj") }
        if isSymbolicLink(text) { return .sure("text/spreadsheet", nil, fixed: 6) }
        if text.has("solid "), text.contains("facet normal ") { return .sure("model/stl", nil, fixed: 18) }
        return nil
    }

    /// Symbolic links (SYLK): a first record, then others of one or two capitals, each with fields that begin with a
    /// capital. A table whose first column is called `ID` begins like the first record.
    static func isSymbolicLink(_ text: Bytes) -> Bool {
        guard text.has("ID;P") else { return false }
        let end = text.index(of: 0x0A) ?? text.count
        guard end + 1 < text.count else { return text[0..<end].contains(";N") }
        func isCapital(_ place: Int) -> Bool { (0x41...0x5A).contains(text[place]) }
        let sign = isCapital(end + 2) ? end + 3 : end + 2
        return isCapital(end + 1) && text[sign] == UInt8(ascii: ";") && isCapital(sign + 1)
    }

    /// Object File Format: the name, then how many corners, faces and edges there are.
    private static func isSurface(_ text: Bytes) -> Bool {
        var lines = TextLines(text, isWhole: false)
        guard let first = lines.next()?.text, first.equals("OFF") || first.equals("COFF") || first.equals("NOFF") else {
            return false
        }
        while let line = lines.next()?.text {
            if line.isEmpty || line[0] == UInt8(ascii: "#") { continue }
            return numbers(line) == 3
        }
        return false
    }

    /// Wavefront: corners of three numbers and faces, after comments, names and groups.
    private static func isObject(_ text: Bytes) -> Bool {
        guard [UInt8(ascii: "#"), UInt8(ascii: "v"), UInt8(ascii: "o"), UInt8(ascii: "g")].contains(text[0]) else {
            return false
        }
        var lines = TextLines(text, isWhole: false)
        var corners = 0
        while let line = lines.next()?.text {
            if line.isEmpty || line[0] == UInt8(ascii: "#") { continue }
            if line.has("v "), (3...7).contains(numbers(line.from(2)) ?? 0) {
                corners += 1
                if corners == 3 { return true }
                continue
            }
            guard line.has("o ") || line.has("g ") || line.has("mtllib ") || line.has("s ") else { return false }
        }
        return false
    }

    /// Returns the number of numbers in a line; nil if it contains anything else.
    private static func numbers(_ line: Bytes) -> Int? {
        var words = Words(line)
        var count = 0
        while let word = words.next() {
            for index in 0..<word.count {
                let byte = word[index]
                guard ASCII.isDigit(byte) || [0x2B, 0x2D, 0x2E, 0x65, 0x45].contains(byte) else { return nil }
            }
            count += 1
        }
        return count
    }

    /// Returns whether the rest of the line is blank.
    private static func endsLine(_ text: Bytes, _ start: Int) -> Bool {
        var place = start
        while text[place] == 0x20 || text[place] == 0x09 || text[place] == 0x0D { place += 1 }
        return place >= text.count || text[place] == 0x0A
    }

    /// Bytes in printable characters: a mode in octal digits and a name, then lines in which no small letter occurs.
    private static func isEncoded(_ text: Bytes) -> Bool {
        guard text.has("begin "), let end = text.index(of: 0x0A) else { return false }
        var place = 6
        while (0x30...0x37).contains(text[place]) { place += 1 }
        guard place == 9 || place == 10, text[place] == 0x20 else { return false }
        let line = text[(end + 1)..<(text.index(of: 0x0A, from: end + 1) ?? text.count)]
        return !line.isEmpty && (0..<line.count).allSatisfy { line[$0] <= 0x60 }
    }

    /// Returns whether the settings at a page's beginning are followed by the page and no further settings.
    private static func isPage(_ rest: Bytes) -> Bool {
        var start = 0
        while start < rest.count, ASCII.isSpace(rest[start]) { start += 1 }
        return start < rest.count && !isTemplate(rest) && rest.find(": ", before: 80) == nil
            && !SettingsText.isYAML(rest, isWhole: true)
    }

    /// Returns whether what follows settings is a page of HTML or AsciiDoc, which may have them too.
    private static func isTemplate(_ rest: Bytes) -> Bool {
        var start = 0
        while start < rest.count, ASCII.isSpace(rest[start]) { start += 1 }
        return rest[start] == UInt8(ascii: "<") || rest.has("= ", at: start)
    }

    /// `[Section]` lines of settings files, after comments.
    private static func section(_ text: Bytes) -> TextFinding? {
        var place = 0
        while place < min(text.count, reach) {
            let end = text.index(of: 0x0A, from: place) ?? text.count
            let first = text[place]
            if first == UInt8(ascii: "[") {
                for (name, mime) in sections where text.has(name, at: place) {
                    // In prose the line goes on.
                    if Bytes(name).ends(with: "]"), !endsLine(text, place + name.utf8CodeUnitCount) { return nil }
                    // Lists of people and places have such sections, too.
                    let isChannel = mime == "application/x-netshow-channel"
                    if isChannel, !text.contains("NSC Format Version") { return nil }
                    // Of the units' sections only this one is found nowhere else.
                    let isUnit = mime == "text/x-systemd-unit" && !text.has("[Unit]", at: place)
                    if isUnit, text.index(of: UInt8(ascii: "="), from: place) == nil { return nil }
                    return isUnit ? .guess(mime) : .sure(mime, nil, fixed: name.utf8CodeUnitCount)
                }
                return nil
            }
            guard first == UInt8(ascii: "#") || first == UInt8(ascii: ";") || ASCII.isSpace(first) else { return nil }
            place = end + 1
        }
        return nil
    }

    private static let sections: [(StaticString, String)] = [
        ("[Desktop Entry]", "application/x-desktop"), ("[Desktop Action", "application/x-desktop"),
        ("[KDE Desktop Entry]", "application/x-desktop"),
        ("[InternetShortcut]", "application/x-mswinurl"), ("[DEFAULT]\nBASEURL", "application/x-mswinurl"),
        ("[D-BUS Service]", "text/x-dbus-service"),
        ("[Unit]", "text/x-systemd-unit"), ("[Install]", "text/x-systemd-unit"), ("[Service]", "text/x-systemd-unit"),
        ("[Socket]", "text/x-systemd-unit"), ("[Timer]", "text/x-systemd-unit"), ("[Mount]", "text/x-systemd-unit"),
        ("[Automount]", "text/x-systemd-unit"), ("[Swap]", "text/x-systemd-unit"), ("[Path]", "text/x-systemd-unit"),
        ("[Slice]", "text/x-systemd-unit"), ("[Scope]", "text/x-systemd-unit"),
        ("[Flatpak Ref]", "application/vnd.flatpak.ref"), ("[Flatpak Repo]", "application/vnd.flatpak.repo"),
        ("[playlist]", "audio/x-scpls"), ("[Playlist]", "audio/x-scpls"), ("[PLAYLIST]", "audio/x-scpls"),
        ("[Script Info]", "text/x-ssa"), ("[WFClient]", "application/x-ica"),
        ("[gd_scene", "application/x-godot-scene"), ("[gd_resource", "application/x-godot-resource"),
        ("[INFORMATION]\r\nTITLE", "text/x-subviewer"), ("[INFORMATION]\n[TITLE", "text/x-subviewer"),
        ("[INFORMATION]\r\n[TITLE", "text/x-subviewer"),
        ("[Event \"", "application/vnd.chess-pgn"), ("[Address]", "application/x-netshow-channel"),
        ("[ver]", "application/x-amipro"),
    ]

    private static func subtitle(_ text: Bytes) -> TextFinding? {
        // SubRip: a number, then `00:00:00,000 --> …`.
        if ASCII.isDigit(text[0]), let line = text.index(of: 0x0A), line < 12,
            text[(line + 1)..<(line + 40)].find(" --> ") == 12, text[line + 3] == UInt8(ascii: ":")
        {
            return .sure("application/x-subrip", nil, fixed: 8)
        }
        if arePairs(text, UInt8(ascii: "{"), UInt8(ascii: "}")) {
            return .sure("text/x-microdvd", nil, fixed: 6)
        }
        if arePairs(text, UInt8(ascii: "["), UInt8(ascii: "]")) {
            return .sure("text/x-mpl2", nil, fixed: 6)
        }
        // Settings have a format, too; after the header of subtitles there is an empty line.
        if text.has("FORMAT="), text[7..<40].find("\n") != nil,
            text.has("TIME", at: 7)
                || ASCII.isDigit(text[7]) && (text.contains("\n\n") || text.contains("\n\r\n"))
        {
            return .sure("text/x-mpsub", nil, fixed: 7)
        }
        return nil
    }

    /// Returns whether the first line begins with two numbers in brackets, and so does the second one, if there is
    /// one. A line by itself may be a sentence after two references.
    private static func arePairs(_ text: Bytes, _ open: UInt8, _ close: UInt8) -> Bool {
        guard let place = endOfPair(text, open, close) else { return false }
        let next = text.from((text.index(of: 0x0A) ?? text.count) + 1)
        if next.isEmpty || ASCII.isSpace(next[0]) { return !ASCII.isSpace(text[place]) }
        return next[0] == open && ASCII.isDigit(next[1])
    }

    private static func endOfPair(_ text: Bytes, _ open: UInt8, _ close: UInt8) -> Int? {
        var place = 0
        for _ in 0..<2 {
            guard text[place] == open, ASCII.isDigit(text[place + 1]) else { return nil }
            place += 1
            while ASCII.isDigit(text[place]) { place += 1 }
            guard text[place] == close else { return nil }
            place += 1
        }
        return place
    }

    private static func patch(_ text: Bytes) -> TextFinding? {
        if text.has("diff --git ") || text.has("diff -") && hasHunk(text)
            || text.has("Index: ") && text.contains("\n--- ")
        {
            return .sure("text/x-patch", nil, fixed: 6)
        }
        if text.has("--- "), let end = text.index(of: 0x0A), text.has("+++ ", at: end + 1) {
            return .sure("text/x-patch", nil, fixed: 8)
        }
        if text.has("*** "), let end = text.index(of: 0x0A), text.has("--- ", at: end + 1) {
            return .sure("text/x-patch", nil, fixed: 8)
        }
        if text.has("From "), text.has(" Mon Sep 17 00:00:00 2001", at: 45) || text.contains("\ndiff --git ") {
            return .sure("text/x-patch", nil, fixed: 12)
        }
        // After an explanation the first hunk identifies it. Its sign is the rarest in text: it is searched for first.
        if text.contains("\n@@ -"), let place = text.find("\n--- "), let end = text.index(of: 0x0A, from: place + 1),
            text.has("+++ ", at: end + 1)
        {
            return .sure("text/x-patch", nil, fixed: 12)
        }
        return nil
    }

    /// Returns whether the text has a line that states a difference.
    static func hasHunk(_ text: Bytes) -> Bool {
        let lines: [StaticString] = ["\n--- ", "\n+++ ", "\n@@ ", "\n*** ", "\n< ", "\n> ", "\nBinary files "]
        return lines.contains { text.contains($0) }
    }
}
