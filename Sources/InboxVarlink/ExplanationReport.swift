/// The result of `Explain` (sections 3.2 and 5 of the contract).
package struct ExplanationReport: Codable, Hashable, Sendable {
    /// The path, as text by section 5 of the contract.
    package var path: String
    /// The type's identifier.
    package var type: String
    /// The type's MIME type, where one is known.
    package var mime: String?
    /// The evidence for the type: `content`, `name`, `name+content`, `none`.
    package var evidence: String
    /// The name and the content disagree.
    package var mismatch: Bool
    /// The content could not be read.
    package var unread: Bool
    /// The missing part of a file that its own format shows to be cut off.
    package var incomplete: String?
    /// Every supertype, a type before all its own supertypes.
    package var conformsTo: [String]
    /// Every document type, the one that gets it first, then those that accept its type.
    package var documentTypes: [DocumentTypeReport]
    /// The reason in words why no document type gets it, if some are configured.
    package var unclaimed: String?
    /// Where it would go, if it were filed now.
    package var destination: String?
    /// The reason in words why the name that its document type gives does not apply.
    package var nameObstacle: String?
    /// The reason why it would not be filed now, in words, where its state does not say that.
    package var obstacle: String?
    /// The date that counts for it, as far as that goes.
    package var date: String?
    /// Where the date is from.
    package var dateFrom: String?
    /// Its title.
    package var title: String?
    /// Its author.
    package var author: String?
    /// The words of its checks so far, and which one runs before it is filed.
    package var checking: String?
    /// Its state in the Inbox; absent for what is not in one.
    package var arrival: ArrivalReport?
    /// The reason in words why it is no arrival though it is in an Inbox, if there is no room for it.
    package var unlisted: String?
    /// The record of the history that says where the document went, where nothing is at the path any more, or how a
    /// filed document came there.
    package var record: JSONValue?
    /// The documents that were in the folder which the path was, where nothing is at the path any more.
    package var beneath: PastFolder?

    /// Of a filed document, how its handler runs, is tried again, or has ended: in words, printable.
    package var handling: String?

    /// A report of these facts.
    package init(
        path: String, type: String, mime: String?, evidence: String, mismatch: Bool, unread: Bool, conformsTo: [String],
        documentTypes: [DocumentTypeReport] = [], destination: String?, arrival: ArrivalReport?
    ) {
        self.path = path
        self.type = type
        self.mime = mime
        self.evidence = evidence
        self.mismatch = mismatch
        self.unread = unread
        self.conformsTo = conformsTo
        self.documentTypes = documentTypes
        self.destination = destination
        self.arrival = arrival
    }
}

/// A document type, as it stands to what is explained.
package struct DocumentTypeReport: Codable, Hashable, Sendable {
    /// Its name.
    package var name: String
    /// The content type by which it accepts; absent where it accepts any type, or not this one.
    package var contentType: String?
    /// The document type gets the document.
    package var wins: Bool
    /// The reason in words why it does or does not.
    package var reason: String
    /// The program that handles the document, where there is one: text by section 5 of the contract.
    package var run: String?

    /// A report of these facts.
    package init(name: String, contentType: String?, wins: Bool, reason: String, run: String?) {
        self.name = name
        self.contentType = contentType
        self.wins = wins
        self.reason = reason
        self.run = run
    }
}
