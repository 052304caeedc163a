import InboxLinux

/// The history's record of a document that was filed: section 6 of the contract. The batch, the book, the events and the
/// log have one in common, which nobody changes.
package struct FiledRecord: Sendable, WrittenLine {
    /// The proof that nobody was writing.
    package enum Proof: String, Sendable {
        /// A read lease was held while the name moved.
        case lease
        /// No lease could be had: a longer quiet time replaced it.
        case quietTime = "quiet-time"
        /// Its marker was there; where a lease is available, one was held while the name moved.
        case marker
        /// There is nothing to be written: a symbolic link.
        case none
        /// The daemon was interrupted after the name had moved; the record was made at the next start.
        case recovered
    }

    private struct Facts: Sendable {
        let id: RecordID
        let time: Timestamp
        let source: BytePath
        let destination: BytePath
        let type: String
        let mime: String?
        let size: UInt64
        let documentType: String?
        let evidence: String
        let renamed: Bool
        let proof: Proof
        let owner: UInt32?
        let identity: FileIdentity?
        let annotations: [String: String]
        let facts: [String: String]
        let rejection: String?
        let incomplete: String?
        let members: [FileName]
        let told: ToldFacts
    }

    private final class Shared: Sendable {
        let facts: Facts

        init(_ facts: Facts) {
            self.facts = facts
        }
    }

    private let shared: Shared

    /// A record of these facts.
    package init(
        id: RecordID, time: Timestamp, source: BytePath, destination: BytePath, type: String, mime: String?,
        size: UInt64, documentType: String? = nil, evidence: String, renamed: Bool, proof: Proof,
        owner: UInt32? = nil, identity: FileIdentity? = nil, annotations: [String: String] = [:],
        facts: [String: String] = [:], rejection: String? = nil, incomplete: String? = nil, members: [FileName] = [],
        told: ToldFacts = ToldFacts()
    ) {
        shared = Shared(
            Facts(
                id: id, time: time, source: source, destination: destination, type: type, mime: mime, size: size,
                documentType: documentType, evidence: evidence, renamed: renamed, proof: proof, owner: owner,
                identity: identity, annotations: annotations, facts: facts,
                rejection: rejection, incomplete: incomplete, members: members, told: told))
    }

    /// Appends the line of the history to others.
    package func append(to lines: inout ByteWriter) {
        var line = JSONLine(after: &lines)
        line.add("id", id)
        line.add("time", time)
        line.add("event", isRejected ? "rejected" : "filed")
        line.addDocument(from: source, to: destination, type: type, mime: mime, size: size)
        line.add("documentType", documentType)
        line.add("evidence", evidence)
        line.add("renamed", renamed)
        line.add("proof", proof.rawValue)
        for (key, value) in told.members { line.add(key, value) }
        if !annotations.isEmpty { line.add("annotations", annotations) }
        if !facts.isEmpty { line.add("facts", facts) }
        if let rejection { line.add("detail", rejection) }
        if let incomplete { line.add("incomplete", incomplete) }
        if !members.isEmpty { line.add("members", members.map(\.escapedText)) }
        if let owner { line.add("owner", owner) }
        if let identity { line.add("identity", identity) }
        line.finish(into: &lines)
    }
}

extension FiledRecord {
    /// The line of a document that another daemon may have recorded too, which says so.
    package var doubtfulLine: [UInt8] { line.dropLast(2) + Array(",\"doubtful\":true}\n".utf8) }

    /// Unique for ever.
    package var id: RecordID { shared.facts.id }

    /// When it was filed.
    package var time: Timestamp { shared.facts.time }

    /// Where it came from.
    package var source: BytePath { shared.facts.source }

    /// Where it went.
    package var destination: BytePath { shared.facts.destination }

    /// The type's identifier.
    package var type: String { shared.facts.type }

    /// The type's MIME type; nil where none is known.
    package var mime: String? { shared.facts.mime }

    /// The size in bytes.
    package var size: UInt64 { shared.facts.size }

    /// The name of the document type; nil where none accepted it.
    package var documentType: String? { shared.facts.documentType }

    /// The evidence for the type.
    package var evidence: String { shared.facts.evidence }

    /// A number was added to its name.
    package var renamed: Bool { shared.facts.renamed }

    /// The proof that the document was complete.
    package var proof: Proof { shared.facts.proof }

    /// The number of the user who owned it when it was filed; nil where that could not be found out.
    package var owner: UInt32? { shared.facts.owner }

    /// The identity of the document at its destination, by which it is recognized later; nil if it could not be
    /// determined.
    package var identity: FileIdentity? { shared.facts.identity }

    /// The names beside its own of the files that went with it.
    package var members: [FileName] { shared.facts.members }

    /// The missing part of a document that was filed although its own format shows that it is cut off.
    package var incomplete: String? { shared.facts.incomplete }

    /// The document's own properties, and its origin.
    package var told: ToldFacts { shared.facts.told }

    /// Its annotations, by key.
    package var annotations: [String: String] { shared.facts.annotations }

    /// The facts that its checks reported, by key.
    package var facts: [String: String] { shared.facts.facts }

    /// The reason why its check has rejected it, in words; nil for a document that was filed.
    package var rejection: String? { shared.facts.rejection }

    /// It is no document that was filed, but one that its check has rejected, in the folder for those.
    package var isRejected: Bool { shared.facts.rejection != nil }
}
