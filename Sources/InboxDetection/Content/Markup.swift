/// Texts that begin with `<`: HTML, and XML by its root element.
enum Markup {
    static func finding(_ text: Bytes) -> TextFinding? {
        var prolog = Prolog(text)
        prolog.read()
        let isPage = prolog.isHTMLDoctype || (prolog.root?.count == 4 && prolog.root?.hasIgnoringCase("html") == true)
        if isPage, text.contains("<?php") { return .sure("application/x-php", nil, fixed: 9) }
        if prolog.isHTMLDoctype, !prolog.isDeclared { return .sure("text/html", nil, fixed: 9) }
        if let root = prolog.root {
            let name = XMLRoot(name: root, start: prolog.rootStart, doctype: prolog.doctype)
            if root.equals("plist"), text.contains("SPCommandLineArguments") {
                return .sure("application/x-apple-systemprofiler+xml", nil, fixed: 24)
            }
            if root.equals("project"), text.contains("<modelVersion>") { return .likely("text/x-maven+xml", nil) }
            if let mime = name.mime, prolog.isDeclared || name.isNamespaced || name.isTelling {
                return .sure(mime, nil, fixed: 4 + root.count)
            }
            if prolog.isDeclared { return .sure("application/xml", .xml, fixed: 5) }
            if root.hasIgnoringCase("html"), root.count == 4 {
                // Without an XML declaration the document type of XHTML is mostly that of a plain page.
                return .sure("text/html", name.mime == nil ? nil : .xhtml, fixed: 5)
            }
            if text.has("<?php") || text.has("<?=") { return .sure("application/x-php", nil, fixed: 5) }
            if isHTMLElement(root, Self.pageElements) { return .likely("text/html", nil) }
            if isHTMLElement(root, Self.textElements) { return .guess("text/html") }
            if root.equals("template"), text.contains("<script") { return .likely("text/x-vue", .xml) }
            if let mime = name.mime { return .likely(mime, .xml) }
            if prolog.doctype != nil { return .likely("application/xml", .xml) }
            return name.looksLikeXML(in: text) ? .likely("application/xml", .xml) : nil
        }
        if prolog.isDeclared { return .sure("application/xml", .xml, fixed: 5) }
        if text.has("<?php") || text.has("<?=") { return .sure("application/x-php", nil, fixed: 5) }
        if prolog.doctype?.name.equals("NETSCAPE-Bookmark-file-1") == true {
            return .sure("application/x-mozilla-bookmarks", nil, fixed: 20)
        }
        for declaration: StaticString in ["<!ELEMENT ", "<!ENTITY ", "<!ATTLIST "] where text.contains(declaration) {
            return .likely("application/xml-dtd", .xml)
        }
        return prolog.doctype == nil ? nil : .likely("application/xml", .xml)
    }

    private static func isHTMLElement(_ name: Bytes, _ known: [StaticString]) -> Bool {
        known.contains { $0.utf8CodeUnitCount == name.count && name.hasIgnoringCase($0) }
    }

    /// Elements that pages of HTML begin with and hardly any other markup has.
    private static let pageElements: [StaticString] = [
        "head", "body", "title", "script", "style", "table", "div", "meta", "link", "iframe", "center", "font", "form",
    ]

    /// Elements that people also put into texts of another kind.
    private static let textElements: [StaticString] = ["h1", "h2", "h3", "p", "br", "a", "img", "span", "ul", "b"]
}

/// The part before the root element: declaration, comments, instructions, document type.
struct Prolog {
    /// A document type declaration.
    struct Doctype {
        let name: Bytes
        /// All of it, for the public and the system identifier.
        let text: Bytes
    }

    private let text: Bytes
    /// The prolog begins with an XML declaration.
    private(set) var isDeclared = false
    private(set) var doctype: Doctype?
    private(set) var root: Bytes?
    /// The root's start tag, as far as it is known.
    private(set) var rootStart = Bytes(UnsafeRawBufferPointer(start: nil, count: 0))

    init(_ text: Bytes) {
        self.text = text
        // SGML's declaration is written with capitals in some files.
        isDeclared = text.hasIgnoringCase("<?xml") && (ASCII.isSpace(text[5]) || text.count == 5)
    }

    /// The document type is HTML's, in any edition but XHTML.
    var isHTMLDoctype: Bool {
        guard let doctype, doctype.name.count == 4, doctype.name.hasIgnoringCase("html") else { return false }
        return !doctype.text.contains("XHTML")
    }

    mutating func read() {
        var place = 0
        while place < text.count {
            while place < text.count, ASCII.isSpace(text[place]) { place += 1 }
            guard text[place] == UInt8(ascii: "<") else { return }
            if text.has("<!--", at: place) {
                guard let end = text.find("-->", from: place + 4) else { return }
                place = end + 3
            } else if text.has("<?", at: place) {
                guard let end = text.find("?>", from: place + 2) else { return }
                place = end + 2
            } else if text.hasIgnoringCase("<!doctype", at: place) {
                place = readDoctype(place)
            } else {
                readRoot(place)
                return
            }
        }
    }

    private mutating func readDoctype(_ start: Int) -> Int {
        var place = start + 9
        while place < text.count, ASCII.isSpace(text[place]) { place += 1 }
        let nameStart = place
        while place < text.count, !ASCII.isSpace(text[place]), text[place] != UInt8(ascii: ">"),
            text[place] != UInt8(ascii: "[")
        {
            place += 1
        }
        let name = text[nameStart..<place]
        // An internal subset is in brackets and may contain the closing sign.
        var isInside = false
        while place < text.count {
            if text[place] == UInt8(ascii: "[") { isInside = true }
            if text[place] == UInt8(ascii: "]") { isInside = false }
            if text[place] == UInt8(ascii: ">"), !isInside { break }
            place += 1
        }
        doctype = Doctype(name: name, text: text[start..<place])
        return place + 1
    }

    private mutating func readRoot(_ start: Int) {
        var place = start + 1
        guard let first = text.byte(at: place), ASCII.isLetter(first) || first == UInt8(ascii: "_") else { return }
        while place < text.count, isNameByte(text[place]) { place += 1 }
        guard
            place == text.count || ASCII.isSpace(text[place]) || text[place] == UInt8(ascii: ">")
                || text.has("/>", at: place)
        else { return }
        root = text[(start + 1)..<place]
        let end = text.index(of: UInt8(ascii: ">"), from: place) ?? text.count
        rootStart = text[start..<min(end + 1, text.count)]
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }
}
