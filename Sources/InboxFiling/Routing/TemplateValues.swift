import InboxConfiguration
import InboxLinux
import InboxProperties

/// The values of placeholders for one document.
struct TemplateValues {
    let document: RoutedDocument
    let documentType: String
    let pattern: NamePattern?
    let properties: DocumentProperties
    let dates: [DateChoice]
    let now: Timestamp
    /// Each is worked out at most once.
    private var dated: DatedDocument??
    private var captures: [String: [UInt8]]?

    init(
        of document: RoutedDocument, documentType: String, pattern: NamePattern?, _ properties: DocumentProperties,
        dates: [DateChoice], now: Timestamp
    ) {
        self.document = document
        self.documentType = documentType
        self.pattern = pattern
        self.properties = properties
        self.dates = dates
        self.now = now
    }

    /// The document's date; nil where no source has one.
    mutating func date() -> DatedDocument? {
        if let dated { return dated }
        let found = DatedDocument(document, by: dates, properties, now: now)
        dated = .some(found)
        return found
    }

    /// The first alternative that has a value, cleaned, and whether that is the folder; nil where none has.
    /// - Parameter arrivalCounts: whether the arrival counts where no source has a date.
    mutating func value(
        _ alternatives: [TemplatePiece.Alternative], arrivalCounts: Bool
    ) -> (bytes: [UInt8], isFolder: Bool)? {
        for alternative in alternatives {
            guard let bytes = bytes(of: alternative.source, arrivalCounts), !bytes.isEmpty else { continue }
            let isFolder = alternative.source == .placeholder(.folder)
            return (alternative.letters.map { Self.with($0, bytes) } ?? bytes, isFolder)
        }
        return nil
    }

    private mutating func bytes(of source: TemplatePiece.Source, _ arrivalCounts: Bool) -> [UInt8]? {
        switch source {
        case .text(let bytes): return CleanedValue.cleaned(bytes)
        case .annotation(let key): return document.attributes.annotations[key].flatMap { CleanedValue.cleaned($0.utf8) }
        case .fact(let key): return document.allFacts[key].flatMap { CleanedValue.cleaned($0.utf8) }
        case .capture(let name):
            let known = captures ?? pattern?.captures(in: NumberedName.parts(of: document.name).stem) ?? [:]
            captures = known
            return known[name].flatMap { CleanedValue.cleaned($0) }
        case .placeholder(let placeholder):
            if placeholder.isDate {
                if let date = date()?.date { return date.bytes(of: placeholder) }
                return arrivalCounts ? DocumentDate(local: document.arrival)?.bytes(of: placeholder) : nil
            }
            return bytes(of: placeholder)
        }
    }

    private func bytes(of placeholder: TemplatePlaceholder) -> [UInt8]? {
        switch placeholder {
        case .name: Array(NumberedName.parts(of: document.name).stem)
        case .extension: CleanedValue.cleaned(NumberedName.pathExtension(of: document.name))
        case .folder: Array(document.folder.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
        case .inbox: document.inbox.flatMap { CleanedValue.cleaned($0.lastComponent) }
        case .type: CleanedValue.cleaned(document.detection.type.identifier.utf8)
        case .documentType: CleanedValue.cleaned(documentType.utf8)
        case .title: properties.title.flatMap { CleanedValue.cleaned($0.utf8) }
        case .author: properties.author.flatMap { CleanedValue.cleaned($0.utf8) }
        case .origin: document.attributes.originHost.flatMap { CleanedValue.cleaned($0.utf8) }
        case .application: document.attributes.application.flatMap { CleanedValue.cleaned($0.utf8) }
        case .year, .month, .day, .hour, .minute, .second, .date, .time: nil
        }
    }

    private static func with(_ letters: TemplatePiece.Letters, _ bytes: [UInt8]) -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        let changed = letters == .lower ? text.lowercased() : text.uppercased()
        // Some letters are longer in the other case.
        return changed.utf8.count <= max(bytes.count, CleanedValue.longest)
            ? Array(changed.utf8) : CleanedValue.cut(changed, to: max(bytes.count, CleanedValue.longest))
    }
}
