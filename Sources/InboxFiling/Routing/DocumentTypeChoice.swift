import InboxConfiguration
import InboxLinux
import Synchronization
import UniformTypeIdentifiers

/// Which document type wins: section 4 of the contract.
///
/// What follows from a type alone is worked out once for each type and kept, so that a document costs one lookup, however
/// many document types there are. Values are shared by all workers.
package final class DocumentTypeChoice: Sendable {
    /// One content type of a document type that accepts a type.
    struct Candidate {
        /// Which document type.
        let index: Int
        /// The content type by which it accepts.
        let contentType: UTType
        /// The edges from the type to the content type in the conformance graph.
        let steps: Int
        /// The candidates of which the content type is a subtype of this one's: they beat it where they accept the name.
        var stronger: [Int] = []
    }

    /// More types are not kept: a dynamic type has any extension in it.
    private static let mostTypes = 4096

    /// The document types, in the order of the configuration.
    package let documentTypes: [CompiledDocumentType]
    /// Their names apart, since many are compared for one document.
    private let names: [NameMatcher]
    /// The group of each first byte of a name: bytes of one group may be accepted by the same document types.
    private let groups: FirstByteGroups
    /// The candidates of each type that may win, by the group of the name's first byte.
    private let known = Mutex<[UTType: [[Candidate]]]>([:])

    init(_ documentTypes: [CompiledDocumentType]) {
        self.documentTypes = documentTypes
        names = documentTypes.map(\.names)
        groups = FirstByteGroups(names)
    }

    /// The document type that gets a document; nil where none accepts it.
    package func winner(for type: UTType, _ name: FileName) -> CompiledDocumentType? {
        guard !documentTypes.isEmpty else { return nil }
        let candidates = candidates(for: type)[groups.group(of: name)]
        return winner(among: candidates, name).map { documentTypes[candidates[$0].index] }
    }

    /// The place of the winner among the candidates of a type.
    func winner(among candidates: [Candidate], _ name: FileName) -> Int? {
        let bytes = name.bytes
        return candidates.indices.first { place in
            accepts(candidates[place], bytes)
                && !candidates[place].stronger.contains { accepts(candidates[$0], bytes) }
        }
    }

    private func accepts(_ candidate: Candidate, _ name: ArraySlice<UInt8>) -> Bool {
        names[candidate.index].accepts(name)
    }

    /// Whether a candidate accepts the name as well.
    func accepts(_ candidate: Candidate, _ name: FileName) -> Bool { accepts(candidate, name.bytes) }

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
        let sure = Set(able.filter { names[all[$0].index].acceptsAny })
        let left = able.filter { sure.isDisjoint(with: all[$0].stronger) }
        let places = Dictionary(uniqueKeysWithValues: zip(left, left.indices))
        return left.map { place in
            var candidate = all[place]
            candidate.stronger = candidate.stronger.compactMap { places[$0] }
            return candidate
        }
    }

    /// Every candidate: the fewest steps first, then the higher rank, then the earlier document type.
    func allCandidates(for type: UTType) -> [Candidate] {
        let steps = Self.steps(from: type)
        var found: [(candidate: Candidate, order: Int)] = []
        for (index, documentType) in documentTypes.enumerated() {
            guard let order = documentType.order else { continue }
            for contentType in documentType.contentTypes {
                guard let steps = steps[contentType] else { continue }
                found.append((Candidate(index: index, contentType: contentType, steps: steps), order))
            }
        }
        found.sort {
            ($0.candidate.steps, $0.order, $0.candidate.index) < ($1.candidate.steps, $1.order, $1.candidate.index)
        }
        var candidates = found.map(\.candidate)
        for place in candidates.indices {
            candidates[place].stronger = candidates.indices.filter {
                candidates[$0].contentType.isSubtype(of: candidates[place].contentType)
            }
        }
        return candidates
    }

    /// How many edges of the conformance graph lead from a type to each of its supertypes, at least.
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
