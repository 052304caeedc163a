import InboxLinux

/// The `Destination=` of a document type: a path whose components may have placeholders.
package struct DestinationTemplate: Sendable, Hashable {
    /// As it was written, for printing.
    let text: [UInt8]
    /// The pieces of each component; no component is without any.
    package let components: [[TemplatePiece]]
    /// The template begins at the root of all folders, rather than in Documents.
    package let isAbsolute: Bool

    /// Documents itself.
    package static let documents = DestinationTemplate(text: [], components: [], isAbsolute: false)

    private init(text: [UInt8], components: [[TemplatePiece]], isAbsolute: Bool) {
        self.text = text
        self.components = components
        self.isAbsolute = isAbsolute
    }

    /// Reads a value; a `~` at its beginning stays for ``resolved(_:in:)``.
    init(_ value: [UInt8]) throws(ValueProblem) {
        text = try WordList.single(value)
        guard !text.contains(0) else { throw ValueProblem("\(quotedExcerpt(text)) holds a NUL byte") }
        isAbsolute = text.first == UInt8(ascii: "/") || text.first == UInt8(ascii: "~")
        var components = Self.components(of: try TemplatePiece.pieces(of: text))
        // So "~name" is the name of a folder.
        if text.starts(with: "./~".utf8) { components.removeFirst() }
        for component in components {
            guard component.count == 1, case .literal(let bytes)? = component.first else { continue }
            if bytes.elementsEqual(".".utf8) || bytes.elementsEqual("..".utf8) {
                let dots = String(decoding: bytes, as: UTF8.self)
                throw ValueProblem("\(quotedExcerpt(text)) has a \"\(dots)\"; write the path without it")
            }
            if bytes.count > FileName.longest {
                throw ValueProblem("\(quotedExcerpt(bytes)) is longer than the \(FileName.longest) bytes of a name")
            }
        }
        self.components = components
        if isAbsolute, literalNames.isEmpty {
            throw ValueProblem(
                "\(quotedExcerpt(text)) is absolute, so that it needs the name of a folder before any placeholder")
        }
    }

    /// The pieces of each component: a slash of a placeholder's text separates nothing.
    private static func components(of pieces: [TemplatePiece]) -> [[TemplatePiece]] {
        var components: [[TemplatePiece]] = [[]]
        for piece in pieces {
            guard case .literal(let bytes) = piece else {
                components[components.count - 1].append(piece)
                continue
            }
            for (index, part) in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .enumerated()
            {
                if index > 0 { components.append([]) }
                if !part.isEmpty { components[components.count - 1].append(.literal(Array(part))) }
            }
        }
        return components.filter { !$0.isEmpty }
    }

    /// Returns whether the template has the placeholder.
    package func has(_ placeholder: TemplatePlaceholder) -> Bool {
        components.contains { $0.contains { $0.has(placeholder) } }
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

    /// No component has a placeholder.
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
    /// A path without placeholders.
    static let folder = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> DestinationTemplate in
            let template = try DestinationTemplate(bytes)
            guard template.isLiteral else {
                throw ValueProblem("\(quotedExcerpt(bytes)) has a placeholder: it is one folder for all documents")
            }
            return template
        },
        text: { $0.text.isEmpty ? "" : WordList.quoted($0.text) })

    /// A path with placeholders.
    static let destination = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> DestinationTemplate in try DestinationTemplate(bytes) },
        text: { $0.text.isEmpty ? "" : WordList.quoted($0.text) })
}
