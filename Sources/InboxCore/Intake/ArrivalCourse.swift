import InboxConfiguration
import InboxFiling
import InboxLinux

/// Decides what happens to an arrival next, from what is known of it, and reports it.
final class ArrivalCourse {
    /// The time to wait for the other half of a rename before counting a withdrawal: the two may be read apart.
    static let renameGrace = Duration.milliseconds(100)

    let book: ArrivalBook
    let tree: WatchedTree
    let emptied: EmptiedFolders
    let report: IntakeReport
    private let undone: UndoneHolds
    let hidden: HiddenNames
    let trees: GatheringTrees
    /// The names that handlers may have delivered.
    var loops = HandlerLoops()
    let scanner: FolderScanner
    private var leftFolders = LeftFolders()
    private(set) var companions = Companions()

    init(
        book: ArrivalBook, tree: WatchedTree, emptied: EmptiedFolders, report: IntakeReport, undone: UndoneHolds,
        hidden: HiddenNames, scanner: FolderScanner
    ) {
        self.book = book
        self.tree = tree
        self.emptied = emptied
        self.report = report
        self.undone = undone
        self.hidden = hidden
        self.scanner = scanner
        trees = GatheringTrees(book, tree, scanner, hidden.futureTimes)
    }

    /// Takes what the document types of another configuration say of names.
    func adopt(_ named: CompanionNames) { companions.named = named }

    /// Decides what happens next.
    /// - Parameter byName: it is ignored by its name or not, where that is known.
    func evaluate(_ id: ArrivalID, isIgnored byName: Bool? = nil, at moment: Moment) {
        guard let arrival = book[id], let facts = arrival.facts else { return }
        let settings = arrival.folder.inbox.settings
        let isMarker = isMarker(arrival, facts)
        let isIgnored = isMarker || (!arrival.folder.isAround && (byName ?? arrival.folder.ignores(arrival.name)))
        let sibling = isIgnored ? nil : self.sibling(of: arrival, facts, at: moment)
        let marker = isIgnored || settings.ready == nil ? nil : self.marker(of: arrival, facts)
        note(marker, of: arrival)
        var known = self.facts(of: arrival, facts, isIgnored: isIgnored, sibling, at: moment)
        if let marker { known.readiness = marker.obstacle == nil ? .ready : .awaited }
        var verdict = Settling.decide(known, settings, at: moment.now)
        // What is delivered is whole.
        if case .wait(.empty, _) = verdict, isDelivered(arrival, facts) { verdict = .prove }
        // What is held has companions too.
        companions.meet(arrival.name)
        if verdict != .ignore, !undone.isEmpty, undone.holds(facts.status.identity, at: arrival.path, as: id) {
            return hold(id, .undone, UndoneHolds.words, at: moment)
        }
        if follows(arrival, facts, verdict, at: moment) { return }
        // A marker says that what it is for is whole.
        if verdict == .prove, known.readiness != .ready, gathers(arrival, facts, at: moment) { return }
        if companions.hasEarly, verdict == .prove { findEarly(of: arrival, at: moment) }
        switch verdict {
        case .ignore:
            transition(id, to: .ignored, .resting, at: moment)
            if let found = UnfinishedName(ignored: arrival.name) { note(found, arrival, at: moment) }
            if isMarker { markerChanged(arrival.name, in: arrival.folder, at: moment) }
        case .hold(.symlink) where travels(arrival, facts, at: moment): break
        case .hold(let reason):
            hold(id, reason, Self.holdWords(reason, for: arrival), at: moment)
        case .wait(let reason, let until):
            // A writer that never stops leaves no quiet time: report `writing`, not `settling`.
            let isWritten = reason == .settling && facts.sawWriter != nil
            let detail =
                switch reason {
                case .empty: Self.emptyWords(facts, settings)
                case .unready: marker?.words
                default: sibling?.words(settings)
                }
            transition(
                id, to: .waiting(isWritten ? .writing : reason), .observing(until: until), detail: detail, at: moment)
            guard reason != .settling else { break }
            book.update(id) { facts in
                facts.patience = Settling.next(facts.patience)
                facts.expected =
                    switch reason {
                    case .sibling: sibling?.until
                    case .unready: nil
                    default: facts.quietSince + settings.emptySettle
                    }
                facts.unseenChanges = 0
            }
        case .prove where facts.unseenChanges > 1 && facts.expected.map { moment.now < $0 } ?? false:
            transition(
                id, to: .waiting(.retrying), .observing(until: facts.expected ?? .never), detail: Self.unseenWords,
                at: moment)
        case .prove where awaited(by: id) != nil:
            let words = awaited(by: id).map(Companions.words(awaiting:))
            transition(
                id, to: .waiting(.sibling), .observing(until: moment.now + facts.patience), detail: words, at: moment)
            book.update(id) { facts in
                facts.patience = Settling.next(facts.patience)
                facts.expected = nil
            }
        case .prove where hidden.delays(arrival, at: moment):
            transition(
                id, to: .waiting(.sibling), .observing(until: .never), detail: HiddenNames.words, at: moment)
            book.update(id) { $0.expected = nil }
        case .prove:
            // It waits for its turn alone.
            switch arrival.state {
            case .waiting(.sibling), .waiting(.empty), .waiting(.unready), .waiting(.gathering):
                show(id, .waiting(.settling), nil, at: moment)
            default: break
            }
            // It is held until the new try has shown that it need not be.
            let isHeld = arrival.state == .held(.permission)
            if arrival.state.group != .waiting, !isHeld { show(id, .waiting(.settling), nil, at: moment) }
            let isQueuedForCopy = arrival.phase == .queuedForCopy
            // As long as somebody has the arrival, the book changes a copy of what it has.
            _ = consume arrival
            if !isQueuedForCopy { book.transition(id, to: .queued) }
        }
    }

