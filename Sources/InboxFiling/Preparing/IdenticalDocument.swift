import InboxLinux

/// A document that is prepared, and the file at its destination that has the same bytes.
package struct IdenticalDocument: Sendable {
    /// The document, still in the Inbox. Its file is closed, since many may wait to be discarded.
    package let document: PreparedDocument
    /// The name of the file that has the same bytes, in the folder that the document would go to.
    let twin: FileName
    /// What that file was when the bytes were compared.
    let twinStatus: FileStatus

    /// The identical file at the destination of a document; nil where there is none.
    init?(of document: PreparedDocument, _ abandonment: Abandonment) throws(SyscallError) {
        guard let file = document.file,
            let found = try Self.twin(
                of: file, document.status, document.wanted, in: document.reached.folder, abandonment)
        else { return nil }
        var document = document
        document.closeFile()
        self.document = document
        (twin, twinStatus) = found
    }

    /// Looks for a regular file of the same size and bytes under the wanted name or a number of its row; nil where there
    /// is none. Numbers are tried in their order until several in a row are free.
    /// - Parameter abandonment: ends the search early, without a result; nil for one that nothing can end.
    package static func twin(
        of file: OpenFile, _ status: FileStatus, _ wanted: FileName, in folder: OpenFolder,
        _ abandonment: Abandonment? = nil
    ) throws(SyscallError) -> (FileName, FileStatus)? {
        guard status.kind == .regular else { return nil }
        let row = NumberedName(wanted)
        var free = 0
        var number = 0
        let isAbandoned = { abandonment?.isRequested == true }
        while free < mostGaps, number < mostNumbers, !isAbandoned(), let name = row.numbered(number) {
            number += 1
            do throws(SyscallError) {
                let found = try folder.directory.status(of: name)
                free = 0
                guard found.kind == .regular, found.size == status.size, found.identity.file != status.identity.file
                else { continue }
                let other = try folder.directory.file(name)
                let opened = try other.status()
                guard opened.identity == found.identity,
                    try file.descriptor.hasContent(of: other, unless: isAbandoned)
                else { continue }
                return (name, opened)
            } catch {
                // What may not be read is not known to be identical.
                if !error.errno.isAbsent, !error.errno.isDenied { throw error }
                if error.errno.isAbsent { free += 1 }
            }
        }
        return nil
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
    private var entered: [(RecordID, DocumentsUnderWay.Likeness)] = []

    init(_ underWay: DocumentsUnderWay, _ abandonment: Abandonment) {
        self.underWay = underWay
        self.abandonment = abandonment
    }

    deinit { for (document, likeness) in entered { underWay.leave(document, likeness) } }

    /// Compares a document with those at its destination.
    /// - Returns: whether it is identical to one of them; nil where another one that is under way may become that.
    func contain(_ document: PreparedDocument, from folder: OpenFolder) throws(SyscallError) -> Bool? {
        // Entered before the search: what leaves meanwhile is found at the destination.
        guard let likeness = try underWay.enter(document, from: folder) else { return nil }
        entered.append((document.id, likeness))
        guard let found = try IdenticalDocument(of: document, abandonment) else { return false }
        documents.append(found)
        underWay.leave(document.id, likeness)
        return true
    }
}
