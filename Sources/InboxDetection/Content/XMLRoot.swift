/// XML formats by root element and name space.
struct XMLRoot {
    let name: Bytes
    /// The start tag.
    let start: Bytes
    let doctype: Prolog.Doctype?

    private struct Rule {
        let name: StaticString
        /// Part of the name space's URI or of the document type; nil where the root's name is enough.
        let mark: StaticString?
        let mime: String
        /// The root's name alone determines the format even without an XML declaration.
        let isTelling: Bool

        init(_ name: StaticString, _ mark: StaticString?, _ mime: String, telling: Bool = false) {
            self.name = name
            self.mark = mark
            self.mime = mime
            isTelling = telling
        }
    }

    /// The root's name without a prefix.
    private var local: Bytes {
        name.index(of: UInt8(ascii: ":")).map { name.from($0 + 1) } ?? name
    }

    var mime: String? { openDocument ?? rule?.mime }

    /// The name space determined the format.
    var isNamespaced: Bool { rule?.mark.map { start.contains($0) } ?? false }

    var isTelling: Bool { rule?.isTelling ?? false }

    /// Returns whether markup without a declaration is XML rather than a stray sign: a name space, or elements that
    /// end.
    func looksLikeXML(in text: Bytes) -> Bool {
        if start.contains("xmlns") || start.ends(with: "/>") { return true }
        // Sections of a web server's settings have a path or a pattern there, and no attributes.
        let rest = start.from(1 + name.count)
        guard !rest.hasWord || rest.index(of: UInt8(ascii: "=")) != nil else { return false }
        return start.ends(with: ">") && name.count > 1 && (text.contains("</") || text.contains("/>"))
    }

    /// OpenDocument in one XML file names its kind in an attribute of the root.
    private var openDocument: String? {
        guard name.equals("office:document"), let place = start.find("office:mimetype=") else { return nil }
        let value = start.from(place + 17)
        for (kind, mime) in Self.flatKinds where value.has(kind) { return mime }
        return nil
    }

    private static let flatKinds: [(StaticString, String)] = [
        ("application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text-flat-xml"),
        ("application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet-flat-xml"),
        ("application/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.presentation-flat-xml"),
        ("application/vnd.oasis.opendocument.graphics", "application/vnd.oasis.opendocument.graphics-flat-xml"),
    ]

    private var rule: Rule? {
        let local = local
        for rule in Self.rules where local.equals(rule.name) {
            guard let mark = rule.mark else { return rule }
            if start.contains(mark) || doctype?.text.contains(mark) == true { return rule }
        }
        return nil
    }