    /// Returns whether an arrival belongs to another one beside it and waits for nothing else: it is filed with that.
    private func follows(
        _ arrival: Arrival, _ facts: ArrivalFacts, _ verdict: Settling.Verdict, at moment: Moment
    ) -> Bool {
        let isReady: Bool
        switch verdict {
        case .prove, .wait(.empty, _): isReady = true
        case .wait: isReady = false
        case .ignore, .hold: return false
        }
        let mayBelong =
            !arrival.folder.isAround && facts.package == nil && companions.mayBelong(arrival.name)
        guard mayBelong, let document = document(of: arrival) else {
            companions.leave(arrival.id)
            guard mayBelong else { return false }
            // The reading of their folder may yet meet the one that it belongs to.
            if verdict == .prove, isBeingRead(arrival.folder) {
                companions.await(arrival.id)
                wait(arrival.id, .settling, nil, at: moment)
                return true
            }
            // That may be met, or come, while this one waits: it must not go alone then.
            if verdict != .prove || MemberName.isLog(arrival.name) { companions.await(arrival.id) }
            return false
        }
        companions.join(arrival.id, to: document.id, isReady: isReady)
        if isReady, companions.hasEarly { findEarly(of: arrival, at: moment) }
        if isReady {
            transition(
                arrival.id, to: .waiting(.sibling), .observing(until: moment.now + facts.patience),
                detail: Companions.words(document.name), at: moment)
            book.update(arrival.id) { facts in
                facts.patience = Settling.next(facts.patience)
                facts.expected = nil
            }
        }
        // It was ready without this one, or waited for this one alone.
        if book.isInPhase(.queued, document.id) != isReady, !document.isInFlight, document.state.group == .waiting {
            if isReady ? document.state == .waiting(.sibling) : true { evaluate(document.id, at: moment) }
        }
        return isReady
    }

