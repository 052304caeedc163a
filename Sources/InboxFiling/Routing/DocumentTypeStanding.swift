import InboxConfiguration
import InboxLinux
import UniformTypeIdentifiers

/// The reason why a document type gets a document, or does not.
package struct DocumentTypeStanding: Sendable {
    /// The document type's name.
    package let name: String
    /// The content type by which it accepts; nil where it accepts any type, or not this one.
    package let contentType: String?
    /// The edges from the document's type to that one in the conformance graph; 0 where it accepts any type.
    package let steps: Int
    /// The document type gets the document.
    package let wins: Bool
    /// The reason, in words that follow its name.
    package let reason: String
    /// The program that handles the document; nil where there is none.
    package let program: BytePath?
}

extension DocumentTypeChoice {
    /// Returns how every document type stands to a document: the winner first, then those that accept its type by steps,
    /// rank and order, whatever else they ask for in vain, and then those that never accept it.
    package func standings(for document: RoutedDocument) -> [DocumentTypeStanding] {
        let type = document.detection.type
        let candidates = allCandidates(for: type)
        let document = compared(document)
        let winner = winner(among: candidates, document)
        var seen: Set<Int> = []
        var standings: [DocumentTypeStanding] = []
        for place in [winner].compactMap({ $0 }) + Array(candidates.indices) {
            let candidate = candidates[place]
            guard seen.insert(candidate.index).inserted else { continue }
            standings.append(
                DocumentTypeStanding(
                    name: documentTypes[candidate.index].configured.name,
                    contentType: candidate.contentType?.identifier,
                    steps: candidate.contentType == nil ? 0 : candidate.steps, wins: place == winner,
                    reason: reason(place, winner, candidates, document),
                    program: documentTypes[candidate.index].configured.settings.run?.program))
        }
        return standings + neverAccepting(type) + otherwiseTyped(type)
    }

    /// Those that accept other types alone.
    private func otherwiseTyped(_ type: UTType) -> [DocumentTypeStanding] {
        documentTypes.compactMap { documentType in
            let types = documentType.contentTypes
            guard !types.isEmpty, !types.contains(where: type.conforms) else { return nil }
            let words = types.map { EscapedBytes.printable($0.identifier.utf8) }.joined(separator: " ")
            return DocumentTypeStanding(
                name: documentType.configured.name, contentType: nil, steps: 0, wins: false,
                reason: "does not accept the type (ContentTypes=\(words))",
                program: documentType.configured.settings.run?.program)
        }
    }

    private func neverAccepting(_ type: UTType) -> [DocumentTypeStanding] {
        documentTypes.compactMap { documentType in
            guard documentType.order == nil else { return nil }
            let accepted = documentType.contentTypes.first(where: type.conforms)
            guard accepted != nil || documentType.contentTypes.isEmpty else { return nil }
            return DocumentTypeStanding(
                name: documentType.configured.name, contentType: accepted?.identifier, steps: 0, wins: false,
                reason: "never accepts (Rank=None)", program: documentType.configured.settings.run?.program)
        }
    }

    private func reason(_ place: Int, _ winner: Int?, _ candidates: [Candidate], _ document: ComparedDocument) -> String
    {
        let candidate = candidates[place]
        let own = documentTypes[candidate.index].configured
        if let failure = failure(of: candidate, document) { return failure }
        if let stronger = candidate.stronger.first(where: { accepts(candidates[$0], document) }), place != winner,
            winner.map({ !candidates[$0].isFirst }) ?? true
        {
            let other = candidates[stronger]
            if other.index == candidate.index { return "accepts it by a more specific type" }
            return "loses to \(self.name(of: other)), whose \(other.contentType?.identifier ?? "") is a subtype of "
                + (candidate.contentType?.identifier ?? "")
        }
        guard let winner else { return "accepts it" }
        let best = candidates[winner]
        guard place != winner else {
            let rivals = Set(candidates.filter { accepts($0, document) }.map(\.index))
            return rivals.count == 1 ? "wins: no other accepts it" : "wins"
        }
        if best.isFirst {
            return candidate.isFirst
                ? "loses to \(self.name(of: best)), which is configured earlier"
                : "loses to \(self.name(of: best)), which comes first (Rank=First)"
        }
        if candidate.contentType == nil, let contentType = best.contentType {
            return "loses to \(self.name(of: best)), which names a type (ContentTypes=\(contentType.identifier))"
        }
        if candidate.steps != best.steps {
            return "loses to \(self.name(of: best)), which is \(candidate.steps - best.steps) "
                + "\(candidate.steps - best.steps == 1 ? "step" : "steps") nearer to the type"
        }
        let (ownRank, rank) = (own.settings.rank, documentTypes[best.index].configured.settings.rank)
        if ownRank != rank {
            return "loses to \(self.name(of: best)), which ranks higher (\(rank.rawValue) before \(ownRank.rawValue))"
        }
        return "loses to \(self.name(of: best)), which is configured earlier"
    }

    private func name(of candidate: Candidate) -> String {
        EscapedBytes.printable(documentTypes[candidate.index].configured.name.utf8)
    }
}
