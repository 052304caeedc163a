import InboxConfiguration
import InboxFiling
import InboxLinux

// What filing requests, and the outcomes that it returns.
extension Intake {
    /// Documents are waiting to be filed.
    package var hasReady: Bool { parts.book.readyCount > 0 }

    /// Hands them over, a part at a time.
    func takeEmptyFolders() -> [FolderMirroring.Order] {
        parts.emptied.takeOrders(most: 64).map { $0.adding(roots.documents) }
    }

    /// A try to create them has ended: these are there now.
    func noteMirrored(_ orders: [FolderMirroring.Order], _ made: [FileKey]) {
        parts.emptied.noteMirrored(orders, made) { parts.tree.folder($0) }
    }

    /// The number of documents that are waiting to be filed.
    var readyCount: Int { parts.book.readyCount }

    /// Returns true if large or small documents of users other than these are waiting to be copied.
    package func hasCopies(large isLarge: Bool, besides owners: Set<UInt32> = []) -> Bool {
        parts.book.hasCopies(large: isLarge, besides: owners)
    }

    /// Documents are waiting to be copied.
    package var hasCopies: Bool { hasCopies(large: false) || hasCopies(large: true) }

    /// Hands over arrivals for filing, at most so many; each is in flight until it is resolved.
    package func takeReady(most: Int, at moment: Moment) -> [FilingRequest] {
        var requests: [FilingRequest] = []
        requests.reserveCapacity(min(most, readyCount))
        // Nearly always the next document lies in the same folder.
        var last: (folder: Folder, origin: FilingRequest.Origin)?
        for _ in 0..<min(most, readyCount) {
            guard let arrival = parts.book.takeReady(), let facts = arrival.facts,
                !parts.course.delays(arrival, facts, at: moment)
            else { continue }
            let origin = last?.folder === arrival.folder ? last?.origin : nil
            let request = self.request(
                for: arrival, facts, in: origin ?? Self.origin(arrival.folder),
                members: parts.course.takeMembers(of: arrival.id), at: moment)
            last = (arrival.folder, request.origin)
            requests.append(request)
        }
        return requests
    }

    /// Hands over the next document that is to be copied, a large one or a small one, of other users than these; it is in
    /// flight until it is resolved.
    package func takeForCopy(
        large isLarge: Bool, besides owners: Set<UInt32> = [], at moment: Moment
    ) -> FilingRequest? {
        while let arrival = parts.book.takeForCopy(large: isLarge, besides: owners) {
            guard let facts = arrival.facts, !parts.course.delays(arrival, facts, at: moment) else { continue }
            return request(
                for: arrival, facts, in: Self.origin(arrival.folder),
                members: parts.course.takeMembers(of: arrival.id), at: moment)
        }
        return nil
    }

    /// Returns whether a file was made in the Inbox while it was watched, so that its writer may fill its holes yet.
    private func isBeingWritten(_ facts: ArrivalFacts) -> Bool {
        facts.isWrittenHere && facts.status.identity.file.birth.map { $0 >= began } ?? false
    }

    /// All that filing needs to know of an arrival.
    func request(
        for arrival: Arrival, _ facts: ArrivalFacts, in origin: FilingRequest.Origin, members: [UnitMember],
        at moment: Moment
    ) -> FilingRequest {
        let link = parts.course.link(arrival, facts, documents: roots.documents)
        let isStale = moment.now >= facts.quietSince + origin.settings.stallAfter
        return FilingRequest(
            id: arrival.id, in: origin, name: arrival.name, status: facts.status, isPackage: facts.package != nil,
            acceptance: facts.isUnprovable ? .quietTime : .lease, writerSeen: facts.sawWriter,
            mayBeIncomplete: facts.mayBeIncomplete || (isStale && origin.settings.onIncomplete == .file),
            mayBeHollow: facts.isMarked || !isBeingWritten(facts) || parts.course.isFinished(arrival, facts)
                || moment.now >= facts.quietSince + origin.settings.emptySettle,
            members: members, marker: facts.isMarked ? origin.settings.ready?.marker(of: arrival.name) : nil,
            mayBeDuplicate: facts.mayBeDuplicate, arrived: arrival.arrived(facts), verdicts: facts.checks?.verdicts,
            link: link)
    }

    /// All that filing needs to know of a folder.
    static func origin(_ folder: Folder) -> FilingRequest.Origin {
        FilingRequest.Origin(
            inbox: folder.inbox.path, settings: folder.inbox.settings,
            folder: folder.isAround ? nil : FilingRequest.FolderLocation(names: folder.path, key: folder.key),
            isShared: folder.isForeign)
    }

