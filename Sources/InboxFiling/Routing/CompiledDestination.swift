import InboxConfiguration
import InboxLinux

/// A `Destination=`, compiled once to be expanded for many documents: what is the same for all of them is a name already.
struct CompiledDestination: Sendable {
    private enum Component {
        /// The same name for every document.
        case fixed(FileName)
        /// The result of these pieces for a document.
        case varying([TemplatePiece])
    }

    /// The part that is the same for all documents, where the template is absolute; else Documents.
    let root: BytePath
    /// The template names the folder inside the Inbox, so that the folder is not recreated below the destination.
    let namesFolder: Bool
    /// The components below the root.
    private let components: [Component]
    /// The names that lead from the root to each Inbox below it: none of them is a destination.
    private let inboxes: [[FileName]]

    /// A template as an entry of this name has it.
    init(_ template: DestinationTemplate, documentType: String, documents: BytePath, inboxes: [BytePath]) {
        var rest = template.components[...]
        if template.isAbsolute {
            let literal = template.literalNames
            root = literal.reduce(BytePath("/")) { $0.appending($1) }
            rest = rest.dropFirst(literal.count)
        } else {
            root = documents
        }
        namesFolder = template.has(.folder)
        components = rest.compactMap { Self.component($0, documentType) }
        let (root, rootCount) = (root, root.names.count)
        self.inboxes = inboxes.filter { $0.isInside(root) }.map { Array($0.names.dropFirst(rootCount)) }
    }

    /// Nil where the component is empty for every document.
    private static func component(_ pieces: [TemplatePiece], _ documentType: String) -> Component? {
        var compiled: [TemplatePiece] = []
        var literal: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes): literal += bytes
            case .value(let alternatives)
            where alternatives.first?.source == .placeholder(.documentType) && alternatives.first?.letters == nil:
                literal += documentType.utf8
            case .value:
                if !literal.isEmpty { compiled.append(.literal(literal)) }
                literal = []
                compiled.append(piece)
            }
        }
        if compiled.isEmpty {
            if literal.isEmpty { return nil }
            if literal.count <= FileName.longest, let name = FileName(literal) { return .fixed(name) }
        }
        if !literal.isEmpty { compiled.append(.literal(literal)) }
        return .varying(compiled)
    }

    /// The folders below the root, where they are the same for all documents.
    var names: [FileName] {
        components.compactMap { component in
            if case .fixed(let name) = component { name } else { nil }
        }
    }

    /// Returns whether folders below the root lead into an Inbox.
    func leadsIntoInbox(_ folders: [FileName]) -> Bool { inboxes.contains { folders.starts(with: $0) } }

    /// The folders below the root for a document. Empty components are dropped.
    /// - Throws: a hold where a component cannot be the name of a folder, such as `..`.
    func folders(_ values: inout TemplateValues) throws(Refusal) -> [FileName] {
        var folders: [FileName] = []
        guard !components.isEmpty else { return folders }
        folders.reserveCapacity(components.count + values.document.folder.count)
        for component in components {
            switch component {
            case .fixed(let name): folders.append(name)
            case .varying(let pieces): try Self.append(pieces, &values, to: &folders)
            }
        }
        return folders
    }

    private static func append(
        _ pieces: [TemplatePiece], _ values: inout TemplateValues, to folders: inout [FileName]
    ) throws(Refusal) {
        var bytes: [UInt8] = []
        var hasFolder = false
        for piece in pieces {
            switch piece {
            case .literal(let literal): bytes += literal
            case .value(let alternatives):
                guard let value = values.value(alternatives, arrivalCounts: true) else { continue }
                hasFolder = hasFolder || value.isFolder
                bytes += value.bytes
            }
        }
        guard hasFolder else {
            // The name alone may be so long that it is cut.
            let room = FileName.longest
            if bytes.count > room, pieces.contains(where: { $0.has(.name) }) {
                bytes = NumberedName.truncated(bytes[...], to: room)
            }
            if !bytes.isEmpty { folders.append(try name(bytes[...], longest: room)) }
            return
        }
        // Only the folder may have several names in it, each as long as it is in the Inbox.
        for bytes in bytes.split(separator: UInt8(ascii: "/")) {
            folders.append(try name(bytes, longest: FileName.longestFound))
        }
    }

    private static func name(_ bytes: ArraySlice<UInt8>, longest: Int) throws(Refusal) -> FileName {
        if bytes.count <= longest, let name = bytes.withUnsafeBufferPointer({ FileName($0) }) { return name }
        throw Refusal(.hold(.name, "no folder can be called \(EscapedBytes.printable(bytes.prefix(300)))"))
    }
}
