import InboxConfiguration
import InboxDetection
import InboxLinux
import InboxProperties

/// Puts a filed document back into its Inbox under its old name, on a worker: a ``FilingRun`` with its ends exchanged.
///
/// The document is claimed on one filesystem too. A kill between any two steps leaves it complete at one of the two places,
/// or in a staging folder from which recovery returns it to where it was filed. A document with files that belong to it
/// moves by renames, where these lead back.
package struct UndoJob: Sendable {
    /// Where things are written down.
    package struct Log: Sendable {
        /// Appends lines to the history, and makes sure that they are on the disk.
        package typealias Append = @Sendable ([UInt8]) throws(SyscallError) -> Void
        /// Writes down that a document is held, and makes sure that this is on the disk.
        package typealias Hold = @Sendable (UndoneDocument) throws(SyscallError) -> Void

        let filing: any HistoryLog
        let append: Append
        let hold: Hold

        package init(filing: any HistoryLog, append: @escaping Append, hold: @escaping Hold) {
            self.filing = filing
            self.append = append
            self.hold = hold
        }
    }

    /// Which folders the document goes from and to.
    package struct Places: Sendable {
        /// Documents.
        let documents: DestinationRoot
        /// The root that the document was filed into.
        let root: BytePath
        /// The Inbox that the document returns to.
        let inbox: BytePath
        let settings: InboxSettings

        package init(documents: DestinationRoot, root: BytePath, inbox: BytePath, settings: InboxSettings) {
            self.documents = documents
            self.root = root
            self.inbox = inbox
            var settings = settings
            // A person waits for it, and its sync is not shared with anybody.
            settings.durability = .full
            self.settings = settings
        }
    }

    /// A document that was put back and is recorded.
    package struct Done: Sendable {
        /// Its record.
        package let record: UndoneRecord
        /// The document that is held.
        package let document: UndoneDocument

        /// A document that has its old name again.
        /// - Parameters:
        ///   - id: the id of its filed record.
        ///   - destination: where it was filed.
        ///   - claimed: the record of the claim that has put it back.
        ///   - user: who has asked for it; nil where nobody knows.
        package init(
            of id: RecordID, at destination: BytePath, _ claimed: FiledRecord, _ name: FileName, in folder: OpenFolder,
            for user: UInt32?
        ) throws(SyscallError) {
            do throws(SyscallError) {
                document = try UndoneDocument(
                    undo: claimed.id, name, in: folder, at: claimed.destination, for: user)
            } catch {
                // Somebody has moved it since, or a folder in it cannot be read: it was put back all the same.
                guard !error.errno.isWantOfResources, let identity = claimed.identity else { throw error }
                document = UndoneDocument(
                    undo: claimed.id, path: claimed.destination, identity: identity,
                    hasLastingInode: try Filesystem(of: folder.directory.descriptor).hasLastingInodes, user: user ?? 0)
            }
            record = UndoneRecord(
                id: id, undo: claimed.id, time: claimed.time, source: claimed.destination, destination: destination,
                type: claimed.type, mime: claimed.mime, size: claimed.size)
        }
    }

    /// The outcome of an undo.
    package enum Outcome: Sendable {
        /// It is back and recorded.
        case done(Done)
        /// It is back; recovery records it as soon as the state folder can be written.
        case unrecorded
        /// It is where it was.
        case refused(UndoRefusal)
    }

    /// The report of a job.
    package struct Report: Sendable {
        /// The order.
        package let order: UndoOrder
        /// The outcome of the order.
        package let outcome: Outcome
        /// The rest of what the claim reports.
        package let claim: FilingReport

        package init(order: UndoOrder, outcome: Outcome, claim: FilingReport = FilingReport()) {
            self.order = order
            self.outcome = outcome
            self.claim = claim
        }
    }

    /// The order.
    package let order: UndoOrder
    private let places: Places
    private let filing: FilingMeans
    private let means: FilingRun.Means
    private let log: Log

    package init(_ order: UndoOrder, _ places: Places, filing: FilingMeans, means: FilingRun.Means, log: Log) {
        self.order = order
        self.places = places
        self.filing = filing
        self.means = means
        self.log = log
    }

    /// Does the job.
    package func perform() -> Report {
        var claim = FilingReport()
        do throws(UndoRefusal) {
            let outcome = try putBack(&claim)
            return Report(order: order, outcome: outcome, claim: claim)
        } catch {
            return Report(order: order, outcome: .refused(error), claim: claim)
        }
    }

    private func putBack(_ report: inout FilingReport) throws(UndoRefusal) -> Outcome {
        if means.abandonment.isRequested { throw .failed("the daemon is ending") }
        let found = try find()
        guard let name = FileName(order.source.lastComponent) else { throw .elsewhere(order.source) }
        let (way, target) = try reach(&report)
        do throws(UndoRefusal) {
            if try call(order.source, { () throws(SyscallError) in try way.last.directory.has(name) }) {
                throw .taken(order.source)
            }
            if let path = target.restrictions.denying(owner: found.opened.status.owner) {
                throw .failed("\(path) is a private folder of somebody else: rename it, then try again")
            }
            if let outcome = try run(prepare(found, target, as: name), isClaimed: false, &report) { return outcome }
            // Each of the two ways to a name may turn out to be missing. What was claimed and put back has another change
            // time: it is prepared anew.
            for _ in 0..<3 {
                let again = try prepare(find(), target, as: name)
                if let outcome = try run(again, isClaimed: true, &report) { return outcome }
            }
            throw .failed("\(order.destination) cannot be moved")
        } catch {
            way.takeBack()
            throw error
        }
    }

    /// A document at its destination, with the files that go with it.
    private struct Found {
        let request: FilingRequest
        let opened: OpenedSource
        let detection: Detection
    }

    /// The document at its destination, as long as it is what was filed.
    private func find() throws(UndoRefusal) -> Found {
        let names = order.destination.names.dropFirst(places.root.names.count)
        guard let name = names.last else { throw .elsewhere(order.destination) }
        let filed = try call(order.destination) { () throws(SyscallError) in
            try FiledFolder.open(names.dropLast(), beneath: places.root)
        }
        guard let (folder, isFollowed) = filed else { throw .gone(order.destination) }
        let found: OpenedSource?
        var request: FilingRequest
        var detection: Detection?
        let isUnchanged: Bool
        do throws(SyscallError) {
            let location = FilingRequest.FolderLocation(
                names: isFollowed ? [] : Array(names.dropLast()), key: try folder.directory.status().identity.file)
            let around = isFollowed ? order.destination.parent ?? places.root : places.root
            request = self.request(around, location, name, try folder.directory.status(of: name))
            found = try OpenedSource(request, in: folder)
            isUnchanged =
                try found.map { (found) throws(SyscallError) in
                    let type =
                        found.file.map { filing.detector.detect(name, delivered: $0.descriptor) }
                        ?? filing.detector.detect(unopened: name, found.status.kind)
                    detection = type
                    let members = try members(in: folder.directory, isDatabase: type.isDatabase)
                    request = self.request(around, location, name, found.status, members)
                    return try order.isUnchanged(found.status, in: folder.directory)
                } ?? false
        } catch {
            if error.errno.isAbsent { throw .gone(order.destination) }
            throw .failed("\(order.destination): \(error.errno)")
        }
        guard let opened = found, let detection, isUnchanged else { throw .changed(order.destination) }
        return Found(request: request, opened: opened, detection: detection)
    }

    /// The files beside it that go with it. What its owner has taken away since does not keep the rest there.
    private func members(
        in folder: borrowing Directory, isDatabase: Bool
    ) throws(SyscallError) -> [UnitMember] {
        var found: [UnitMember] = []
        for name in isDatabase ? order.mayFollow : order.members {
            do throws(SyscallError) {
                let status = try folder.status(of: name)
                if status.kind == .regular { found.append(UnitMember(name: name, identity: status.identity)) }
            } catch  where error.errno.isAbsent {
                continue
            }
        }
        return found
    }

    private func request(
        _ root: BytePath, _ location: FilingRequest.FolderLocation, _ name: FileName, _ status: FileStatus,
        _ members: [UnitMember] = []
    ) -> FilingRequest {
        FilingRequest(
            id: ArrivalID(number: 0), inbox: root, settings: places.settings, folder: location, name: name,
            status: status, isPackage: status.kind == .directory, acceptance: .lease, writerSeen: nil,
            members: members)
    }

    /// The folder in the Inbox that the document goes back to; folders that are missing are created.
    private func reach(
        _ report: inout FilingReport
    ) throws(UndoRefusal) -> (way: InboxWay, target: ReachedFolder) {
        let inbox: OpenFolder
        do throws(SafePathError) { inbox = OpenFolder(try SafePath.open(places.inbox)) } catch {
            throw .failed("\(error)")
        }
        let path = order.source.parent ?? places.inbox
        let names = Array(path.names.dropFirst(places.inbox.names.count))
        let way: InboxWay
        do throws(FolderMakingError) {
            way = try InboxWay(names, in: inbox, at: places.inbox, filing.making)
        } catch {
            switch error {
            case .folder(let error): throw .failed("\(path): \(error.errno)")
            case .journal(let error):
                report.stateFailure = FilingReport.StateFailure(file: "the journal", error: error)
                throw .failed("cannot write the journal: \(error.errno)")
            }
        }
        return try call(path) { () throws(SyscallError) in
            let folder = way.last
            let status = try folder.directory.status()
            var restrictions = FolderRestrictions(ofDestination: try inbox.directory.status())
            var place = places.inbox
            for (name, folder) in zip(names, way.folders.dropFirst()) {
                place = place.appending(name)
                let status = try folder.directory.status()
                restrictions = restrictions.entering(place, status) { folder.directory.accessList }
            }
            let target = ReachedFolder(
                folder: folder, path: path, mount: status.mount,
                filesystem: try folder.directory.filesystemMark(),
                restrictions: restrictions, way: way.folders)
            return (way, target)
        }
    }

    private func prepare(
        _ found: Found, _ target: ReachedFolder, as name: FileName
    ) throws(UndoRefusal) -> PreparedDocument {
        let (request, opened) = (found.request, found.opened)
        let answer = opened.requestLease(mayBeRemote: true)
        if let file = opened.file {
            ReadLease.releaseAny(file.descriptor)
        } else if opened.status.kind == .regular {
            throw .failed("\(order.destination) may not be read by the daemon")
        }
        if answer == .writer { throw .written(order.destination) }
        let isLeased = answer == .held
        return PreparedDocument(
            PreparedDocument.Facts(
                request: request, source: order.destination, package: opened.package,
                innerObstacle: opened.innerObstacle, status: opened.status, detection: found.detection,
                documentType: nil, reached: target, wanted: name,
                id: filing.identifiers.next(at: .now()), proof: isLeased ? .lease : .none, isLeased: isLeased,
                attributes: DocumentAttributes(), properties: DocumentProperties(), marker: nil, sum: nil),
            file: opened.file)
    }

    /// Renames a document with others, or claims and moves or copies; nil where the filesystem turned out to need another way.
    /// - Parameter isClaimed: whether no rename leads back.
    private func run(
        _ prepared: PreparedDocument, isClaimed: Bool, _ report: inout FilingReport
    ) throws(UndoRefusal) -> Outcome? {
        let members = prepared.request.members
        if !members.isEmpty { try showFree(prepared) }
        let document: RunDocument
        do throws(Refusal) {
            let sources = SourceFolders()
            if members.isEmpty || isClaimed {
                document = try RunDocument(
                    claiming: prepared, from: sources, documents: places.documents,
                    progress: CopyProgress(total: prepared.status.size), undoes: order.id)
                try document.addMembers(from: sources, documents: places.documents) {
                    filing.identifiers.next(at: .now())
                }
            } else {
                document = RunDocument(
                    renaming: prepared, from: try sources.folder(of: prepared.request), undoes: order.id)
            }
        } catch {
            throw refusal(error.outcome)
        }
        let undoLog = UndoLog(order, in: document.target, log)
        var means = means
        means.log = undoLog
        let run = FilingRun([document], means, numbers: filing.numbers)
        run.perform()
        report = run.report
        switch run.results.first {
        case .filed, .returned, .unrecorded, .discarded:
            if let failure = report.unsynced {
                report.notices.append(
                    "the return of \(order.destination) may not be on the disk, which only a restart of the machine shows: "
                        + "\(failure)")
            }
            return undoLog.done.map { .done($0) } ?? .unrecorded
        case .refused(.across), nil: return nil
        case .refused(let outcome): throw refusal(outcome)
        case .left: throw .unfinished(.undo)
        }
    }

    /// Shows that the names of the files that go with a document are free.
    private func showFree(_ document: PreparedDocument) throws(UndoRefusal) {
        let folder = document.reached.folder
        for member in document.request.members {
            let name = MemberName.renamed(member.name, of: document.request.name, as: document.wanted)
            guard let name else { throw .failed("the name of \(member.name) would be too long in the Inbox") }
            let isTaken = try call(order.source) { () throws(SyscallError) in try folder.directory.has(name) }
            if isTaken { throw .taken(document.reached.path.appending(name)) }
        }
    }

    private func refusal(_ outcome: FilingOutcome) -> UndoRefusal {
        switch outcome {
        case .changed: means.abandonment.isRequested ? .failed("the daemon is ending") : .changed(order.destination)
        case .writer: .written(order.destination)
        case .hold(.name, _): .taken(order.source)
        case .obstructed(let obstruction): .failed("\(obstruction)")
        case .hold(_, let words?), .retry(let words), .postponed(let words): .failed(words)
        default: .failed("\(order.destination) cannot be moved")
        }
    }

    private func call<Value>(
        _ path: BytePath, _ body: () throws(SyscallError) -> Value
    ) throws(UndoRefusal) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .failed("\(path): \(error.errno)") }
    }
}
