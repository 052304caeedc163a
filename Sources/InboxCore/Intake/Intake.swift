import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink

/// Turns hints (events, scans, the time) into arrivals, and arrivals into documents that are ready to be filed.
///
/// One thread owns all of this. The state has owners: ``ArrivalBook`` the arrivals, ``WatchedTree`` the folders,
/// ``FolderScanner`` what is to be read.
package final class Intake {
    /// Returns whether documents of this document type are handled.
    var hasHandler: (String) -> Bool = { _ in false }
    /// The number of names that are inspected in one turn of the loop, so that others are served meanwhile.
    private static let portion = 512
    /// The maximum number of due arrivals that are inspected in one turn.
    private static let mostDue = 4 * portion

    /// The owners of the state, and what acts on them.
    struct Parts {
        let report: IntakeReport
        let book: ArrivalBook
        let tree: WatchedTree
        let scanner: FolderScanner
        let ahead: ReadingAhead
        let emptied: EmptiedFolders
        let course: ArrivalCourse
        let surveys: PackageSurveys
        let discovery: ArrivalDiscovery
        let inspection: NameInspection
        let undone: UndoneHolds
        let hidden: HiddenNames
        let obstructions: Obstructions
        let retries: RetryRounds
        let spent = SpentMarkers()
    }

    /// The Inboxes, in the configuration's order.
    package private(set) var inboxes: [Inbox] = []
    /// With so many documents ready, folders are read on only when some of them are filed: memory stays small.
    var mostReady = 2048
    /// When it began: what was made before that may have been moved in as it is.
    let began = Timestamp.now()
    let parts: Parts
    /// Who waits for which check.
    var checkTurns = CheckTurns()
    let progress: CopyProgressReports
    let kernelEvents: KernelEvents
    let verification: InboxVerification
    private var mounts = MountTable()
    /// The number of times that too many files had been open when everything was last read.
    private var shortagesBefore = 0

    /// An intake that watches nothing yet. Without an inotify instance it only reads.
    /// - Parameters:
    ///   - inotify: the source of events.
    ///   - expectsEvents: whether what has no events has to be polled; nil: where there is an inotify instance.
    ///   - roots: opens the Inboxes and creates those that are missing.
    ///   - pool: surveys packages; nil: the caller waits for each survey.
    ///   - survey: does a survey.
    ///   - events: takes the events, for those who follow them.
    ///   - isPackage: whether a folder of this name is one document.
    ///   - report: receives what happens.
    package init(
        inotify: Inotify?, expectsEvents: Bool? = nil, roots: Roots = Roots(),
        pool: FairPool? = nil, survey: @escaping @Sendable (SurveyJob) -> SurveyReport = { $0.perform() },
        events: EventRing = EventRing(),
        isPackage: @escaping (FileName) -> Bool, report send: @escaping (Happening) -> Void
    ) {
        let report = IntakeReport(events: events, send: send)
        let book = ArrivalBook()
        let tree = WatchedTree(
            inotify: inotify, expectsEvents: expectsEvents ?? (inotify != nil), on: roots.mounts, report: report)
        let scanner = FolderScanner(of: tree, book)
        let emptied = EmptiedFolders(book: book, scanner: scanner)
        let undone = UndoneHolds()
        undone.isThere = { book.state(of: $0) != nil }
        let hidden = HiddenNames(book, tree, scanner, FutureTimes())
        let course = ArrivalCourse(
            book: book, tree: tree, emptied: emptied, report: report, undone: undone, hidden: hidden,
            scanner: scanner)
        let surveys = PackageSurveys(in: pool, survey)
        let discovery = ArrivalDiscovery(book, tree, scanner, course, report)
        let inspection = NameInspection(
            book, tree, scanner, course, discovery, surveys, report, isPackage: isPackage)
        parts = Parts(
            report: report, book: book, tree: tree, scanner: scanner,
            ahead: ReadingAhead(book, tree, scanner, inspection), emptied: emptied, course: course,
            surveys: surveys, discovery: discovery, inspection: inspection, undone: undone, hidden: hidden,
            obstructions: Obstructions(report),
            retries: RetryRounds(book, scanner, inspection, undone))
        progress = CopyProgressReports(book, report)
        kernelEvents = KernelEvents(book, tree, scanner, inspection, course, report)
        verification = InboxVerification(roots, tree, scanner, course, inspection, report)
    }

    /// The recent events.
    package var events: EventRing { parts.report.events }

    /// The present problems.
    package var problems: Problems { parts.report.problems }

    /// The counts of what became of everything so far.
    package var accounting: Accounting { parts.book.accounting }

    /// The running counts equal those of a recount: a debug build checks this after each turn of the loop.
    package var isConsistent: Bool { parts.book.isConsistent }

    /// Opens the Inboxes and creates those that are missing.
    package var roots: Roots { verification.roots }

    /// Takes one event of the kernel's queue.
    package func note(_ event: InotifyEvent, at moment: Moment) { kernelEvents.take(event, inboxes, at: moment) }

    /// The events of this turn of the loop took so long.
    package func noteEvents(took: Duration) { kernelEvents.took = took }

    /// Folders are waiting to be read, packages to be surveyed, or arrivals to be taken out.
    package var isReading: Bool { parts.scanner.isReading || parts.surveys.isBusy || parts.course.isLeaving }

    /// Requests to try again are under way.
    package var isRetrying: Bool { !parts.retries.isEmpty }

    /// Goes on without a survey that may hang.
    func leaveHangingSurvey(at moment: Moment) {
        parts.surveys.leaveHanging(at: moment.now)
        parts.inspection.beginSurveys(at: moment)
    }

    /// The backlog is small enough that more folders are read. Otherwise they are only read ahead, for users who have
    /// few arrivals.
    private var mayRead: Bool {
        if parts.surveys.isFilling { return false }
        // Where nothing is filed, no room is made by waiting for that.
        return mostReady == .max || (parts.book.readyCount < mostReady && !parts.book.isFilling)
    }

    /// When something is to be done by itself; `never` where only an event can bring work.
    package var nextDeadline: Instant {
        let isBusy = (parts.scanner.isReading && mayRead) || isRetrying || parts.course.isLeaving
        if isBusy { return Instant(nanoseconds: 0) }
        let ahead = parts.scanner.isReading ? parts.ahead.nextDeadline : .never
        let next = [
            parts.book.nextDeadline, parts.emptied.nextDeadline, parts.scanner.nextFullScan, kernelEvents.nextDeadline,
            progress.nextDeadline, parts.hidden.nextDeadline, parts.course.trees.nextDeadline,
            parts.report.nextDropReport, ahead, nextDeparture,
        ]
        return inboxes.reduce(next.min() ?? .never) {
            min($0, $1.nextVerification, $1.appointments.rescan, $1.appointments.poll)
        }
    }

    /// Reports at the end how many lines about arrivals were dropped, though their minute has not ended.
    package func reportDroppedLines() { parts.report.reportDropped(at: .never) }

    /// Does what is due: inspects arrivals, reads a part of the folders that wait, removes what is empty.
    package func proceed(at moment: Moment) {
        parts.report.reportDropped(at: moment.now)
        parts.course.proceedInTurn()
        kernelEvents.settleDepartures(at: moment)
        keepAppointments(at: moment)
        for _ in 0..<Self.mostDue where roots.mounts?.isSpent != true {
            guard let id = parts.book.popDue(at: moment.now) else { break }
            guard let arrival = parts.book[id], !arrival.isInFlight else { continue }
            if parts.book.hasName(arrival) {
                parts.inspection.inspect(arrival.name, in: arrival.folder, because: .due, at: moment)
            } else {
                // Another has its name, and it has not turned up under a new one.
                parts.course.withdraw(id)
            }
        }
        for id in parts.hidden.takeMoved() { parts.course.evaluate(id, at: moment) }
        for id in parts.hidden.release(most: Self.portion, at: moment) {
            guard let arrival = parts.book[id], !arrival.isInFlight else { continue }
            parts.inspection.inspect(arrival.name, in: arrival.folder, because: .due, at: moment)
        }
        for id in parts.course.releaseGathered(most: Self.portion, at: moment) {
            guard let arrival = parts.book[id], arrival.state == .waiting(.gathering), !arrival.isInFlight else {
                continue
            }
            parts.inspection.inspect(arrival.name, in: arrival.folder, because: .due, at: moment)
        }
        parts.retries.proceed(at: moment) { roots.mounts?.isSpent != true }
        read(at: moment)
        if !parts.obstructions.isEmpty { parts.obstructions.prune { parts.book[$0]?.state.group == .waiting } }
        EmptiedFolderRemoval(
            emptied: parts.emptied, book: parts.book, tree: parts.tree, course: parts.course, scanner: parts.scanner
        ).proceed(at: moment)
        if !parts.surveys.isFilling { parts.discovery.relieveCrowd() }
        if !isReading {
            parts.tree.reportWatches(of: inboxes)
            if parts.report.shortages == shortagesBefore {
                end(.descriptors)
            } else {
                parts.scanner.requestFullScan(notBefore: moment.now + .seconds(5))
            }
        }
        forgetDeparted(at: moment)
        progress.proceed(at: moment)
    }

    /// Ends a turn of the loop: nothing stays open.
    package func rest() {
        if !parts.scanner.isOpen { parts.tree.openFolders.clear() }
    }

    /// Reads on where the last turn stopped.
    private func read(at moment: Moment) {
        let end = Instant.now() + kernelEvents.took
        kernelEvents.took = .zero
        var rest = Self.portion
        while roots.mounts?.isSpent != true, rest > 0 {
            rest -= 1
            if rest == 0, Instant.now() < end { rest = Self.portion / 8 }
            guard mayRead else {
                if parts.ahead.proceed(at: moment) { continue }
                break
            }
            guard let step = parts.scanner.next() else { break }
            switch step {
            case .name(let name, let folder, let retries): met(name, in: folder, retries, at: moment)
            case .unmet(let id, let folder):
                guard let arrival = parts.book[id], arrival.folder === folder else { break }
                parts.inspection.inspect(arrival.name, in: folder, because: .due, at: moment)
            case .end(let folder, let reading): ended(folder, reading, at: moment)
            case .failed(let folder, let error): failed(folder, error, at: moment)
            }
        }
        if !parts.scanner.isReading { parts.ahead.stop() }
    }

    private func met(_ name: FileName, in folder: Folder, _ retries: FolderScanner.Retries, at moment: Moment) {
        let known = retries == .nothing ? nil : parts.book.id(of: name, in: folder).flatMap { parts.book[$0] }
        parts.inspection.inspect(name, in: folder, because: cause(known, retries), at: moment)
        if parts.scanner.meetsKnown, let id = parts.book.id(of: name, in: folder) { parts.book.noteMet(id) }
        if let inner = folder.folders[name] { parts.scanner.noteMet(inner) }
    }

    /// Returns the cause with which a name that was read is inspected: a held arrival may be tried again, and an
    /// ignored one may not be ignored by the rules of another configuration.
    private func cause(_ known: Arrival?, _ retries: FolderScanner.Retries) -> NameInspection.Cause {
        switch (known?.state, retries) {
        case (.held(.permission)?, .permissions), (.held(.permission)?, .failures), (.held?, .everything): .request
        case (.waiting(.retrying)?, .failures): .request
        case (.ignored?, .everything):
            known.map { $0.folder.ignores($0.name) } == true ? .scan : .request
        default: .scan
        }
    }

    /// The walked folders that the reading did not meet are inspected by name: they may have appeared later, or be gone.
    private func ended(_ folder: Folder, _ reading: FolderScanner.Reading, at moment: Moment) {
        guard !folder.isGone else { return }
        if folder.position.watch == nil, let failure = folder.position.watchFailure {
            let path = folder.bytePath
            begin(.folder(folder.key), "cannot watch the folder \(path): \(failure)", about: [path])
        } else {
            end(.folder(folder.key))
        }
        folder.past.wasRead = true
        if Litter.isMacFolder(folder.path) {
            folder.past.wasFilled = true
            parts.emptied.consider(folder)
        }
        for (name, inner) in folder.folders where !reading.hasMet(inner) {
            parts.inspection.inspect(name, in: folder, because: .scan, at: moment)
        }
    }

    private func failed(_ folder: Folder, _ error: FolderError, at moment: Moment) {
        guard !folder.isGone else { return }
        // What is there is left, and found anew when its mount answers.
        if case .silent = error { return }
        guard case .failed(let error) = error, !error.errno.isAbsent else {
            return parts.inspection.lost(folder, at: moment)
        }
        var passesUnseen = error.errno.isTransient
        if error.errno.isWantOfDescriptors {
            parts.report.noteShortage()
        } else if !error.errno.isDenied || !parts.inspection.hold(unreadable: folder, error, at: moment) {
            let path = folder.bytePath
            begin(.folder(folder.key), "cannot read the folder \(path): \(error.errno)", about: [path])
            passesUnseen = passesUnseen || error.errno.isDenied
        }
        // A change of its own mode sends an event. The repair of a folder above the Inbox sends none, nor does the end of a
        // want of descriptors or memory.
        if passesUnseen { parts.scanner.requestFullScan(notBefore: moment.now + .seconds(5)) }
    }

    /// Does what the Inboxes' own times ask for.
    private func keepAppointments(at moment: Moment) {
        if parts.scanner.nextFullScan <= moment.now { beginFullScan(at: moment) }
        for inbox in inboxes {
            if inbox.nextVerification <= moment.now { verification.verify(inbox, among: inboxes, at: moment) }
            if inbox.appointments.rescan <= moment.now {
                parts.book.countRescan()
                verification.planRescan(of: inbox, at: moment)
                parts.course.findStale(in: inbox, at: moment)
                verification.verify(inbox, among: inboxes, at: moment)
                parts.scanner.enqueueAll(of: inbox, retrying: .permissions)
            } else if inbox.appointments.poll <= moment.now || (inbox.appointments.poll == .never && inbox.isPolled) {
                poll(inbox, at: moment)
            }
        }
    }

    private func poll(_ inbox: Inbox, at moment: Moment) {
        verification.planPoll(of: inbox, at: moment)
        verification.verify(inbox, among: inboxes, at: moment)
        parts.scanner.enqueueAll(of: inbox) { inbox.needsPolling($0) }
    }

    /// Reads at once what reports no changes: something has returned to an Inbox.
    func readPolled(at moment: Moment) {
        for inbox in inboxes where inbox.isPolled { poll(inbox, at: moment) }
    }

    /// Everything is read again, though not more often than once a second.
    package func requestFullScan(at moment: Moment) { parts.scanner.requestFullScan(at: moment) }

    private func beginFullScan(at moment: Moment) {
        parts.scanner.beginFullScan(at: moment)
        shortagesBefore = parts.report.shortages
        parts.book.countRescan()
        for inbox in inboxes {
            verification.verify(inbox, among: inboxes, at: moment)
            parts.scanner.enqueueAll(of: inbox, retrying: .permissions)
        }
    }

    /// Documents are filed from now on, with this state folder, which other daemons find on the Inboxes.
    func file(with state: OpenFolder, at moment: Moment) throws(SyscallError) {
        verification.state = try RealPath.of(state.directory.descriptor)
        for inbox in inboxes { inbox.nextVerification = moment.now }
    }

    /// Takes up the Inboxes of a configuration; those that it no longer names are left, their arrivals withdrawn.
    ///
    /// Inboxes that stay keep their arrivals, which are decided anew under the new settings.
    package func adopt(_ configured: [ConfiguredInbox], at moment: Moment) {
        for inbox in inboxes where !configured.contains(where: { $0.path == inbox.path }) {
            verification.forget(inbox, others: inboxes.filter { $0 !== inbox })
        }
        inboxes = configured.map { configured in
            guard let known = inboxes.first(where: { $0.path == configured.path }) else { return Inbox(configured) }
            known.settings = configured.settings
            verification.makeAtOnce(known, at: moment)
            known.ignoring = Ignoring(configured.settings)
            return known
        }
        for inbox in inboxes {
            inbox.nextVerification = moment.now
            verification.planRescan(of: inbox, at: moment)
        }
        reconsider(at: moment)
    }

    /// Nothing is touched on these mounts: what is known of them is left, and found anew when they answer.
    func heed(silent: FolderSet, at moment: Moment) {
        let back = parts.tree.openFolders.silent.paths.subtracting(silent.paths)
        parts.tree.openFolders.silent = silent
        parts.tree.openFolders.clear()
        for inbox in inboxes {
            inbox.nextVerification = moment.now
            for mount in silent.paths where mount.isInside(inbox.path) {
                let names = mount.names.dropFirst(inbox.path.names.count)
                if let folder = names.reduce(inbox.top, { $0?.folders[$1] }) { parts.course.leave(folder) }
            }
            if back.contains(where: { $0.isInside(inbox.path) }) { parts.scanner.enqueueAll(of: inbox) }
        }
    }

    /// The mounts are these now: an Inbox may be another one, and where one inside it appeared or went it is read again.
    /// Returns whether the mounts that an Inbox or Documents lies on, or has in it, are others than before.
    ///
    /// `umount -l`, and a mount over a folder, send no event of the folder itself.
    func takeMounts(_ table: MountTable, at moment: Moment, beside others: [BytePath]) -> Bool {
        // An Inbox may have a path with links in it.
        let table = roots.naming(table)
        for inbox in inboxes {
            inbox.nextVerification = moment.now
            if table.mounts(beneath: inbox.path) != mounts.mounts(beneath: inbox.path) {
                parts.tree.noteFilesystemsAgain(of: inbox)
                parts.scanner.enqueueAll(of: inbox)
            }
        }
        let isConcerned = (inboxes.map(\.path) + others).contains { path in
            table.mounts(concerning: path) != mounts.mounts(concerning: path)
        }
        mounts = table
        return isConcerned
    }
}