    /// The document that an arrival belongs to by its name may be on its way back to the Inbox.
    func awaitDocument(_ id: ArrivalID) {
        if let arrival = book[id], companions.mayBelong(arrival.name) { companions.await(id) }
    }

    /// A document may have logs and companions that were met before it.
    private func findEarly(of arrival: Arrival, at moment: Moment) {
        var members = Set(companions.names(of: arrival.name).compactMap { book.id(of: $0, in: arrival.folder) })
        // Their endings may be spelt otherwise, or have a language before them.
        for early in companions.someEarly where !members.contains(early) {
            guard let member = book[early], member.folder === arrival.folder else { continue }
            if companions.documents(of: member.name).contains(arrival.name) { members.insert(early) }
        }
        for member in members where companions.find(member) && book[member]?.isInFlight == false {
            evaluate(member, at: moment)
        }
    }

    /// The arrival in the same folder that another one belongs to by its name; of a companion of a companion the one that both
    /// go with.
    func document(of arrival: Arrival) -> Arrival? {
        let folder = arrival.folder
        for name in companions.documents(of: arrival.name) {
            guard let id = book.id(of: name, in: folder), id != arrival.id, let document = book[id],
                document.state != .ignored, !document.isMissing, document.facts?.package == nil,
                !companions.belongs(id, to: arrival.id),
                companions.belongs(arrival.name, to: name, in: folder.inbox.path, folder.path)
            else { continue }
            return companions.document(of: id).flatMap { book[$0] } ?? document
        }
        return nil
    }

    /// The names of the files that belong to an arrival.
    func memberNames(of id: ArrivalID) -> [FileName] {
        companions.members(of: id).keys.compactMap { book[$0]?.name }
    }

    /// The name of a file that belongs to an arrival, and that a process of this machine has open for writing; nil where there
    /// is none.
    func writtenMember(of arrival: Arrival) -> FileName? {
        memberNames(of: arrival.id).first { isOpen($0, in: arrival.folder) }
    }

    /// The name of a file that belongs to an arrival and is not complete; nil where there is none.
    private func awaited(by id: ArrivalID) -> FileName? {
        if companions.isEmpty { return nil }
        for (member, isReady) in companions.members(of: id) {
            guard let known = book[member] else {
                companions.leave(member)
                continue
            }
            if !isReady { return known.name }
        }
        return nil
    }

    /// Takes the files that belong to an arrival: they are in flight with it.
    func takeMembers(of id: ArrivalID) -> [UnitMember] {
        if companions.isEmpty { return [] }
        return companions.members(of: id).keys.sorted { $0.number < $1.number }.compactMap { member in
            guard let arrival = book[member], let facts = arrival.facts, !arrival.isInFlight, !arrival.isMissing else {
                return nil
            }
            book.transition(member, to: .inFlight)
            return UnitMember(name: arrival.name, identity: facts.status.identity)
        }
    }

    /// A try of an arrival has ended: the files that belong to it are filed with it, or are waiting again.
    func endMembers(of id: ArrivalID, areFiled: Bool, at moment: Moment) {
        if companions.isEmpty { return }
        for member in companions.members(of: id).keys where book.isInPhase(.inFlight, member) {
            if areFiled {
                if let arrival = book.remove(member, as: .absorbed) { left(arrival.folder) }
            } else {
                book.transition(member, to: .observing(until: moment.now))
            }
        }
        if areFiled { companions.end(id) }
    }

    /// An arrival was filed: it belongs to nothing, and waits for nothing.
    func forgetCompanion(_ id: ArrivalID) {
        if !companions.isEmpty || companions.hasEarly { companions.leave(id) }
    }

