/// Formats that a line near the beginning identifies: sections of settings, subtitles, patches, playlists and the like.
enum LineRules {
    private static let reach = 2048

    static func finding(_ text: Bytes) -> TextFinding? {
        if let section = section(text) { return section }
        if let subtitle = subtitle(text) { return subtitle }
        if let patch = patch(text) { return patch }
        if text.has("#define "), let end = text.index(of: 0x0A), text[0..<end].contains("_width "),
            text[end..<(end + 80)].contains("_height ")
        {
            return .sure("image/x-xbitmap", nil, fixed: 15)
        }
        if let (prefix, mime) = prefixes.first(ASCII.lower(text[0]), where: { text.hasIgnoringCase($0) }) {
            return .sure(mime, nil, fixed: prefix.utf8CodeUnitCount)
        }
        for directive: StaticString in ["\"use strict\"", "'use strict'", "\"use client\"", "'use client'"]
        where text.has(directive) {
            return .guess("application/javascript")
        }
        if text.has("---\n"), let end = text.find("\n---\n", from: 3), isPage(text.from(end + 5)) {
            return .guess("text/markdown")
        }
        // Remarks of the translators precede the first message.
        if text[0] == UInt8(ascii: "#"), text.contains("\nmsgid \""), text.contains("\nmsgstr \"") {
            return .guess("text/x-gettext-translation")
        }
        if let (_, mime) = hints.first(text[0], where: { text.has($0) }) { return .guess(mime) }
        if isSymbolicLink(text) { return .sure("text/spreadsheet", nil, fixed: 6) }
        if text.has("solid "), text.contains("facet normal ") { return .sure("model/stl", nil, fixed: 18) }
        return nil
    }

    /// Symbolic links (SYLK): a first record, then others of one or two capitals, each with fields that begin with a
    /// capital. A table whose first column is called `ID` begins like the first record.
    private static func isSymbolicLink(_ text: Bytes) -> Bool {
        guard text.has("ID;P") else { return false }
        let end = text.index(of: 0x0A) ?? text.count
        guard end + 1 < text.count else { return text[0..<end].contains(";N") }
        func isCapital(_ place: Int) -> Bool { (0x41...0x5A).contains(text[place]) }
        let sign = isCapital(end + 2) ? end + 3 : end + 2
        return isCapital(end + 1) && text[sign] == UInt8(ascii: ";") && isCapital(sign + 1)
    }

    /// Whether what follows the settings at a page's beginning is the page and no further settings.
    private static func isPage(_ rest: Bytes) -> Bool {
        var start = 0
        while start < rest.count, ASCII.isSpace(rest[start]) { start += 1 }
        return start < rest.count && !SettingsText.isYAML(rest, isWhole: true) && rest.find(": ", before: 80) == nil
    }

