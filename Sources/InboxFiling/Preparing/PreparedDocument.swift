import InboxDetection
import InboxLinux
import InboxProperties

/// A document that is complete, typed and routed, and not yet moved.
package struct PreparedDocument: Sendable {
    /// The facts found out about the document.
    struct Facts: Sendable {
        let request: FilingRequest
        /// Its path in the Inbox.
        let source: BytePath
        let package: OpenFolder?
        let innerObstacle: String?
        let status: FileStatus
        let detection: Detection
        let documentType: String?
        let reached: ReachedFolder
        let wanted: FileName
        let id: RecordID
        let proof: FiledRecord.Proof
        let isLeased: Bool
        let attributes: DocumentAttributes
        let properties: DocumentProperties
        let marker: UnitMember?
        let sum: [UInt8]?
        /// The rules by which it was prepared; nil for one that is put back.
        var validity: RulesValidity?
        /// The facts that its checks reported.
        var facts: [String: String] = [:]
        /// The reason why one of them has rejected it; nil where none has.
        var rejection: String?
    }

    /// The batch, its journal and its report have one set of facts in common: a copy of all its members, each of which is
    /// counted, costs more than the move.
    private final class Shared: Sendable {
        let facts: Facts

        init(_ facts: Facts) {
            self.facts = facts
        }
    }

    private let shared: Shared
    /// The open file; nil where it may not be read, and once its name has moved.
    package private(set) var file: OpenFile?

    init(_ facts: Facts, file: OpenFile?) {
        shared = Shared(facts)
        self.file = file
    }

    /// The request that was prepared.
    package var request: FilingRequest { shared.facts.request }

    /// Which arrival it is.
    package var arrival: ArrivalID { shared.facts.request.id }

    /// Its path in the Inbox.
    package var source: BytePath { shared.facts.source }

    /// The open folder of a document that is one; nil for a file.
    package var package: OpenFolder? { shared.facts.package }

    /// The reason why something in that folder cannot be removed; nil if nothing prevents it.
    var innerObstacle: String? { shared.facts.innerObstacle }

    /// The status of the document when it was prepared: what is moved must still have it.
    package var status: FileStatus { shared.facts.status }

    /// The detected type of the document.
    package var detection: Detection { shared.facts.detection }

    /// The name of the document type that has won; nil where none accepts it.
    package var documentType: String? { shared.facts.documentType }

    /// The folder that it goes to.
    package var reached: ReachedFolder { shared.facts.reached }

    /// The name that it gets if it is free.
    package var wanted: FileName { shared.facts.wanted }

    /// The id of its record.
    package var id: RecordID { shared.facts.id }

    /// The proof that nobody was writing.
    package var proof: FiledRecord.Proof { shared.facts.proof }

    /// A lease is available while the name moves.
    package var isLeased: Bool { shared.facts.isLeased }

    /// Its annotations, by key.
    package var annotations: [String: String] { shared.facts.attributes.annotations }

    /// Other checks are in force than those by which it was prepared, so that it must not get its name.
    var isOutdated: Bool { shared.facts.validity?.isOver ?? false }

    /// The document's own properties, and its origin.
    var told: ToldFacts {
        let facts = shared.facts
        var told = ToldFacts(
            name: facts.wanted == facts.request.name ? nil : facts.wanted, properties: facts.properties,
            origin: facts.attributes.origin, application: facts.attributes.application)
        told.sum = facts.sum
        return told
    }

    /// The destination is certainly on another mount, to which no rename leads.
    ///
    /// If that is not certain, the rename shows it: subvolumes and overlays return EXDEV inside one mount.
    private var isAcross: Bool { status.mount != 0 && reached.mount != 0 && status.mount != reached.mount }

    /// The facts on which the document's way depends, before it is claimed.
    var facts: FilingWay.Facts {
        FilingWay.Facts(
            kind: status.kind, isReadable: file != nil, isOnOneMount: !isAcross, isClaimed: request.isShared)
    }

    /// Another job may file it as it was prepared: one that skips identical documents has to know all that are under way.
    var isLasting: Bool { !request.isCompared }

    /// Returns whether it was prepared for what a request says now.
    func isFor(_ now: FilingRequest) -> Bool {
        request.inbox == now.inbox && request.folder == now.folder && request.name == now.name
            && request.verdicts === now.verdicts && request.acceptance == now.acceptance
            && request.marker == now.marker && request.writerSeen == now.writerSeen
            && status.identity == now.status.identity && status.changed == now.status.changed
    }

    /// Returns the record of the document under this name.
    /// - Parameter identity: its identity at its destination, if it is another file there.
    package func record(
        at time: Timestamp, as name: FileName, number: Int, _ identity: FileIdentity?
    ) -> FiledRecord {
        FiledRecord(
            id: id, time: time, source: source, destination: reached.path.appending(name),
            type: detection.type.identifier, mime: detection.mime, size: status.size, documentType: documentType,
            evidence: detection.evidence.rawValue, renamed: number > 0, proof: proof, owner: status.owner,
            identity: identity, annotations: annotations, facts: shared.facts.facts,
            rejection: shared.facts.rejection, incomplete: detection.incomplete,
            members: request.members.compactMap { MemberName.renamed($0.name, of: request.name, as: name) }, told: told)
    }
}