    /// Its copy has begun; `done` returns from now on how many bytes of it have been copied.
    package func beginCopy(_ id: ArrivalID, done: @escaping @Sendable () -> UInt64, at moment: Moment) {
        parts.course.transition(id, to: .waiting(.copying), .inFlight, at: moment)
        parts.book.beginCopy(id, done: done)
        progress.begin(id, at: moment)
    }

    /// A comparison begins that takes long: the arrival's detail says so.
    package func beginComparing(_ id: ArrivalID, at moment: Moment) {
        let words = "it is compared with a document of its size at its destination"
        parts.course.transition(id, to: .waiting(.settling), .inFlight, detail: words, at: moment)
    }

    /// An arrival that is in flight has left the Inbox for its destination: its name is free for another.
    package func hasLeft(_ id: ArrivalID) {
        guard let folder = parts.book.releaseName(of: id) else { return }
        folder.past.wasFilled = true
        folder.outermost?.past.hasFiled = true
        parts.course.left(folder)
    }

    /// An arrival that is in flight may have been claimed and put back, which changes its change time: that is no reason to
    /// try it again.
    package func hasReturned(_ id: ArrivalID) {
        guard let arrival = parts.book[id], let facts = arrival.facts, parts.book.hasName(arrival) else { return }
        do throws(FolderError) {
            let now = try parts.tree.status(of: arrival.name, in: arrival.folder)
            let isSame =
                facts.package == nil
                ? now.identity == facts.status.identity : now.identity.file == facts.status.identity.file
            if isSame { parts.book.update(id) { $0.status.takeRename(of: now) } }
        } catch {
            // Whatever is wrong with the name, its next inspection finds it.
        }
    }

    /// An arrival that is in flight waits in a staging folder for longer: it is counted there, as seen once. Where its claim
    /// cannot end for another reason, it may be in the Inbox again, which was reported while it was in flight.
    func handOver(_ id: ArrivalID, at moment: Moment) {
        progress.end(id)
        guard let arrival = parts.book.remove(id, as: .absorbed) else { return }
        parts.course.left(arrival.folder)
        parts.inspection.inspect(arrival.name, in: arrival.folder, because: .scan, at: moment)
    }

    /// Recovery has recorded a document that is no arrival any more, or was none in this run. Followers get the same event as
    /// for any other filed document.
    /// - Parameter id: the document's arrival in this run; nil where there was none.
    func noteRecovered(_ record: FiledRecord, of id: ArrivalID?) {
        parts.spent.note(id, record.id)
        events.record(.filed(record), of: id, at: .path(record.source))
    }

    /// A document was copied and recorded, but what is in the Inbox could not go: it is an arrival of its own now.
    package func resolve(
        _ id: ArrivalID, filedAs record: FiledRecord, leaving outcome: FilingOutcome, at moment: Moment
    ) {
        parts.book.addFiled(record)
        parts.spent.note(id, record.id)
        report(.filed(record))
        if let arrival = parts.book[id] {
            parts.report.record(.filed(record), of: arrival)
            parts.report.record(
                .arrived(
                    arrival.facts?.status.identity.file, size: arrival.size,
                    owner: arrival.facts?.status.owner ?? 0), of: arrival)
        }
        resolve(id, outcome, at: moment)
    }

    /// The requests less those whose documents lie on a mount that does not answer: they are tried again.
    func postponingSilent(_ requests: [FilingRequest], at moment: Moment) -> [FilingRequest] {
        if roots.silent.isEmpty { return requests }
        return requests.filter { request in
            guard let mount = roots.silent.innermost(around: request.folderPath) else { return true }
            resolve(request.id, .postponed("\(mount) does not answer"), at: moment)
            return false
        }
    }

    /// The obstruction that keeps an arrival waiting, by the Inbox, the destination or the mount that it concerns.
    private func problem(in outcome: FilingOutcome) -> Obstruction? {
        guard case .obstructed(let obstruction) = outcome else { return nil }
        let mounts = roots.known.all ?? Set(roots.mounts(in: roots.documents).keys)
        return obstruction.problem(among: inboxes.map(\.path) + [roots.documents] + roots.outer + mounts)
    }

