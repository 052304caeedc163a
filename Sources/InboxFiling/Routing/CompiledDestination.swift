import InboxConfiguration
import InboxLinux

/// A `Destination=`, compiled once to be expanded for many documents: what is the same for all of them is a name already.
struct CompiledDestination: Sendable {
    private typealias Part = DestinationTemplate.Part

    private enum Component {
        /// The same name for every document.
        case fixed(FileName)
        /// What these pieces become for a document.
        case varying([Part])
    }

    /// The part that is the same for all documents, where the template is absolute; else Documents.
    let root: BytePath
    /// Whether the folder inside the Inbox is named in it, so that it is not recreated below.
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
    private static func component(_ parts: [Part], _ documentType: String) -> Component? {
        var compiled: [Part] = []
        var literal: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let bytes): literal += bytes
            case .placeholder(.documentType): literal += documentType.utf8
            case .placeholder:
                if !literal.isEmpty { compiled.append(.literal(literal)) }
                literal = []
                compiled.append(part)
            }
        }
        if compiled.isEmpty {
            if literal.isEmpty { return nil }
            if literal.count <= FileName.longest, let name = FileName(literal) { return .fixed(name) }
        }
        if !literal.isEmpty { compiled.append(.literal(literal)) }
        return .varying(compiled)
    }

    /// Whether folders below the root lead into an Inbox.
    func leadsIntoInbox(_ folders: [FileName]) -> Bool { inboxes.contains { folders.starts(with: $0) } }

    /// The folders below the root for a document. Empty components are dropped.
    /// - Throws: a hold where a component cannot be the name of a folder, such as `..`.
    func folders(for document: RoutedDocument) throws(Refusal) -> [FileName] {
        var folders: [FileName] = []
        guard !components.isEmpty else { return folders }
        folders.reserveCapacity(components.count + document.folder.count)
        var expansion = Expansion(of: document)
        for component in components {
            switch component {
            case .fixed(let name): folders.append(name)
            case .varying(let parts): try expansion.append(parts, to: &folders)
            }
        }
        return folders
    }

    /// The expansion of components for one document.
    private struct Expansion {
        private let document: RoutedDocument
        /// The local time is determined at most once.
        private var date: LocalDate?
        private var bytes: [UInt8] = []

        init(of document: RoutedDocument) {
            self.document = document
        }

        mutating func append(_ parts: [Part], to folders: inout [FileName]) throws(Refusal) {
            bytes.removeAll(keepingCapacity: true)
            var hasFolder = false
            for part in parts {
                switch part {
                case .literal(let literal): bytes += literal
                case .placeholder(.folder):
                    hasFolder = true
                    bytes += document.folder.map(\.bytes).joined(separator: [UInt8(ascii: "/")])
                case .placeholder(.extension): bytes += NumberedName.pathExtension(of: document.name)
                case .placeholder(.type): bytes += document.detection.type.identifier.utf8
                case .placeholder(.year): append(localDate().year, digits: 4)
                case .placeholder(.month): append(localDate().month, digits: 2)
                case .placeholder(.day): append(localDate().day, digits: 2)
                case .placeholder(.hour): append(localDate().hour, digits: 2)
                case .placeholder(.documentType): break
                }
            }
            guard hasFolder else {
                if !bytes.isEmpty { folders.append(try Self.name(bytes[...], longest: FileName.longest)) }
                return
            }
            // Only the folder may have several names in it, each as long as it is in the Inbox.
            for bytes in bytes.split(separator: UInt8(ascii: "/")) {
                folders.append(try Self.name(bytes, longest: FileName.longestFound))
            }
        }

        private mutating func localDate() -> LocalDate {
            let known = date ?? document.modified.localDate
            date = known
            return known
        }

        private mutating func append(_ number: Int32, digits: Int) {
            var divisor: Int32 = digits == 4 ? 1000 : 10
            while divisor > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
        }

        private static func name(_ bytes: ArraySlice<UInt8>, longest: Int) throws(Refusal) -> FileName {
            if bytes.count <= longest, let name = bytes.withUnsafeBufferPointer({ FileName($0) }) { return name }
            throw Refusal(.hold(.name, "no folder can be called \(EscapedBytes.printable(bytes.prefix(300)))"))
        }
    }
}