    /// Returns whether `put` has delivered a file, whole.
    func isDelivered(_ arrival: Arrival, _ facts: ArrivalFacts) -> Bool {
        if let known = facts.isDelivered { return known }
        guard facts.status.kind == .regular else { return false }
        let name = arrival.name
        var isDelivered = false
        do throws(FolderError) {
            let opened = try tree.open(arrival.folder)
            isDelivered = try tree.openFolders.call(at: arrival.path) { () throws(SyscallError) in
                DeliveredType.isWritten(to: try opened.directory.file(name, mayCross: false))
            }
        } catch {
            // Of what may not be read nothing is known.
        }
        book.update(arrival.id) { $0.isDelivered = isDelivered }
        return isDelivered
    }

    private static func emptyWords(_ facts: ArrivalFacts, _ settings: InboxSettings) -> String {
        let end = TimeSpan.text(settings.emptySettle)
        guard facts.missing > 0 else {
            return "it is empty, and may be a placeholder: it is filed if it still is after \(end)"
        }
        let (size, missing) = (ByteCount.text(facts.status.size), ByteCount.text(facts.missing))
        return "of its \(size), \(missing) are not written yet: it is filed as it is if it has not changed for \(end)"
    }

    private static let unseenWords =
        "each try finds that it has changed since its inspection, so that it is tried at growing intervals"

    /// Returns advice about an arrival that is held because of its kind.
    private static func holdWords(_ reason: HoldReason, for arrival: Arrival) -> String? {
        switch reason {
        case .symlink: "it is a symbolic link: Symlinks=move files the link, or put its target here"
        case .special: "it is a FIFO, a socket or a device, which is never filed: remove it"
        case .depth: depthWords(for: arrival)
        case .permission, .name, .loops, .mismatch, .undone, .syncFailed, .tooLarge, .incomplete, .check, .rejected,
            .checksum, .duplicate:
            nil
        }
    }

    /// Returns the reason why a folder is neither walked nor treated as one document, with advice.
    private static func depthWords(for arrival: Arrival) -> String {
        arrival.folder.depth >= NameInspection.deepest
            ? "it lies \(NameInspection.deepest) folders deep, and deeper ones are not walked: move it nearer to the Inbox, "
                + "or to its place yourself"
            : "it travels in one piece (a package, or a folder with .git in it), which may have "
                + "\(FolderWalk.mostEntries) entries, \(FolderWalk.deepest) folders deep: move it to its place yourself"
    }

    /// Returns true if an arrival that is to be filed has to wait after all, and makes it wait: something has
    /// appeared beside its hidden name while it waited for its turn, or a partial download of it is beside it that
    /// the reading of their folder has not met yet.
    func delays(_ arrival: Arrival, _ facts: ArrivalFacts, at moment: Moment) -> Bool {
        // It costs calls, so only of what may be a placeholder, or lies in a folder with downloads.
        if !arrival.folder.past.isRead, !arrival.folder.isAround,
            facts.isEmpty || !arrival.folder.past.unfinished.isEmpty
        {
            if let sibling = sibling(of: arrival, facts, isThorough: true, at: moment) {
                let words = sibling.words(arrival.folder.inbox.settings)
                book.update(arrival.id) { $0.expected = sibling.until }
                let end = moment.now + Settling.firstPatience
                transition(arrival.id, to: .waiting(.sibling), .observing(until: end), detail: words, at: moment)
                return true
            }
        }
        if gathers(arrival, facts, at: moment) { return true }
        if !facts.mayLoop, loops.holds(arrival.name, at: moment.now) {
            hold(arrival.id, .loops, HandlerLoops.words, at: moment)
            return true
        }
        // A link goes with its target, whatever its own name is.
        let isLink = facts.status.kind == .symlink && arrival.folder.inbox.settings.symlinks == .hold
        guard arrival.folder.parent != nil, !isLink, hidden.delays(arrival) else { return false }
        book.transition(arrival.id, to: .observing(until: .never))
        book.update(arrival.id) { $0.expected = nil }
        _ = book.report(arrival.id, as: .waiting(.sibling), detail: HiddenNames.words, at: moment)
        return true
    }

