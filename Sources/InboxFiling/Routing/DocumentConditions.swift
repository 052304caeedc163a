import InboxConfiguration
import InboxLinux

/// The conditions of a document type besides the document's type and name.
final class DocumentConditions: Sendable {
    /// One of the conditions.
    enum Condition {
        case inboxes
        case minSize(Int64)
        case maxSize(Int64)
        case paths
        case pattern
        case origins
        /// The one about the annotation of this key.
        case annotation(String)
        /// The one about the fact of this key.
        case fact(String)
    }

    private struct Annotation {
        let key: String
        let values: GlobList
    }

    private let settings: DocumentTypeSettings
    private let inboxes: Set<BytePath>
    private let paths: GlobList
    private let origins: GlobList
    private let annotations: [Annotation]
    private let facts: [Annotation]

    /// The conditions of these settings; nil where there is none.
    init?(_ settings: DocumentTypeSettings) {
        guard
            !settings.inboxes.isEmpty || !settings.paths.isEmpty || !settings.origins.isEmpty
                || !settings.annotations.isEmpty || !settings.facts.isEmpty || settings.pattern != nil
                || settings.minSize != nil
                || settings.maxSize != nil
        else { return nil }
        self.settings = settings
        inboxes = Set(settings.inboxPaths)
        paths = GlobList(settings.paths, isPath: true)
        origins = GlobList(settings.origins)
        annotations = Self.annotations(settings.annotations)
        facts = Self.annotations(settings.facts)
    }

    private static func annotations(_ list: [[UInt8]]) -> [Annotation] {
        var keys: [String] = []
        var words: [String: [[UInt8]]] = [:]
        for (key, word) in list.compactMap(DocumentTypeSettings.annotation) {
            if words[key] == nil { keys.append(key) }
            words[key, default: []].append(word)
        }
        return keys.map { Annotation(key: $0, values: GlobList(words[$0] ?? [])) }
    }

    private static func failing(_ conditions: [Annotation], _ values: [String: String]) -> String? {
        conditions.first { condition in
            guard let value = values[condition.key] else { return true }
            return !condition.values.accepts(FoldedName(Array(value.utf8)[...]))
        }?.key
    }

    /// The path inside the Inbox is asked for.
    var asksForPath: Bool { !paths.isEmpty }

    /// Extended attributes are asked for.
    var asksForAttributes: Bool { !origins.isEmpty || !annotations.isEmpty }

    /// The first condition that a document does not meet, the cheap ones first; nil where all hold.
    func failing(_ compared: ComparedDocument) -> Condition? {
        let document = compared.document
        if let least = settings.minSize, document.size < UInt64(clamping: least) { return .minSize(least) }
        if let most = settings.maxSize, document.size > UInt64(clamping: most) { return .maxSize(most) }
        if !settings.inboxes.isEmpty, !(document.inbox.map(inboxes.contains) ?? false) { return .inboxes }
        if !paths.isEmpty, !paths.accepts(compared.path) { return .paths }
        if let key = Self.failing(annotations, document.attributes.annotations) { return .annotation(key) }
        if let key = Self.failing(facts, document.facts) { return .fact(key) }
        if !origins.isEmpty {
            guard let host = document.attributes.originHost, origins.accepts(FoldedName(Array(host.utf8)[...])) else {
                return .origins
            }
        }
        if let pattern = settings.pattern, !pattern.matches(NumberedName.parts(of: document.name).stem) {
            return .pattern
        }
        return nil
    }

    /// A failing condition as it is configured, and what it saw.
    func words(_ condition: Condition, on document: RoutedDocument) -> String {
        func list(_ key: String, _ words: [[UInt8]], _ seen: String) -> String {
            "\(key)=\(words.map { EscapedBytes.printable($0.prefix(80)) }.joined(separator: " ")): \(seen)"
        }
        func quoted(_ text: some Collection<UInt8>) -> String { "\"\(EscapedBytes.printable(text.prefix(80)))\"" }
        func size(against limit: Int64) -> String {
            let (own, other) = (ByteCount.text(document.size), ByteCount.text(UInt64(limit.magnitude)))
            return own == other ? "\(document.size) bytes" : own
        }
        switch condition {
        case .inboxes:
            return list("Inboxes", settings.inboxes, "it is in \(document.inbox.map { "\($0)" } ?? "none")")
        case .minSize(let least): return "MinSize=\(ValueText.size(least)): it has \(size(against: least))"
        case .maxSize(let most): return "MaxSize=\(ValueText.size(most)): it has \(size(against: most))"
        case .paths:
            let path = document.folder.reduce(into: [UInt8]()) { $0 += Array($1.bytes) + [UInt8(ascii: "/")] }
            return list("Paths", settings.paths, "its path is \(quoted(path + document.name.bytes))")
        case .pattern:
            return "Pattern=\(settings.pattern.map { EscapedBytes.printable($0.text.prefix(80)) } ?? ""): its name is "
                + quoted(document.name.bytes)
        case .origins:
            let host = document.attributes.originHost
            return list(
                "Origins", settings.origins, host.map { "it came from \(quoted($0.utf8))" } ?? "its origin is not known"
            )
        case .annotation(let key):
            let words = settings.annotations.filter { DocumentTypeSettings.annotation($0)?.key == key }
            let value = document.attributes.annotations[key]
            return list("Annotations", words, value.map { "it has \(quoted($0.utf8))" } ?? "it has none of that key")
        case .fact(let key):
            let words = settings.facts.filter { DocumentTypeSettings.annotation($0)?.key == key }
            let value = document.facts[key]
            return list(
                "Facts", words,
                value.map { "its check says \(quoted($0.utf8))" } ?? "its check has said nothing of that")
        }
    }
}
