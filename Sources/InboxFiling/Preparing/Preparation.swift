import InboxDetection
import InboxLinux
import InboxProperties

/// Prepares documents: opens each, shows that it is complete, identifies it, and reaches its destination.
///
/// One value serves one batch or copy: its folders are open until it ends.
package struct Preparation {
    let means: FilingMeans
    let moment: Moment
    private let isLocal: Bool
    /// Nobody waits for what is compared, wherever that lies.
    let mayWait: Bool
    /// The folders that documents come from.
    package let sources: SourceFolders
    /// The folders that documents go to.
    package let destinations: DestinationFolders

    /// The documents that an identical one at their destination makes superfluous.
    package let identical: IdenticalDocuments

    /// A preparation at this moment.
    /// - Parameters:
    ///   - root: the folder that destinations lie beneath.
    ///   - inboxFolders: the folders of the Inboxes, which are no destination.
    ///   - comparing: how long documents are compared with those at their destinations.
    ///   - isLocal: whether what goes to a mount of a server or a program is left to those who copy.
    package init(
        _ means: FilingMeans, to root: DestinationRoot, inboxFolders: Set<FileKey>, comparing: ComparingTime,
        isLocal: Bool = false, at moment: Moment
    ) {
        self.means = means
        self.moment = moment
        sources = SourceFolders()
        identical = IdenticalDocuments(means.underWay, in: comparing, means.abandonment)
        destinations = DestinationFolders(root, making: means.making, inboxFolders: inboxFolders)
        self.isLocal = isLocal
        mayWait = comparing.isUnlimited || !isLocal
    }

    /// The number of open folders.
    var openCount: Int { sources.count + destinations.count }

    /// Prepares a document.
    /// - Parameter mayDefer: whether the lease may be left to whoever moves the name. What the document seems to be is
    ///   then no more than a guess until that lease shows that nobody was writing, and the status under it that nothing
    ///   has changed.
    /// - Throws: why it is not filed now.
    package func prepare(_ request: FilingRequest, mayDefer: Bool = false) throws(Refusal) -> PreparedDocument {
        let opened = try open(request)
        var marker: Marker?
        if let name = request.marker {
            marker = try Marker(name, of: request, opened.status, in: try sources.folder(of: request))
        }
        if mayDefer, Self.mayDefer(request, opened) {
            do throws(Refusal) {
                return try document(request, opened, nil, proof: .lease, isLeased: true, mayMake: false)
            } catch {
                // Of what somebody is still writing, nothing is refused and no folder created: it is proved first.
            }
        }
        let (proof, isLeased) = try prove(request, opened)
        // Released when the content has been read, which may include a comparison with what is at the destination.
        defer { release(opened.file) }
        guard let marker else {
            return try document(request, opened, nil, proof: proof, isLeased: isLeased, mayMake: true)
        }
        let comparison = { [means] (file) in Comparison(of: file, isLeased: isLeased, until: .never, means.abandonment)
        }
        try marker.compare(with: opened.file, comparison, at: request.path)
        return try document(request, opened, marker, proof: .marker, isLeased: isLeased, mayMake: true)
    }

    /// Returns whether only the name of a document is touched before its lease is needed: the document is a file
    /// without a marker, at which no writer was found and which is not compared with others.
    private static func mayDefer(_ request: FilingRequest, _ opened: OpenedSource) -> Bool {
        guard case .lease = request.acceptance else { return false }
        return opened.file != nil && request.writerSeen == nil && request.marker == nil
            && !request.isCompared
    }

    private func open(_ request: FilingRequest) throws(Refusal) -> OpenedSource {
        let folder = try sources.folder(of: request)
        let opened: OpenedSource?
        do throws(SyscallError) { opened = try OpenedSource(request, in: folder, means.abandonment) } catch {
            guard error.errno == .crossDevice else { throw Refusal(error, at: request.path) }
            let words = "something is mounted on it, and would not move with it: unmount that, then inboxctl retry"
            throw Refusal(.hold(.permission, words))
        }
        guard let opened, opened.status.identity == request.status.identity,
            opened.status.changed == request.status.changed
        else { throw Refusal(.changed) }
        return opened
    }

    /// - Parameter mayMake: whether a missing folder on the way to the destination is created.
    private func document(
        _ request: FilingRequest, _ opened: OpenedSource, _ marker: Marker?, proof: FiledRecord.Proof, isLeased: Bool,
        mayMake: Bool
    ) throws(Refusal) -> PreparedDocument {
        let detection = detect(request, opened.file)
        if let missing = detection.incomplete, !request.mayBeIncomplete, !isDelivered(opened.file) {
            throw Refusal(.incomplete(missing))
        }
        if !request.mayBeHollow, let missing = try missing(opened, detection) {
            throw Refusal(.hollow(missing: missing))
        }
        let isDatabase = detection.isDatabase
        if isDatabase, request.members.isEmpty, mayHaveLog(request, opened.status) {
            throw Refusal(.unsettled(until: moment.now + request.settings.settle))
        }
        // Its folder may not have been read so far, or the log has come since.
        if isDatabase, try hasOtherLog(request) {
            throw Refusal(.unsettled(until: moment.now + max(request.settings.settle, .seconds(1))))
        }
        let attributes = try attributes(request, opened)
        let routed = try destination(of: request, detection, opened.status, attributes, opened.file)
        let destination = routed.destination
        let isCompared = request.settings.onConflict == .skipIdentical && routed.rejection == nil
        let id = routed.id ?? means.identifiers.next(at: moment.wall)
        func prepared(_ reached: ReachedFolder, as wanted: FileName) -> PreparedDocument {
            PreparedDocument(
                PreparedDocument.Facts(
                    request: request, source: request.path, package: opened.package,
                    innerObstacle: opened.innerObstacle, status: opened.status, detection: detection,
                    documentType: destination.documentType, reached: reached, wanted: wanted, id: id, proof: proof,
                    isLeased: isLeased, attributes: attributes, properties: destination.properties,
                    marker: marker?.file, sum: sum, validity: means.routing.validity, facts: routed.facts,
                    rejection: routed.rejection),
                file: opened.file)
        }
        var sum: [UInt8]?
        if destination.isHandled { sum = try self.sum(request, opened, isLeased: isLeased) }
        if routed.rejection == nil,
            let earlier = try filedBefore(request, id, opened, destination, sum, isLeased: isLeased)
        {
            let path = earlier.reached.path.appending(earlier.name)
            guard request.settings.onDuplicate != .hold else {
                throw Refusal(filedBeforeAs: path)
            }
            identical.discard(
                IdenticalDocument(
                    prepared(earlier.reached, as: earlier.name), earlier.name, earlier.status, earlier.members))
            throw Refusal(.identical)
        }
        // Whoever copies compares nothing.
        destinations.isLocal = isLocal && !isCompared
        let reached = try reach(destination, for: request, opened, mayMake: mayMake)
        if let path = reached.restrictions.denying(owner: opened.status.owner) { throw Refusal(privateFolder: path) }
        let document = prepared(reached, as: destination.name)
        if isCompared, try isDuplicate(document) { throw Refusal(.identical) }
        return document
    }

    /// Reaches a destination. No folder is created for a document that cannot leave its own.
    private func reach(
        _ destination: Destination, for request: FilingRequest, _ opened: OpenedSource, mayMake: Bool
    ) throws(Refusal) -> ReachedFolder {
        let reach = { [destinations] (mayMake, modes) throws(DestinationError) in
            try destinations.reach(
                destination.folders, from: destination.root, mayMake: mayMake, for: opened.status.owner, allowing: modes
            )
        }
        do throws(DestinationError) { return try reach(false, [:]) } catch {
            guard mayMake, case .missing(_, let mount) = error else { throw Self.refusal(error) }
            try opened.showRemovable(request, from: try sources.folder(of: request), to: mount)
        }
        let modes: [Int: UInt32]
        do throws(SyscallError) { modes = try sources.modes(of: request, in: destination.folders) } catch {
            throw Refusal(error, at: request.folderPath)
        }
        do throws(DestinationError) { return try reach(true, modes) } catch { throw Self.refusal(error) }
    }

    /// Where a document goes, and what its checks have said.
    private struct RoutedPlace {
        let destination: Destination
        var facts: [String: String] = [:]
        /// The reason why a check has rejected it; nil where none has.
        var rejection: String?
        /// The id that its checks know.
        var id: RecordID?
    }

    /// Finds where a document goes. This is the one way to a destination: no document passes here without the verdict of
    /// each check in force for exactly what it is now.
    private func destination(
        of request: FilingRequest, _ detection: Detection, _ status: FileStatus, _ attributes: DocumentAttributes,
        _ file: OpenFile?
    ) throws(Refusal) -> RoutedPlace {
        if let link = request.link { return RoutedPlace(destination: try place(of: link, request, status)) }
        let now = moment.wall
        var routed = RoutedDocument(
            detection: detection, name: request.name, in: request.inbox, folder: request.folder?.names ?? [],
            size: status.size, modified: status.identity.modified, arrival: min(request.arrived ?? status.changed, now),
            attributes: attributes)
        var verdicts: CheckVerdicts?
        if means.routing.hasChecks, status.kind == .regular || status.kind == .directory {
            verdicts = try self.verdicts(of: request, status)
            if let check = means.routing.check(of: request.inbox) {
                switch verdicts?.ruling(by: check) {
                case nil: throw Refusal(.unchecked(check))
                case .accepted(let facts): routed.facts = facts
                case .rejected(let words): return try place(of: request, rejectedBy: check, words, verdicts)
                }
            }
            routed.allFacts = routed.facts
            let winner = means.routing.choice.hasChecks ? means.routing.choice.winner(for: routed) : nil
            if let check = winner?.check {
                switch verdicts?.ruling(by: check) {
                case nil: throw Refusal(.unchecked(check))
                case .accepted(let facts): routed.allFacts.merge(facts) { $1 }
                case .rejected(let words): return try place(of: request, rejectedBy: check, words, verdicts)
                }
            }
        }
        let facts = routed.allFacts
        let destination = try Routing.destination(of: routed, request.settings, means.routing, now: now) { wanted in
            guard let file, status.kind == .regular else { return DocumentProperties() }
            return DocumentProperties.read(
                file.descriptor, size: Int64(clamping: status.size), type: detection.type, name: request.name,
                wanted: wanted, now: now)
        }
        return RoutedPlace(destination: destination, facts: facts, id: verdicts?.id)
    }

    /// The verdicts on a document, where that and all that goes with it is still what the checks have seen.
    private func verdicts(of request: FilingRequest, _ status: FileStatus) throws(Refusal) -> CheckVerdicts? {
        guard let verdicts = request.verdicts, verdicts.isAbout(CheckVerdicts.State(status)) else { return nil }
        if request.members.isEmpty { return verdicts }
        let folder = try sources.folder(of: request)
        for member in request.members {
            let now = try Refusal.at(
                request.folderPath.appending(member.name), folder.directory.status(of: member.name))
            guard verdicts.members[member.name] == CheckVerdicts.State(now) else { return nil }
        }
        return verdicts
    }

    /// Where a document goes that a check has rejected.
    private func place(
        of request: FilingRequest, rejectedBy check: CheckInForce, _ words: String, _ verdicts: CheckVerdicts?
    ) throws(Refusal) -> RoutedPlace {
        guard let folder = means.routing.rejected[request.inbox] else { throw Refusal(.hold(.rejected, words)) }
        let folders = folder.names
        if folder.leadsIntoInbox(folders) {
            throw Refusal(.hold(.loops, "the folder for rejected documents is an Inbox: change Rejected="))
        }
        let documentType = check.documentType.isEmpty ? nil : check.documentType
        return RoutedPlace(
            destination: Destination(
                root: folder.root, folders: folders, name: request.name, documentType: documentType),
            facts: verdicts?.facts ?? [:], rejection: words, id: verdicts?.id)
    }

    /// Where a link goes that stays inside its tree: where its target has gone, or is made later.
    private func place(
        of link: TreeLink, _ request: FilingRequest, _ status: FileStatus
    ) throws(Refusal) -> Destination {
        guard let last = link.target.last, let folder = request.folder else { throw Refusal(.changed) }
        // The place where a folder is made that is not there yet: see ``FolderMirroring``.
        var later: (place: Destination, hasParent: Bool)?
        for path in link.places {
            guard let (root, names) = destinations.place(of: path) else { continue }
            let place = Destination(root: root, folders: names + folder.names, name: request.name)
            do throws(DestinationError) {
                let reached = try destinations.reach(
                    names + link.target.dropLast(), from: root, mayMake: false, for: status.owner)
                if Self.has(last, in: reached.folder) { return place }
                if later?.hasParent != true { later = (place, true) }
            } catch {
                guard case .missing = error else { throw Self.refusal(error) }
                later = later ?? (place, false)
            }
        }
        if link.mayPrecede, let later { return later.place }
        throw Refusal(
            .hold(
                .symlink,
                "it is a symbolic link to \(link.target.reduce(request.inbox) { $0.appending($1) }), which is at none of the places "
                    + "that its tree has gone to: move it yourself, or remove it"))
    }

    /// Returns whether a name is in a folder, as far as that can be seen.
    private static func has(_ name: FileName, in folder: OpenFolder) -> Bool {
        do throws(SyscallError) {
            _ = try folder.directory.status(of: name)
            return true
        } catch {
            return false
        }
    }

    /// Returns whether a package certainly goes to another mount, which its name shows: the copy proves it, entry by
    /// entry.
    func isAcross(package request: FilingRequest) -> Bool {
        let status = request.status
        guard request.isPackage, status.mount != 0, !means.routing.choice.asksForAttributes else { return false }
        do throws(Refusal) {
            let destination = try destination(of: request, detect(request, nil), status, DocumentAttributes(), nil)
                .destination
            destinations.isLocal = isLocal
            do throws(DestinationError) {
                let reached = try destinations.reach(destination.folders, from: destination.root, mayMake: false)
                return reached.mount != 0 && reached.mount != status.mount
            } catch {
                if case .foreign = error { return true }
                return false
            }
        } catch {
            // The preparation says why.
            return false
        }
    }

    /// Returns whether an identical document is at the destination; that one is remembered for whoever discards this
    /// one.
    private func isDuplicate(_ document: PreparedDocument) throws(Refusal) -> Bool {
        let folder = try sources.folder(of: document.request)
        let answer: Bool?
        do throws(Comparison.Failure) { answer = try identical.contain(document, from: folder) } catch {
            switch error {
            case .failed(let error): throw Refusal(error, at: document.reached.path)
            case .ended(let outcome): throw Refusal(outcome)
            }
        }
        // The other one is filed soon, or copied.
        guard let answer else { throw Refusal(.unsettled(until: moment.now + .seconds(1))) }
        return answer
    }

    private static func refusal(_ error: DestinationError) -> Refusal {
        switch error {
        case .loops:
            return Refusal(.hold(.loops, "its destination is an Inbox: change Destination=, or rename its folder"))
        case .foreign: return Refusal(.across)
        case .strange(let path, let error): return Refusal(strangeMount: path, error)
        case .unreachable(.path(.failed(let path, let error))) where error.errno.isWantOfDescriptors:
            return Refusal(error, at: path)
        case .journal(let error), .unreachable(.journal(let error)): return Refusal(journal: error)
        case .unreachable(let error): return Refusal(.retry("\(error)"))
        case .missing(let path, _): return Refusal(.retry("\(path) does not exist"))
        case .denied(let path): return Refusal(privateFolder: path)
        case .noName(let path): return Refusal(.hold(.name, "no free name fits \(path)"))
        case .failed(let path, let error):
            // The document exists; its destination does not.
            if error.errno.isAbsent { return Refusal(.retry(error.words(at: path))) }
            return Refusal(error, at: path)
        }
    }

    /// Shows that nobody writes; returns the record's proof, and whether a lease is available.
    private func prove(
        _ request: FilingRequest, _ opened: OpenedSource
    ) throws(Refusal) -> (proof: FiledRecord.Proof, isLeased: Bool) {
        guard let answer = opened.requestLease(mayBeRemote: request.isShared) else { return (.none, false) }
        switch answer {
        case .writer: throw Refusal(.writer)
        case .unavailable:
            guard case .quietTime = request.acceptance else { throw Refusal(.unprovable) }
            return (.quietTime, false)
        case .held:
            if case .quietTime = request.acceptance { return (.quietTime, true) }
            let quiet = request.settings.settle
            if request.marker == nil, let seen = request.writerSeen, moment.now < seen + quiet {
                throw Refusal(.unsettled(until: seen + quiet))
            }
            return (.lease, true)
        }
    }

    private func attributes(_ request: FilingRequest, _ opened: OpenedSource) throws(Refusal) -> DocumentAttributes {
        do throws(SyscallError) { return try opened.attributes() } catch { throw Refusal(error, at: request.path) }
    }

    private func detect(_ request: FilingRequest, _ file: OpenFile?) -> Detection {
        guard let file else { return means.detector.detect(unopened: request.name, request.status.kind) }
        return means.detector.detect(request.name, delivered: file.descriptor)
    }

    /// Returns whether a log lies beside a database that does not go with it, and is not ignored.
    private func hasOtherLog(_ request: FilingRequest) throws(Refusal) -> Bool {
        let isInside = request.folder?.names.isEmpty == false
        let folder = try sources.folder(of: request)
        for log in MemberName.logs(of: request.name) where !request.members.contains(where: { $0.name == log }) {
            if means.routing.ignoring[request.inbox]?.ignores(log, isInside: isInside) == true { continue }
            if try Refusal.at(request.folderPath.appending(log), folder.directory.has(log)) { return true }
        }
        return false
    }

    /// Returns whether the log of a database that was renamed in may follow, since programs that move both do it one
    /// by one.
    private func mayHaveLog(_ request: FilingRequest, _ status: FileStatus) -> Bool {
        guard case .lease = request.acceptance, request.marker == nil, request.settings.settle > .zero else {
            return false
        }
        return status.changed.age(at: moment.wall).map { $0 < request.settings.settle } ?? false
    }

    /// Returns whether `put` has delivered it, which delivers a document whole.
    func isDelivered(_ file: OpenFile?) -> Bool {
        file.map { DeliveredType.isWritten(to: $0.descriptor) } ?? false
    }

    private func release(_ file: OpenFile?) {
        if let file { ReadLease.releaseAny(file.descriptor) }
    }
}