    private func facts(
        of arrival: Arrival, _ facts: ArrivalFacts, isIgnored: Bool, _ sibling: Sibling?, at moment: Moment
    ) -> Settling.Facts {
        var known = Settling.Facts(
            kind: facts.status.kind, isPackage: facts.package != nil,
            isEmpty: facts.isEmpty && !isFinished(arrival, facts),
            isIgnored: isIgnored,
            quietSince: facts.quietSince, needsQuiet: facts.needsQuiet, isUnprovable: facts.isUnprovable,
            hasSibling: sibling != nil, patience: facts.patience)
        known.surveyCost = facts.package?.cost ?? .zero
        known.isYoung = !facts.cameWhole && facts.package?.isYoung == true
        if arrival.folder.reportsChanges, facts.package == nil {
            known.isWatched = true
            known.siblingEnd = sibling?.nextLook(at: moment)
        }
        if mayHaveCompany(arrival, facts) {
            known.companyUntil = Settling.companyUntil(
                seen: facts.grown, isMoved: !facts.needsQuiet, isBeingRead: isBeingRead(arrival.folder), at: moment.now)
        }
        if facts.isWrittenHere, let birth = facts.status.identity.file.birth {
            known.writing = birth.age(at: facts.status.changed) ?? .zero
        }
        return known
    }

    /// Returns whether an empty file, or one with holes, is one of a tree, whose maker has given it its time and fills it no
    /// more.
    func isFinished(_ arrival: Arrival, _ facts: ArrivalFacts) -> Bool {
        arrival.folder.parent != nil && facts.wasGivenTime
    }

    /// Returns whether files that belong to an arrival may come within its quiet time.
    private func mayHaveCompany(_ arrival: Arrival, _ facts: ArrivalFacts) -> Bool {
        facts.status.kind == .regular && arrival.state.group == .waiting && !arrival.folder.isAround
            && arrival.folder.inbox.settings.settle > .zero
    }

    /// Returns whether the reading of a folder may yet meet names in it.
    private func isBeingRead(_ folder: Folder) -> Bool { scanner.isToRead(folder) && !scanner.isPostponed(folder) }

    /// Changes what is reported of an arrival, and what is done with it next.
    func transition(
        _ id: ArrivalID, to state: ArrivalState, _ phase: ArrivalPhase, detail: String? = nil, at moment: Moment
    ) {
        show(id, state, detail, at: moment)
        book.transition(id, to: phase)
    }

    /// Changes what is reported of an arrival.
    @discardableResult
    private func show(
        _ id: ArrivalID, _ state: ArrivalState, _ detail: String?, at moment: Moment
    ) -> ArrivalBook.StateChange? {
        guard let change = book.report(id, as: state, detail: detail, at: moment) else { return nil }
        switch state {
        case .waiting(let reason): report.record(.waiting(reason, detail: detail), of: change.arrival)
        case .held(let reason): report.record(.held(reason, detail: detail), of: change.arrival)
        case .ignored: report.record(.ignored(change.arrival.ignoredBecause), of: change.arrival)
        }
        return change
    }

    /// Holds an arrival, and reports it once.
    func hold(_ id: ArrivalID, _ reason: HoldReason, _ detail: String?, at moment: Moment) {
        let change = show(id, .held(reason), detail, at: moment)
        if reason != .permission || !awaitsRelease(id, at: moment) { book.transition(id, to: .resting) }
        if reason == .permission, let folder = book[id]?.folder { noteFailure(in: folder) }
        // Whoever had it put back knows, and that is in the log.
        if let change, !change.isAgain, reason != .undone {
            report.add(.held(path: change.arrival.path, reason: reason, detail: detail), of: book.owner(of: id))
        }
    }

    /// Arrivals. Where more are held, those that are immutable wait for the next scan.
    private static let mostFixed = 256

