import InboxDetection
import InboxLinux

/// A document that is complete, typed and routed, and not yet moved.
package struct PreparedDocument: Sendable {
    /// What was requested.
    package let request: FilingRequest
    /// Its path in the Inbox.
    package let source: BytePath
    /// The open file; nil where it may not be read, and once its name has moved.
    package private(set) var file: OpenFile?
    /// The open folder of a document that is one; nil for a file.
    package let package: OpenFolder?
    /// Why something in that folder cannot be removed; nil where nothing speaks against it.
    let innerObstacle: String?
    /// What it was when it was prepared: what is moved must still be that.
    package let status: FileStatus
    /// What it is.
    package let detection: Detection
    /// The name of the document type that has won; nil where none accepts it.
    package let documentType: String?
    /// The folder that it goes to.
    package let reached: ReachedFolder
    /// The name that it keeps if it is free.
    package let wanted: FileName
    /// The id of its record.
    package let id: RecordID
    /// What showed that nobody was writing.
    package let proof: FiledRecord.Proof
    /// Whether a lease is available while its name moves.
    package let isLeased: Bool
    /// What travels with it, by key.
    package let annotations: [String: String]

    /// Whether its destination is certainly on another mount, to which no rename leads.
    ///
    /// Where it is not certain, the rename shows: subvolumes and overlays return EXDEV inside one mount.
    package var isAcross: Bool { status.mount != 0 && reached.mount != 0 && status.mount != reached.mount }

    /// What is to be recorded of it under this name.
    package func record(at time: Timestamp, as name: FileName, number: Int) -> FiledRecord {
        FiledRecord(
            id: id, time: time, source: source,
            destination: reached.path.appending(name),
            type: detection.type.identifier, mime: detection.mime, size: status.size, documentType: documentType,
            evidence: detection.evidence.rawValue, renamed: number > 0, proof: proof, identity: status.identity,
            annotations: annotations)
    }
}

extension PreparedDocument {
    /// Shows that what has its name is still what was prepared, a package with all that is in it.
    func showUnchanged(in folder: OpenFolder) throws(Refusal) {
        let now: FileStatus?
        do throws(SyscallError) {
            now = try OpenedSource.status(of: request.name, status.kind, in: folder)
        } catch {
            throw Refusal(error, at: source)
        }
        guard now?.identity == status.identity, now?.changed == status.changed else { throw Refusal(.changed) }
    }

    /// Requests the lease that is held while the name moves.
    package func takeLease() throws(Refusal) {
        guard isLeased, let file else { return }
        switch (ReadLease.take(file.descriptor), request.acceptance) {
        case (.held, _): return
        case (.writer, _): throw Refusal(.writer)
        case (.unavailable, .lease): throw Refusal(.unprovable)
        case (.unavailable, .quietTime): throw Refusal(.changed)
        }
    }

    /// Closes the file, which releases its lease where nobody else has the file open in this process.
    mutating func closeFile() { file = nil }

    /// Releases the lease before its descriptor closes.
    package func releaseLease() {
        guard let file else { return }
        do throws(SyscallError) { try ReadLease.release(file.descriptor) } catch {
            // There is none any more, or closing the descriptor releases it as well.
        }
    }
}

extension PreparedDocument {
    /// What is written down before its name moves; its record will be in the history after the mark.
    package func intent(since mark: HistoryMark) -> Intent {
        Intent(
            id: id, source: source, status: status, destination: reached.path, name: wanted,
            filesystem: reached.filesystem, since: mark, documentType: documentType)
    }
}