    private static let rules: [Rule] = [
        Rule("svg", nil, "image/svg+xml", telling: true),
        Rule("html", "XHTML", "application/xhtml+xml"),
        Rule("html", "http://www.w3.org/1999/xhtml", "application/xhtml+xml"),
        Rule("rss", nil, "application/rss+xml", telling: true),
        Rule("RDF", "http://purl.org/rss/", "application/rss+xml"),
        Rule("RDF", "http://my.netscape.com/rdf", "application/rss+xml"),
        Rule("RDF", "http://www.w3.org/2002/07/owl", "application/owl+xml"),
        Rule("RDF", nil, "application/rdf+xml"),
        Rule("Ontology", "http://www.w3.org/2002/07/owl", "application/owl+xml"),
        Rule("feed", "http://www.w3.org/2005/Atom", "application/atom+xml"),
        Rule("feed", "http://purl.org/atom/", "application/atom+xml"),
        Rule("entry", "http://www.w3.org/2005/Atom", "application/atom+xml"),
        Rule("feed", nil, "application/atom+xml"),
        Rule("opml", nil, "text/x-opml+xml", telling: true),
        Rule("gpx", nil, "application/gpx+xml", telling: true),
        Rule("kml", nil, "application/vnd.google-earth.kml+xml", telling: true),
        Rule("plist", nil, "application/x-plist", telling: true),
        Rule("xbel", nil, "application/x-xbel", telling: true),
        Rule("FictionBook", nil, "application/x-fictionbook+xml", telling: true),
        Rule("stylesheet", "http://www.w3.org/1999/XSL/Transform", "application/xslt+xml"),
        Rule("transform", "http://www.w3.org/1999/XSL/Transform", "application/xslt+xml"),
        Rule("math", nil, "application/mathml+xml"),
        Rule("smil", nil, "application/smil+xml"),
        Rule("smil", "SMIL", "application/smil+xml"),
        Rule("xliff", nil, "application/xliff+xml", telling: true),
        Rule("metalink", "urn:ietf:params:xml:ns:metalink", "application/metalink4+xml"),
        Rule("metalink", nil, "application/metalink+xml", telling: true),
        Rule("nzb", nil, "application/x-nzb", telling: true),
        Rule("TS", nil, "text/vnd.trolltech.linguist"),
        Rule("ui", nil, "application/x-designer"),
        Rule("interface", nil, "application/x-gtk-builder"),
        Rule("glade-interface", nil, "application/x-glade", telling: true),
        Rule("shape", "http://www.daa.com.au/~james/dia-shape-ns", "application/x-dia-shape"),
        Rule("diagram", "http://www.lysator.liu.se/", "application/x-dia-diagram"),
        Rule("abiword", nil, "application/x-abiword", telling: true),
        Rule("Workbook", "http://www.gnumeric.org/", "application/x-gnumeric"),
        Rule("playlist", "http://xspf.org/ns/0/", "application/xspf+xml"),
        Rule("jnlp", nil, "application/x-java-jnlp-file"),
        Rule("project", "http://maven.apache.org/", "text/x-maven+xml"),
        Rule("settings", "http://maven.apache.org/", "text/x-maven+xml"),
        Rule("sparql", "http://www.w3.org/2005/sparql-results", "application/sparql-results+xml"),
        Rule("ttFont", nil, "application/x-font-ttx"),
        Rule("book", "ocbook", "application/x-docbook+xml"),
        Rule("article", "ocbook", "application/x-docbook+xml"),
        Rule("chapter", "ocbook", "application/x-docbook+xml"),
        Rule("book", "DocBook", "application/x-docbook+xml"),
        Rule("article", "DocBook", "application/x-docbook+xml"),
        Rule("root", "http://www.w3.org/1999/XSL/Format", "text/x-xslfo"),
        Rule("XMI", nil, "text/x-xmi"),
        Rule("wml", nil, "text/vnd.wap.wml"),
        Rule("window", "there.is.only.xul", "application/vnd.mozilla.xul+xml"),
        Rule("FeatureCollection", "http://www.opengis.net/", "application/gml+xml"),
        Rule("X3D", nil, "model/x3d+xml", telling: true),
        Rule("COLLADA", nil, "model/vnd.collada+xml", telling: true),
        Rule("score-partwise", nil, "application/vnd.recordare.musicxml+xml"),
        Rule("score-timewise", nil, "application/vnd.recordare.musicxml+xml"),
        Rule("tt", "http://www.w3.org/ns/ttml", "application/ttml+xml"),
        Rule("definitions", "http://schemas.xmlsoap.org/wsdl/", "application/wsdl+xml"),
        Rule("asx", nil, "audio/x-ms-asx", telling: true),
        Rule("ASX", nil, "audio/x-ms-asx", telling: true),
        Rule("Asx", nil, "audio/x-ms-asx", telling: true),
        Rule("smi", nil, "application/x-sami"),
        Rule("SAMI", nil, "application/x-sami", telling: true),
        Rule("sami", nil, "application/x-sami", telling: true),
        Rule("mrml", nil, "text/x-mrml", telling: true),
        Rule("amz", nil, "audio/x-amzxml"),
        Rule("ufraw", nil, "application/x-ufraw", telling: true),
        Rule("UFRaw", nil, "application/x-ufraw", telling: true),
    ]
}