    /// Has a file inspected again and again that is held as immutable or for appending only (chattr(1)): no event reports the
    /// end of that. Returns whether it does.
    @discardableResult
    func awaitsRelease(_ id: ArrivalID, at moment: Moment) -> Bool {
        guard let facts = book[id]?.facts, facts.status.isFixed, book.accounting.held <= Self.mostFixed else {
            return false
        }
        book.transition(id, to: .observing(until: moment.now + facts.patience))
        book.update(id) { $0.patience = Settling.next($0.patience) }
        return true
    }

    /// Waits for another process: 50 ms, doubling to 5 s.
    func wait(_ id: ArrivalID, _ reason: WaitingReason, _ detail: String?, at moment: Moment) {
        guard let patience = book[id]?.facts?.patience else { return }
        transition(id, to: .waiting(reason), .observing(until: moment.now + patience), detail: detail, at: moment)
        book.update(id) { $0.patience = Settling.next($0.patience) }
    }

    /// Nothing new is known of an arrival: it stays what it is until its next inspection.
    func waitLonger(_ id: ArrivalID, at moment: Moment) {
        guard let arrival = book[id], !arrival.isInFlight, let patience = arrival.facts?.patience else { return }
        book.transition(id, to: .observing(until: moment.now + patience))
        book.update(id) { $0.patience = Settling.next($0.patience) }
    }

    /// Tries again after the back-off.
    func retry(_ id: ArrivalID, _ words: String, at moment: Moment) {
        guard let arrival = book[id] else { return }
        noteFailure(in: arrival.folder)
        let failures = (arrival.facts?.failures ?? 0) + 1
        book.update(id) { $0.failures = failures }
        let pause = Settling.backOff(failures: failures, ceiling: arrival.folder.inbox.settings.retryMax)
        transition(
            id, to: .waiting(.retrying), .observing(until: moment.now + pause), detail: words, at: moment)
    }

    /// The same, and logs the failure once, however often it recurs; the `filed` line shows that it is over.
    func retryLoudly(_ id: ArrivalID, _ words: String, at moment: Moment) {
        retry(id, words, at: moment)
        guard let arrival = book[id], arrival.facts?.isFailureReported != true else { return }
        report.add(.retrying(path: arrival.path, detail: words), of: book.owner(of: id))
        book.update(id) { $0.isFailureReported = true }
    }

    /// A try has failed, which may end when somebody changes the owner or the mode of the folder, or of one around it.
    private func noteFailure(in folder: Folder) {
        var current: Folder? = folder
        while let next = current, !next.past.hasFailures {
            next.past.hasFailures = true
            current = next.parent?.folder
        }
    }

    /// A try has found that it has changed since its inspection. Where the next inspection does not show the change, each
    /// try may find it again, for ever: from the second one on the tries are spaced.
    func foundChanged(_ id: ArrivalID, at moment: Moment) {
        guard let ceiling = book[id]?.folder.inbox.settings.retryMax else { return }
        book.update(id) { facts in
            if facts.unseenChanges < .max { facts.unseenChanges += 1 }
            let pause = Settling.backOff(failures: Int(facts.unseenChanges) - 1, ceiling: ceiling)
            facts.expected = moment.now + pause
        }
    }

    /// A try has found that its own format shows it to be cut off: the rest may come for `StallAfter`.
    func foundIncomplete(_ id: ArrivalID, _ missing: String, at moment: Moment) {
        guard let arrival = book[id], let facts = arrival.facts else { return }
        let settings = arrival.folder.inbox.settings
        let end = facts.quietSince + settings.stallAfter
        if moment.now >= end {
            guard settings.onIncomplete == .hold else { return evaluate(id, at: moment) }
            return hold(id, .incomplete, "it is \(missing): inboxctl retry files it as it is", at: moment)
        }
        let course = settings.onIncomplete == .hold ? "held" : "filed as it is"
        let words =
            "it is \(missing): it waits for the rest, and is \(course) if it has not changed for "
            + TimeSpan.text(settings.stallAfter)
        book.update(id) { $0.expected = end }
        transition(id, to: .waiting(.incomplete), .observing(until: end), detail: words, at: moment)
    }