    /// Applies the outcome of an attempt to file an arrival.
    package func resolve(_ id: ArrivalID, _ outcome: FilingOutcome, at moment: Moment) {
        progress.end(id)
        if parts.book[id]?.isMarked == true { parts.spent.note(id, outcome.record) }
        if !parts.obstructions.isEmpty { parts.obstructions.note(outcome, of: id) }
        switch outcome {
        case .filed(let record):
            parts.course.endMembers(of: id, areFiled: !record.members.isEmpty, at: moment)
            parts.course.forgetCompanion(id)
        case .duplicate: parts.course.endMembers(of: id, areFiled: true, at: moment)
        default: parts.course.endMembers(of: id, areFiled: false, at: moment)
        }
        if case .filed(let record) = outcome {
            guard let arrival = parts.book.remove(id, as: .filed(record)) else { return }
            parts.course.noteFiled(arrival, as: record)
            if let documentType = record.documentType, hasHandler(documentType) {
                parts.course.loops.note(arrival.name, at: moment.now)
            }
            report(.filed(record))
            parts.report.record(.filed(record), of: arrival)
            return reconsider(arrival, filedFrom: record.source, at: moment)
        }
        if case .duplicate(let record) = outcome {
            guard let arrival = parts.book.remove(id, as: .duplicate) else { return }
            report(.duplicate(record))
            parts.report.record(.duplicate(record), of: arrival)
            return reconsider(arrival, filedFrom: record.source, at: moment)
        }
        parts.book.transition(id, to: .observing(until: .never))
        guard let arrival = parts.book[id] else { return }
        if arrival.folder.isGone || !parts.book.hasName(arrival) {
            // Its folder left the tree with it, or its name is another's: nobody inspects it there again, so it turns
            // up elsewhere or is withdrawn.
            parts.book.releaseName(of: id)
            parts.course.markMissing(id, at: moment)
            parts.inspection.reconsiderWhole(around: arrival.folder, at: moment)
        } else {
            apply(outcome, to: arrival, at: moment)
            parts.course.heedTouch(id, at: moment)
            parts.inspection.reconsiderWhole(around: arrival.folder, at: moment)
        }
    }

    /// Its file came back under another name meanwhile: that is an arrival of its own.
    private func reconsider(_ arrival: Arrival, filedFrom source: BytePath, at moment: Moment) {
        guard !arrival.isAt(source) else { return }
        parts.inspection.inspect(arrival.name, in: arrival.folder, because: .request, at: moment)
    }

    func apply(_ outcome: FilingOutcome, to arrival: Arrival, at moment: Moment) {
        let (id, course) = (arrival.id, parts.course)
        if outcome.endsUnseenChanges { parts.book.update(id) { $0.unseenChanges = 0 } }
        switch outcome {
        case .filed, .duplicate: break
        case .hold(.symlink, let detail) where course.mayCome(toLink: arrival, at: moment):
            course.wait(id, .gathering, detail, at: moment)
        case .hold(let reason, let detail): course.hold(id, reason, detail, at: moment)
        case .writer:
            parts.book.update(id) { $0.sawWriter = moment.now }
            course.wait(id, .writing, stalled(arrival, at: moment), at: moment)
        case .unsettled(let until):
            course.transition(id, to: .waiting(.settling), .observing(until: until), at: moment)
        case .unprovable:
            parts.book.update(id) { $0.isUnprovable = true }
            course.evaluate(id, at: moment)
        case .unchecked(let check): waitForCheck(check, of: id, at: moment)
        case .incomplete(let missing): course.foundIncomplete(id, missing, at: moment)
        case .hollow(let missing):
            parts.book.update(id) { $0.missing = missing }
            course.evaluate(id, at: moment)
        case .unready(let words): course.foundUnready(id, words, at: moment)
        case .retry(let words): course.retryLoudly(id, words, at: moment)
        case .postponed(let words): course.retry(id, words, at: moment)
        case .obstructed(let obstruction):
            if let problem = problem(in: outcome) { parts.obstructions.add(problem, for: id) }
            course.retry(id, "\(obstruction)", at: moment)
        case .across:
            course.transition(
                id, to: .waiting(.copying), .queuedForCopy, detail: "waits for other copies", at: moment)
        case .checked: parts.inspection.inspect(arrival.name, in: arrival.folder, because: .request, at: moment)
        case .changed, .identical, .lengthy:
            if case .changed = outcome { course.foundChanged(id, at: moment) }
            parts.tree.openFolders.forget(arrival.folder)
            parts.inspection.inspect(arrival.name, in: arrival.folder, because: .request, at: moment)
        }
    }

    private func stalled(_ arrival: Arrival, at moment: Moment) -> String {
        if let member = parts.course.writtenMember(of: arrival) { return Companions.words(writing: member) }
        let stallAfter = arrival.folder.inbox.settings.stallAfter
        guard let grown = arrival.facts?.grown, grown + stallAfter <= moment.now else {
            return "a process has it open for writing"
        }
        return "stalled: a process has it open for writing, and it has not grown for \(TimeSpan.text(stallAfter))"
    }
}
