import InboxLinux

/// A document that is prepared, and the file at its destination that has the same bytes.
package struct IdenticalDocument: Sendable {
    /// The document, still in the Inbox. Its file is closed, since many may wait to be discarded.
    package let document: PreparedDocument
    /// The name of the file that has the same bytes, in the folder that the document would go to.
    let twin: FileName
    /// The status of that file when the bytes were compared.
    let twinStatus: FileStatus
    /// The files beside that one that have the bytes of what goes with the document, in the same order.
    let members: [IdenticalMember]

    /// The identical file at the destination of a document; nil where there is none.
    /// - Parameter source: the folder that the document lies in.
    init?(
        of document: PreparedDocument, from source: OpenFolder, _ comparison: Comparison
    ) throws(Comparison.Failure) {
        let reached = document.reached
        var members: [IdenticalMember] = []
        let found = try Self.twin(of: document.status, document.wanted, in: reached.folder, comparison) {
            (name) throws(Comparison.Failure) in
            let found = try IdenticalMember.all(
                of: document.request, from: source, beside: name, in: reached, comparison)
            members = found ?? []
            return found != nil
        }
        guard let found else { return nil }
        self.init(document, found.name, found.status, members)
    }

    /// A document, and a file elsewhere that has the same bytes: it is discarded for that as if it were to go there.
    init(_ document: PreparedDocument, _ twin: FileName, _ twinStatus: FileStatus, _ members: [IdenticalMember] = []) {
        var document = document
        document.closeFile()
        (self.document, self.twin, self.twinStatus, self.members) = (document, twin, twinStatus, members)
    }

    /// Looks for a regular file of the same size and bytes under the wanted name or a number of its row; nil where there
    /// is none. Numbers are tried in their order until several in a row are free.
    /// - Parameter counts: whether the file of a name that has the same bytes counts.
    static func twin(
        of status: FileStatus, _ wanted: FileName, in folder: OpenFolder, _ comparison: Comparison,
        where counts: (FileName) throws(Comparison.Failure) -> Bool
    ) throws(Comparison.Failure) -> (name: FileName, status: FileStatus)? {
        guard status.kind == .regular else { return nil }
        let row = NumberedName(wanted)
        var free = 0
        var number = 0
        while free < mostGaps, number < mostNumbers, let name = row.numbered(number) {
            number += 1
            var other: (file: OpenFile, status: FileStatus)?
            do throws(SyscallError) { other = try file(name, in: folder, like: status) } catch {
                if error.errno.isAbsent {
                    free += 1
                    continue
                }
                // What may not be read is not known to be identical, nor what its owner keeps for himself by a lease.
                if !error.errno.isDenied, error.errno != .again { throw .failed(error) }
            }
            free = 0
            try comparison.goOn()
            // A second name of the document itself is no other one at its destination.
            guard let other, other.status.identity.file != status.identity.file else { continue }
            if try comparison.isEqual(to: other.file), try counts(name) { return (name, other.status) }
        }
        return nil
    }

    /// The name of such a file for a document that is not filed now; nil also where that shows only when it is.
    package static func predictedTwin(
        of file: OpenFile, _ status: FileStatus, _ wanted: FileName, in folder: OpenFolder
    ) -> FileName? {
        do throws(Comparison.Failure) {
            return try twin(of: status, wanted, in: folder, Comparison(of: file)) { _ in true }?.name
        } catch {
            return nil
        }
    }

    /// The file of this name, where it has the same size; of any size where none is given.
    static func file(
        _ name: FileName, in folder: OpenFolder, like status: FileStatus?
    ) throws(SyscallError) -> (file: OpenFile, status: FileStatus)? {
        let found = try folder.directory.status(of: name)
        guard found.kind == .regular else { return nil }
        if let status, found.size != status.size { return nil }
        let file = OpenFile(try folder.directory.file(name))
        let opened = try file.descriptor.status()
        return opened.identity == found.identity ? (file, opened) : nil
    }

    /// So many free numbers in a row end the search: people remove some of a row's files.
    private static let mostGaps = 16
    /// A longer row is not compared in full.
    private static let mostNumbers = 4096

    /// The path of the file that has the same bytes.
    var twinPath: BytePath { document.reached.path.appending(twin) }

    /// The history's record of the document being discarded.
    func record(at time: Timestamp) -> DuplicateRecord {
        DuplicateRecord(
            id: document.id, time: time, source: document.source, twin: twinPath,
            type: document.detection.type.identifier, mime: document.detection.mime, size: document.status.size,
            documentType: document.documentType, evidence: document.detection.evidence.rawValue)
    }
}

/// The documents of one batch that are to be discarded, and those that others are not to be identical to while it lasts.
package final class IdenticalDocuments {
    /// To be discarded, in the order in which they were prepared.
    package private(set) var documents: [IdenticalDocument] = []
    private let underWay: DocumentsUnderWay
    private let abandonment: Abandonment
    private var time: ComparingTime
    private var entered: [(RecordID, DocumentsUnderWay.Likeness)] = []

    init(_ underWay: DocumentsUnderWay, in time: ComparingTime, _ abandonment: Abandonment) {
        self.underWay = underWay
        self.abandonment = abandonment
        self.time = time
    }

    deinit { for (document, likeness) in entered { underWay.leave(document, likeness) } }

    /// Compares a document with those at its destination. What has no content that could be read is not compared.
    /// - Returns: whether it is identical to one of them; nil where another one that is under way may become that.
    func contain(_ document: PreparedDocument, from folder: OpenFolder) throws(Comparison.Failure) -> Bool? {
        guard let file = document.file else { return false }
        return try compare(file, of: document.status.owner, isLeased: document.isLeased) {
            (comparison) throws(Comparison.Failure) -> Bool? in
            // Entered before the search: what leaves meanwhile is found at the destination.
            guard let likeness = try underWay.enter(document, from: folder, comparison) else { return nil }
            entered.append((document.id, likeness))
            guard let found = try IdenticalDocument(of: document, from: folder, comparison) else { return false }
            documents.append(found)
            underWay.leave(document.id, likeness)
            return true
        }
    }

    /// Compares a document with all that were filed. Returns false where another one that is under way may be identical.
    func admit(
        _ entry: DocumentsUnderWay.Entry, ofSize size: UInt64, _ comparison: Comparison
    ) throws(Comparison.Failure) -> Bool {
        let likeness = DocumentsUnderWay.Likeness(folder: nil, wanted: nil, size: size)
        guard try underWay.enter(entry, as: likeness, comparison) else { return false }
        entered.append((entry.document, likeness))
        return true
    }

    /// A document is to be discarded: no other one waits for it.
    func discard(_ identical: IdenticalDocument) {
        documents.append(identical)
        let id = identical.document.id
        for (document, likeness) in entered where document == id { underWay.leave(document, likeness) }
        entered.removeAll { $0.0 == id }
    }

    /// Compares an open file with others, as long as there is time for its owner.
    func compare<Found>(
        _ file: OpenFile, of owner: UInt32, isLeased: Bool,
        _ body: (Comparison) throws(Comparison.Failure) -> Found
    ) throws(Comparison.Failure) -> Found {
        let begun = Instant.now()
        defer { time.note(.now() - begun, for: owner) }
        let end = time.end(for: owner, from: begun)
        return try body(Comparison(of: file, isLeased: isLeased, until: end, abandonment))
    }
}