    /// Its name has gone: it may turn up under another.
    func markMissing(_ id: ArrivalID, at moment: Moment) {
        guard let arrival = book[id] else { return }
        var since = moment.now
        if case .missing(let earlier, _) = arrival.phase { since = earlier }
        book.transition(id, to: .missing(since: since, until: moment.now + Self.renameGrace))
    }

    /// Its owner took it back.
    /// - Parameter isTaken: whether that is known; else what it is in may merely be absent.
    func withdraw(_ id: ArrivalID, isTaken: Bool = true) {
        if !companions.isEmpty || companions.hasEarly {
            companions.leave(id)
            companions.end(id)
        }
        let owner = book.owner(of: id)
        guard let arrival = book.remove(id) else { return }
        undone.left(id, isTaken: isTaken)
        if arrival.state == .ignored, arrival.folder.hasMarker(arrival.name) {
            markerChanged(arrival.name, in: arrival.folder)
        }
        if arrival.facts?.isFailureReported == true || arrival.state.group == .held {
            report.add(.released(path: arrival.path), of: owner)
        }
        report.record(.withdrawn, of: arrival)
        left(arrival.folder)
    }

    /// A walked folder has become one document: the arrivals found in it are parts of that document, and no longer counted.
    func absorb(_ folder: Folder) {
        for removed in tree.remove(folder) { takeOut(removed, .absorbed) }
        proceedLeaving()
    }

    /// A walked folder has left the tree, with all that is in it.
    /// - Parameter isTaken: whether its owner took it back; else it, or what it is in, may merely be absent.
    func leave(_ folder: Folder, isTaken: Bool = false) {
        let parent = folder.parent?.folder
        for removed in tree.remove(folder) {
            // Of a disk that is mounted elsewhere nothing is known.
            takeOut(removed, isTaken && removed.key.device == parent?.key.device ? .taken : .absent)
        }
        proceedLeaving()
        if let parent { left(parent) }
    }

    /// A folder has left the tree. What something is done with in it goes at once, since nothing may be done with it any more,
    /// and is bounded; the others go in parts.
    private func takeOut(_ folder: Folder, _ fate: LeftFolders.Fate) {
        hidden.forget(folder)
        trees.forget(folder)
        emptied.forget(folder)
        scanner.forget(folder)
        for id in book.arrivals(in: folder, areActive: true) where !book.isInPhase(.inFlight, id) { end(id, fate) }
        if !book.isFree(folder) { leftFolders.row.append((folder, fate)) }
    }

    private func end(_ id: ArrivalID, _ fate: LeftFolders.Fate) {
        switch fate {
        case .taken: withdraw(id)
        case .absent: withdraw(id, isTaken: false)
        case .absorbed: book.remove(id, as: .absorbed)
        }
    }

    /// Arrivals are still listed although their folders have left the tree.
    var isLeaving: Bool { !leftFolders.row.isEmpty }

    /// The next turn of the loop: more of what has left may go.
    func proceedInTurn() {
        leftFolders.budget = LeftFolders.portion
        proceedLeaving()
    }

    private func proceedLeaving() {
        while let (folder, fate, most) = leftFolders.next {
            let ids = book.arrivals(in: folder, areActive: false, most: most)
            for id in ids { end(id, fate) }
            leftFolders.note(gone: ids.count)
        }
    }

    /// Something has left a folder, which may be empty now.
    func left(_ folder: Folder) {
        emptied.consider(folder)
        hidden.left(folder)
    }

    /// A walked folder has another name.
    func moved(_ folder: Folder) {
        hidden.moved(folder)
        if folder.past.hasFailures, let parent = folder.parent { noteFailure(in: parent.folder) }
    }
}
