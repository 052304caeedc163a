import InboxDetection

/// Properties in XML: those of Dublin Core, XMP and OpenDocument, by their name spaces.
struct MarkedProperties {
    /// A name space whose properties are read.
    enum Space: Equatable {
        case core, terms, xmp, photoshop, exif, document, rdf

        init?(uri: Bytes) {
            if uri.has("http://purl.org/dc/elements/1.") {
                self = .core
            } else if uri.equals("http://purl.org/dc/terms/") {
                self = .terms
            } else if uri.equals("http://ns.adobe.com/xap/1.0/") {
                self = .xmp
            } else if uri.equals("http://ns.adobe.com/photoshop/1.0/") {
                self = .photoshop
            } else if uri.equals("http://ns.adobe.com/exif/1.0/") {
                self = .exif
            } else if uri.equals("urn:oasis:names:tc:opendocument:xmlns:meta:1.0")
                || uri.equals("http://openoffice.org/2000/meta")
            {
                self = .document
            } else if uri.equals("http://www.w3.org/1999/02/22-rdf-syntax-ns#") {
                self = .rdf
            } else {
                return nil
            }
        }

        /// A prefix that is not declared within reach means what it always means.
        init?(prefix: Bytes) {
            for (name, space) in Self.usual where prefix.equals(name) {
                self = space
                return
            }
            return nil
        }

        private static let usual: [(StaticString, Space)] = [
            ("dc", .core), ("dcterms", .terms), ("xmp", .xmp), ("xap", .xmp), ("photoshop", .photoshop),
            ("exif", .exif), ("meta", .document), ("rdf", .rdf),
        ]
    }

    /// A property.
    struct Property {
        let space: Space
        let name: Bytes
        /// The markup of its value, of several the first.
        let value: Bytes
        /// Attributes of its element.
        let attributes: Bytes

        /// The value as text.
        var text: String { MarkupReader.plain(value) }

        /// The value as a date of ISO 8601.
        var date: DocumentDate? { WrittenDate.standard(value) }
    }

    /// Elements inside others that are followed.
    private static let deepest = 64

    private var prefixes: [(prefix: Bytes, space: Space?)] = []
    private var parents: [Bytes] = []

    /// Shows the properties that elements with one of these names hold.
    static func visit(_ text: Bytes, in holders: [StaticString], _ body: (Property) -> Void) {
        var properties = MarkedProperties()
        properties.read(text, holders, body)
    }

    private static func local(_ name: Bytes) -> Bytes {
        name.index(of: UInt8(ascii: ":")).map { name.from($0 + 1) } ?? name
    }

    private func space(of name: Bytes) -> Space? {
        let prefix = name[0..<(name.index(of: UInt8(ascii: ":")) ?? 0)]
        // The latest declaration counts.
        for known in prefixes.reversed() where known.prefix.isEqual(to: prefix) { return known.space }
        return prefix.isEmpty ? nil : Space(prefix: prefix)
    }

    private mutating func declare(_ attributes: Bytes) {
        guard attributes.contains("xmlns") else { return }
        var found: [(Bytes, Space?)] = []
        MarkupReader.visit(attributes) { name, value in
            if name.has("xmlns:") {
                found.append((name.from(6), Space(uri: value)))
            } else if name.equals("xmlns") {
                found.append((name[0..<0], Space(uri: value)))
            }
        }
        // Files repeat the same few; one with more of them is no document.
        if prefixes.count < 256 { prefixes += found }
    }

    private mutating func read(_ text: Bytes, _ holders: [StaticString], _ body: (Property) -> Void) {
        var reader = MarkupReader(text)
        var current: (name: Bytes, space: Space, attributes: Bytes, depth: Int)?
        var value: Bytes?
        var isPreferred = false
        while let piece = reader.next() {
            switch piece {
            case .start(let name, let attributes, let isEmpty):
                declare(attributes)
                let isHolder = isHolder(name, holders)
                if isHolder { showAttributes(attributes, name, body) }
                if current == nil, let last = parents.last, isHeld(last, holders), let space = space(of: name),
                    space != .rdf
                {
                    current = (name, space, attributes, parents.count)
                    value = nil
                    isPreferred = false
                    if isEmpty {
                        current = nil
                    }
                } else if current != nil, !isPreferred, attributes.contains("x-default") {
                    // Of a text in several languages, the one that its author declares to be the main one.
                    value = nil
                    isPreferred = true
                }
                guard !isEmpty else { continue }
                guard parents.count < Self.deepest else { return }
                parents.append(name)
            case .text(let text):
                guard current != nil, value == nil, text.hasInk else { continue }
                value = text
            case .end(let name):
                // An end tag that fits nothing closes nothing.
                guard let place = parents.lastIndex(where: { $0.isEqual(to: name) }) else { continue }
                parents.removeSubrange(place...)
                guard let done = current, parents.count <= done.depth else { continue }
                current = nil
                guard let value else { continue }
                body(
                    Property(space: done.space, name: Self.local(done.name), value: value, attributes: done.attributes))
            }
        }
        // What is cut off may still be whole.
        if let done = current, let value {
            body(Property(space: done.space, name: Self.local(done.name), value: value, attributes: done.attributes))
        }
    }

    private func isHolder(_ name: Bytes, _ holders: [StaticString]) -> Bool {
        holders.contains { Self.local(name).equals($0) } && isOutermost
    }

    /// A description inside another property is about something else.
    private var isOutermost: Bool {
        parents.count < 2
            || !parents.dropLast().contains { Self.local($0).equals("Description") }
                && !(parents.last.map { Self.local($0).equals("Description") } ?? false)
    }

    private func isHeld(_ parent: Bytes, _ holders: [StaticString]) -> Bool {
        guard holders.contains(where: { Self.local(parent).equals($0) }) else { return false }
        return parents.lazy.filter { Self.local($0).equals("Description") }.count <= 1
    }

    private func showAttributes(_ attributes: Bytes, _ element: Bytes, _ body: (Property) -> Void) {
        guard Self.local(element).equals("Description") else { return }
        MarkupReader.visit(attributes) { name, value in
            guard let space = space(of: name), space != .rdf, value.hasInk else { return }
            body(Property(space: space, name: Self.local(name), value: value, attributes: attributes[0..<0]))
        }
    }
}
