import InboxLinux

/// The `Destination=` of a document type: a path whose components may have placeholders.
package struct DestinationTemplate: Sendable, Hashable {
    /// What is put in for each document.
    package enum Placeholder: String, CaseIterable, Sendable {
        /// The year of the modification time in local time, four digits.
        case year
        /// The month, two digits.
        case month
        /// The day of the month, two digits.
        case day
        /// The hour, two digits.
        case hour
        /// The type's identifier.
        case type
        /// The name of the document type.
        case documentType
        /// The extension of the document's name, without a dot.
        case `extension`
        /// The folder inside the Inbox; the only one that may become several components.
        case folder
    }

    /// A piece of a component.
    package typealias Part = TemplatePart<Placeholder>

    /// As it was written, for printing.
    let text: [UInt8]
    /// The pieces of each component; no component is without any.
    package let components: [[Part]]
    /// Whether it begins at the root of all folders, rather than in Documents.
    package let isAbsolute: Bool

    /// Documents itself.
    package static let documents = DestinationTemplate(text: [], components: [], isAbsolute: false)

    private init(text: [UInt8], components: [[Part]], isAbsolute: Bool) {
        self.text = text
        self.components = components
        self.isAbsolute = isAbsolute
    }

    /// Reads a value; a `~` at its beginning stays for ``resolved(_:in:)``.
    init(_ value: [UInt8]) throws(ValueProblem) {
        text = try WordList.single(value)
        guard !text.contains(0) else { throw ValueProblem("\(quotedExcerpt(text)) holds a NUL byte") }
        isAbsolute = text.first == UInt8(ascii: "/") || text.first == UInt8(ascii: "~")
        var components: [[Part]] = []
        for component in text.split(separator: UInt8(ascii: "/")) {
            if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
                let dots = String(decoding: component, as: UTF8.self)
                throw ValueProblem("\(quotedExcerpt(text)) has a \"\(dots)\"; write the path without it")
            }
            let parts = try Part.parts(of: component)
            if case .literal(let bytes)? = parts.first, parts.count == 1, bytes.count > FileName.longest {
                throw ValueProblem("\(quotedExcerpt(bytes)) is longer than the \(FileName.longest) bytes of a name")
            }
            components.append(parts)
        }
        self.components = components
        if isAbsolute, literalNames.isEmpty {
            throw ValueProblem(
                "\(quotedExcerpt(text)) is absolute, so that it needs the name of a folder before any placeholder")
        }
    }

    /// Whether the placeholder is in it.
    package func has(_ placeholder: Placeholder) -> Bool {
        components.contains { $0.contains(.placeholder(placeholder)) }
    }

    /// The components before the first one with a placeholder.
    package var literalNames: [FileName] {
        var names: [FileName] = []
        for component in components {
            guard component.count == 1, case .literal(let bytes)? = component.first, let name = FileName(bytes) else {
                break
            }
            names.append(name)
        }
        return names
    }

    /// Whether no component has a placeholder.
    package var isLiteral: Bool { literalNames.count == components.count }

    /// The same with `~` expanded, and relative to Documents where it lies there.
    func resolved(_ paths: PathResolution, in documents: BytePath?) throws(ValueProblem) -> DestinationTemplate {
        guard isAbsolute else { return self }
        var components = components
        if text.first == UInt8(ascii: "~"), case .literal(let first)? = components.first?.first {
            let home = try paths.resolve(try WordList.path(word: first), relativeTo: nil)
            components.replaceSubrange(0..<1, with: home.names.map { [.literal(Array($0.bytes))] })
        }
        let whole = DestinationTemplate(text: text, components: components, isAbsolute: true)
        guard let documents = documents?.names, whole.literalNames.starts(with: documents) else { return whole }
        return DestinationTemplate(
            text: text, components: Array(components.dropFirst(documents.count)), isAbsolute: false)
    }
}

extension ValueFormat where Value == DestinationTemplate {
    /// A path with placeholders.
    static let destination = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> DestinationTemplate in try DestinationTemplate(bytes) },
        text: { $0.text.isEmpty ? "" : WordList.quoted($0.text) })
}