extension PreparedDocument {
    /// Opens a file that goes with it, which is what the intake has seen, and its checks have accepted.
    func open(_ member: UnitMember, in folder: OpenFolder) throws(Refusal) -> (file: OpenFile, status: FileStatus) {
        let file: OpenFile
        let status: FileStatus
        do throws(SyscallError) {
            file = OpenFile(try folder.directory.file(member.name, mayCross: false))
            status = try file.descriptor.status()
        } catch {
            throw Refusal(error, at: request.folderPath.appending(member.name))
        }
        // What a check has accepted is not even touched since.
        let accepted = request.verdicts?.members[member.name]
        guard status.identity == member.identity, accepted.map({ $0 == CheckVerdicts.State(status) }) ?? true else {
            throw Refusal(.changed)
        }
        return (file, status)
    }

    /// Prepares a file that goes with it, to the same folder and under the same number.
    func preparing(_ member: UnitMember, in folder: OpenFolder, as id: RecordID) throws(Refusal) -> PreparedDocument {
        let (file, status) = try open(member, in: folder)
        guard let wanted = MemberName.renamed(member.name, of: request.name, as: wanted) else {
            throw Refusal(.hold(.name, "the name of \(member.name) would be too long beside \(self.wanted)"))
        }
        let request = FilingRequest(
            id: request.id, in: request.origin, name: member.name, status: status, isPackage: false,
            acceptance: request.acceptance, writerSeen: nil)
        let facts = shared.facts
        return PreparedDocument(
            Facts(
                request: request, source: request.path, package: nil, innerObstacle: nil, status: status,
                detection: detection, documentType: documentType, reached: reached, wanted: wanted, id: id,
                proof: proof, isLeased: isLeased, attributes: facts.attributes, properties: facts.properties,
                marker: nil, sum: nil, validity: facts.validity),
            file: file)
    }

    /// Shows that what has its name is still what was prepared. A package, which has no lease, is proved with all that is in
    /// it: somebody may have opened a file of it since, which changes nothing that a status shows.
    func showUnchanged(in folder: OpenFolder, _ abandonment: Abandonment) throws(Refusal) {
        var proof: PackageProof?
        let now: FileStatus?
        do throws(SyscallError) {
            if isLeased, status.kind == .directory {
                proof = try PackageProof(of: request.name, in: folder, abandonment)
                now = proof?.status
            } else {
                now = try OpenedSource.status(
                    of: request.name, status.kind, in: folder, isLocal: !request.isShared, abandonment)
            }
        } catch {
            throw Refusal(error, at: source)
        }
        if let proof { try accept(proof.answer) }
        guard now?.identity == status.identity, now?.changed == status.changed else { throw Refusal(.changed) }
    }

    /// The file as it was prepared, to show after a rename that it is still the same.
    var known: KnownFile { KnownFile(status: status, file: file, folder: package) }

    /// Requests the lease that is held while the name moves.
    package func takeLease() throws(Refusal) {
        guard isLeased, let file else { return }
        try accept(ReadLease.take(file.descriptor))
    }

    private func accept(_ answer: ReadLease.Answer) throws(Refusal) {
        switch (answer, request.acceptance) {
        case (.held, _): return
        case (.writer, _): throw Refusal(.writer)
        case (.unavailable, .lease): throw Refusal(.unprovable)
        case (.unavailable, .quietTime): throw Refusal(.changed)
        }
    }

    /// Closes the file, which releases its lease where nobody else has the file open in this process.
    mutating func closeFile() { file = nil }

    /// The same with its file, which was closed, open again: no lease can be taken without it.
    func reopened(in folder: OpenFolder) throws(Refusal) -> PreparedDocument {
        var document = self
        let now: FileStatus
        do throws(SyscallError) {
            let opened = OpenFile(try folder.directory.file(request.name, mayCross: false))
            now = try opened.descriptor.status()
            document.file = opened
        } catch {
            throw Refusal(error, at: source)
        }
        guard now.identity == status.identity else { throw Refusal(.changed) }
        return document
    }

    /// Releases the lease before its descriptor closes.
    package func releaseLease() {
        if let file { ReadLease.releaseAny(file.descriptor) }
    }
}

extension PreparedDocument {
    /// Returns what is written down before anything happens to it; its record will be in the history after the mark.
    /// - Parameters:
    ///   - claim: the claim that comes first; nil where one rename is enough.
    ///   - name: the name that it has at its destination, if that is known.
    package func entry(
        since mark: HistoryMark, claim: JournalEntry.ClaimPlaces? = nil, as name: FileName? = nil
    ) -> JournalEntry {
        let marker = shared.facts.marker
        return JournalEntry(
            id: id, source: source, status: status, destination: reached.path, name: name ?? wanted,
            filesystem: reached.filesystem, since: mark, documentType: documentType, claim: claim,
            members: request.members, marker: marker,
            arrival: marker == nil ? nil : arrival.number, rejection: shared.facts.rejection,
            facts: shared.facts.facts)
    }
}
