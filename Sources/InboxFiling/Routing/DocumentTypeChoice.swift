import InboxConfiguration
import InboxLinux
import Synchronization
import UniformTypeIdentifiers

/// The choice of the document type that wins: section 4 of the contract.
///
/// Everything that follows from a type alone is worked out once for each type and kept, so that a document costs one
/// lookup, however many document types there are. Values are shared by all workers.
package final class DocumentTypeChoice: Sendable {
    /// One content type of a document type that accepts a type.
    struct Candidate {
        /// Which document type.
        let index: Int
        /// The content type by which it accepts; nil where it accepts any type.
        let contentType: UTType?
        /// The edges from the type to the content type in the conformance graph.
        let steps: Int
        /// Only the order of the configuration counts for it.
        let isFirst: Bool
        /// The candidates of which the content type is a subtype of this one's: they beat it where they accept the document.
        var stronger: [Int] = []
    }

    /// More types are not kept: a dynamic type has any extension in it.
    private static let mostTypes = 4096

    /// The document types, in the order of the configuration.
    package let documentTypes: [CompiledDocumentType]
    /// Their names apart, since many are compared for one document.
    private let names: [NameMatcher]
    /// The other conditions of each.
    private let conditions: [DocumentConditions?]
    private let asksForPath: Bool
    /// One of them asks for extended attributes.
    package let asksForAttributes: Bool
    /// One of them asks for what the content says.
    package let asksForContent: Bool
    /// One of them has a check.
    let hasChecks: Bool
    /// The group of each first byte of a name: bytes of one group may be accepted by the same document types.
    private let groups: FirstByteGroups
    /// The candidates of each type that may win, by the group of the name's first byte.
    private let known = Mutex<[UTType: [[Candidate]]]>([:])

    init(_ documentTypes: [CompiledDocumentType]) {
        self.documentTypes = documentTypes
        names = documentTypes.map(\.names)
        conditions = documentTypes.map(\.conditions)
        asksForPath = conditions.contains { $0?.asksForPath == true }
        // Templates may name what attributes have as well.
        asksForAttributes =
            conditions.contains { $0?.asksForAttributes == true } || documentTypes.contains(where: \.namesAttributes)
        hasChecks = documentTypes.contains { $0.check != nil }
        asksForContent = documentTypes.contains { !$0.asked.isEmpty }
        groups = FirstByteGroups(names)
    }

    /// The document type that gets a document; nil where none accepts it.
    package func winner(for document: RoutedDocument) -> CompiledDocumentType? {
        guard !documentTypes.isEmpty else { return nil }
        let candidates = candidates(for: document.detection.type)[groups.group(of: document.name)]
        guard let first = candidates.first else { return nil }
        // Nearly always one accepts whatever the document is called, and nothing has to be made of its name.
        if first.stronger.isEmpty, names[first.index].acceptsAny, conditions[first.index] == nil {
            return documentTypes[first.index]
        }
        return winner(among: candidates, compared(document)).map { documentTypes[candidates[$0].index] }
    }

    /// A document, to be compared with candidates.
    func compared(_ document: RoutedDocument) -> ComparedDocument { ComparedDocument(document, withPath: asksForPath) }

    /// The place of the winner among the candidates of a type.
    func winner(among candidates: [Candidate], _ document: ComparedDocument) -> Int? {
        candidates.indices.first { place in
            accepts(candidates[place], document)
                && !candidates[place].stronger.contains { accepts(candidates[$0], document) }
        }
    }

    /// Returns whether a candidate accepts the name, and all else that it asks for.
    func accepts(_ candidate: Candidate, _ document: ComparedDocument) -> Bool {
        names[candidate.index].accepts(document.name) && conditions[candidate.index]?.failing(document) == nil
    }

    /// Returns, in words, the condition of a candidate that the document fails; nil if the candidate accepts it.
    func failure(of candidate: Candidate, _ document: ComparedDocument) -> String? {
        guard names[candidate.index].accepts(document.name) else {
            let words = documentTypes[candidate.index].configured.settings.names
            return "does not accept the name (Names="
                + words.map { EscapedBytes.printable($0.prefix(80)) }.joined(separator: " ") + ")"
        }
        guard let conditions = conditions[candidate.index], let failing = conditions.failing(document) else {
            return nil
        }
        return conditions.words(failing, on: document.document)
    }

    private func candidates(for type: UTType) -> [[Candidate]] {
        if let found = known.withLock({ $0[type] }) { return found }
        let all = allCandidates(for: type)
        let found = groups.firstBytes.map { byte in
            contenders(among: all) { names[all[$0].index].mayAccept(firstByte: byte) }
        }
        known.withLock {
            if $0.count >= Self.mostTypes { $0.removeAll(keepingCapacity: true) }
            $0[type] = found
        }
        return found
    }

    /// The candidates at those places that are left when those are that are beaten whatever the name is.
    private func contenders(among all: [Candidate], _ mayAccept: (Int) -> Bool) -> [Candidate] {
        let able = all.indices.filter(mayAccept)
        let sure = Set(able.filter { names[all[$0].index].acceptsAny && conditions[all[$0].index] == nil })
        let left = able.filter { sure.isDisjoint(with: all[$0].stronger) }
        let places = Dictionary(uniqueKeysWithValues: zip(left, left.indices))
        return left.map { place in
            var candidate = all[place]
            candidate.stronger = candidate.stronger.compactMap { places[$0] }
            return candidate
        }
    }

    /// Every candidate: those of `Rank=First` in their order, then the fewest steps first, then the higher rank, then the
    /// earlier document type.
    func allCandidates(for type: UTType) -> [Candidate] {
        let steps = Self.steps(from: type)
        var found: [(candidate: Candidate, order: Int)] = []
        for (index, documentType) in documentTypes.enumerated() {
            guard let order = documentType.order else { continue }
            let isFirst = documentType.configured.settings.rank == .first
            func add(_ contentType: UTType?, _ steps: Int) {
                found.append(
                    (Candidate(index: index, contentType: contentType, steps: steps, isFirst: isFirst), order))
            }
            // Any type is farther away than every type.
            if documentType.contentTypes.isEmpty { add(nil, .max) }
            for contentType in documentType.contentTypes {
                if let steps = steps[contentType] { add(contentType, steps) }
            }
        }
        func key(_ found: (candidate: Candidate, order: Int)) -> (Int, Int, Int, Int) {
            let (candidate, order) = found
            return candidate.isFirst
                ? (0, candidate.index, candidate.steps, 0) : (1, candidate.steps, order, candidate.index)
        }
        found.sort { key($0) < key($1) }
        var candidates = found.map(\.candidate)
        for place in candidates.indices where !candidates[place].isFirst {
            guard let contentType = candidates[place].contentType else { continue }
            candidates[place].stronger = candidates.indices.filter {
                !candidates[$0].isFirst && candidates[$0].contentType?.isSubtype(of: contentType) == true
            }
        }
        return candidates
    }

    /// Returns the lowest number of edges in the conformance graph from a type to each of its supertypes.
    private static func steps(from type: UTType) -> [UTType: Int] {
        var steps = [type: 0]
        var wave = [type]
        while !wave.isEmpty {
            var next: [UTType] = []
            for type in wave {
                for parent in type.directSupertypes where steps[parent] == nil {
                    steps[parent] = (steps[type] ?? 0) + 1
                    next.append(parent)
                }
            }
            wave = next
        }
        return steps
    }
}