    /// `[Section]` lines of settings files, after comments.
    private static func section(_ text: Bytes) -> TextFinding? {
        var place = 0
        while place < min(text.count, reach) {
            let end = text.index(of: 0x0A, from: place) ?? text.count
            let first = text[place]
            if first == UInt8(ascii: "[") {
                for (name, mime) in sections where text.has(name, at: place) {
                    // Lists of people and places have such sections, too.
                    let isChannel = mime == "application/x-netshow-channel"
                    if isChannel, !text.contains("NSC Format Version") { return nil }
                    // Of the units' sections only this one is found nowhere else.
                    let isUnit = mime == "text/x-systemd-unit" && !text.has("[Unit]", at: place)
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
        if let brace = pair(text, UInt8(ascii: "{"), UInt8(ascii: "}")), brace {
            return .sure("text/x-microdvd", nil, fixed: 6)
        }
        if let bracket = pair(text, UInt8(ascii: "["), UInt8(ascii: "]")), bracket {
            return .sure("text/x-mpl2", nil, fixed: 6)
        }
        if text.has("FORMAT=TIME") || text.has("FORMAT="), text[7..<40].find("\n") != nil,
            text.has("TIME", at: 7) || ASCII.isDigit(text[7])
        {
            return .sure("text/x-mpsub", nil, fixed: 7)
        }
        return nil
    }

    /// Two numbers in brackets at the very beginning.
    private static func pair(_ text: Bytes, _ open: UInt8, _ close: UInt8) -> Bool? {
        var place = 0
        for _ in 0..<2 {
            guard text[place] == open, ASCII.isDigit(text[place + 1]) else { return nil }
            place += 1
            while ASCII.isDigit(text[place]) { place += 1 }
            guard text[place] == close else { return nil }
            place += 1
        }
        return true
    }

    private static func patch(_ text: Bytes) -> TextFinding? {
        if text.has("diff -") || text.has("Index: ") && text.contains("\n--- ") {
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

    /// In small letters; either case matches.
    private static let prefixes = TextTable([
        ("begin:vcard", "text/vcard"),
        ("filedesc://", "application/x-internet-archive"), ("%abc-", "text/vnd.abc"),
        ("table\r\n0,1\r\n", "text/x-dif"), ("solid\r\n", "model/stl"),
        ("ssh-rsa aaaa", "text/x-ssh-public-key"), ("ssh-ed25519 aaaa", "text/x-ssh-public-key"),
        ("ssh-dss aaaa", "text/x-ssh-public-key"), ("ecdsa-sha2-nistp", "text/x-ssh-public-key"),
        ("version 1.0 class\n", "text/x-vb"), ("version 5.00\n", "text/x-vb"), ("attribute vb_", "text/x-vb"),
        ("version 5.00\r\n", "text/x-vb"), ("version 1.0 class\r\n", "text/x-vb"),
        ("begin:vcalendar\nversion:1", "text/x-vcalendar"), ("begin:vcalendar\r\nversion:1", "text/x-vcalendar"),
        ("begin:vcalendar", "text/calendar"), ("begin:imelody", "text/x-iMelody"),
        ("#extm3u\n#ext-x-", "application/vnd.apple.mpegurl"), ("#extm3u\r\n#ext-x-", "application/vnd.apple.mpegurl"),
        ("#extm3u", "audio/x-mpegurl"), ("windows registry editor version", "text/x-ms-regedit"),
        ("regedit4", "text/x-ms-regedit"),
        ("cache manifest", "text/cache-manifest"), ("begin-base64 ", "text/x-uuencode"),
        ("begin 644 ", "text/x-uuencode"),
        ("begin 666 ", "text/x-uuencode"), ("(this file must be converted with binhex", "application/mac-binhex40"),
        ("0 head\n", "application/x-gedcom"), ("0 head\r\n", "application/x-gedcom"),
        ("cd_da\n", "application/x-cdrdao-toc"), ("cd_rom\n", "application/x-cdrdao-toc"),
        ("cd_rom_xa\n", "application/x-cdrdao-toc"), ("rem genre ", "application/x-cue"),
        ("msgid \"", "text/x-gettext-translation"),
        ("v=0\no=", "application/sdp"), ("v=0\r\no=", "application/sdp"), ("<?mso-application", "application/xml"),
        ("$date\n", "application/vnd.gtkwave-vcd"), ("$version\n", "application/vnd.gtkwave-vcd"),
        ("@startuml", "text/x-plantuml"), ("%yaml ", "application/x-yaml"),
    ])

    private static let hints = TextTable([
        ("\\documentclass", "text/x-tex"), ("\\documentstyle", "text/x-tex"), ("\\input", "text/x-tex"),
        ("\\begin{", "text/x-tex"), ("\\section", "text/x-tex"), ("\\relax", "text/x-tex"), ("%&", "text/x-tex"),
        ("\\version \"", "text/x-lilypond"), ("@article{", "text/x-bibtex"), ("@book{", "text/x-bibtex"),
        ("@inproceedings{", "text/x-bibtex"), ("%% This BibTeX", "text/x-bibtex"),
        (".\\\"", "text/troff"), ("'\\\" ", "text/troff"), (".TH ", "text/troff"), (".TL", "text/troff"),
        ("digraph ", "text/vnd.graphviz"), ("strict digraph ", "text/vnd.graphviz"), ("graph {", "text/vnd.graphviz"),
        ("dn: ", "text/x-ldif"), ("version: 1\ndn: ", "text/x-ldif"), ("%YAML", "application/x-yaml"),
        ("---\n", "application/x-yaml"), ("FROM ", "text/x-dockerfile"), ("mtllib ", "model/obj"),
        ("PERFORMER \"", "application/x-cue"), ("X:1\n", "text/vnd.abc"), ("TABLE\n0,1\n", "text/x-dif"),
        ("newmtl ", "model/mtl"),
        ("# Blender MTL File", "model/mtl"), ("# Generated by iptables-save", "text/x-iptables"),
        ("@prefix ", "text/turtle"), ("PREFIX ", "application/sparql-query"), ("SELECT ", "application/sql"),
        ("CREATE TABLE ", "application/sql"), ("-- MySQL dump", "application/sql"),
        ("-- PostgreSQL database dump", "application/sql"),
    ])
}

/// Beginnings of texts, found by their first byte.
private struct TextTable: Sendable {
    private let rows: [(StaticString, String)]
    /// By first byte, and by row the next one with the same byte; where there is none, the number of rows.
    private var first: [UInt8]
    private var next: [UInt8]

    /// A table of fewer than 256 rows.
    init(_ rows: [(StaticString, String)]) {
        self.rows = rows
        let none = UInt8(rows.count)
        first = [UInt8](repeating: none, count: 256)
        next = [UInt8](repeating: none, count: rows.count)
        for row in rows.indices.reversed() {
            let byte = Int(rows[row].0.utf8Start[0])
            next[row] = first[byte]
            first[byte] = UInt8(row)
        }
    }

    /// The first row of a byte whose text is wanted.
    func first(
        _ byte: UInt8, where isWanted: (StaticString) -> Bool
    ) -> (StaticString, String)? {
        var row = Int(first[Int(byte)])
        while row < rows.count {
            if isWanted(rows[row].0) { return rows[row] }
            row = Int(next[row])
        }
        return nil
    }
}
