import InboxFiling
import InboxLinux

/// Takes the kernel's events, which are hints about what to inspect.
final class KernelEvents {
    // Made once: the sets that each event is compared with.
    private static let endings: InotifyMask = [.selfDeleted, .selfMoved, .unmounted, .ignored]
    private static let departures: InotifyMask = [.deleted, .movedFrom]
    private static let appearances: InotifyMask = [.created, .movedTo]

    /// The names that have left walked folders and may appear elsewhere.
    private struct Departed {
        /// Folders, and until when they may.
        var folders: [(parent: Folder, name: FileName, due: Instant)] = []
        /// The renames of all names.
        var renames = RenameCookies()
    }

    private let book: ArrivalBook
    private let tree: WatchedTree
    private let scanner: FolderScanner
    private let inspection: NameInspection
    private let course: ArrivalCourse
    private let report: IntakeReport
    private var departed = Departed()
    /// The time that the events of this turn of the loop took. Folders are read for as long: after an overflow only
    /// reading finds what was missed, and somebody who makes more events than can be processed must not keep it from
    /// completing.
    var took = Duration.zero

    init(
        _ book: ArrivalBook, _ tree: WatchedTree, _ scanner: FolderScanner, _ inspection: NameInspection,
        _ course: ArrivalCourse, _ report: IntakeReport
    ) {
        self.book = book
        self.tree = tree
        self.scanner = scanner
        self.inspection = inspection
        self.course = course
        self.report = report
    }

    /// Takes one event of the kernel's queue.
    func take(_ event: InotifyEvent, _ inboxes: [Inbox], at moment: Moment) {
        if event.mask.contains(.overflow) {
            book.countOverflow()
            tree.noteLoss()
            departed.renames.noteOverflow(at: moment.now)
            report.add(.overflow)
            scanner.requestFullScan(at: moment)
            return
        }
        if takeAround(event, inboxes, at: moment) { return }
        // Of a folder that has left the tree meanwhile, too.
        if event.mask.contains(.movedFrom) { departed.renames.note(event.cookie) }
        let folders = tree.folders(of: event.watch)
        if folders.isEmpty, !tree.isRetired(event.watch, isLast: event.mask.contains(.ignored)) {
            // A watch that nobody here asked for: something was missed.
            scanner.requestFullScan(at: moment)
        }
        for folder in folders where !folder.isGone { take(event, of: folder, at: moment) }
    }

    private func take(_ event: InotifyEvent, of folder: Folder, at moment: Moment) {
        if !event.mask.isDisjoint(with: Self.endings) {
            watchEnded(folder, event, at: moment)
        } else if let name = event.name {
            if event.mask.contains(.isFolder) {
                takeFolder(folder, name, event, at: moment)
            } else {
                let id = book.id(of: name, in: folder)
                if !isOwn(event.mask, name, id, in: folder) { folder.past.touched = moment.now }
                takeFile(folder, name, id, event, at: moment)
                if !folder.past.unfinished.isEmpty { course.reconsiderSubjects(of: name, in: folder, at: moment) }
            }
        } else if event.mask.contains(.attributes) {
            // Of a folder in an Inbox the one around it reports that too, unless something is mounted on it.
            attributesChanged(folder)
            if folder.parent == nil { folder.inbox.nextVerification = moment.now }
        }
    }

    /// Returns whether a name has left a folder by being filed, which is no touch of others.
    private func isOwn(_ mask: InotifyMask, _ name: FileName, _ id: ArrivalID?, in folder: Folder) -> Bool {
        guard !mask.isDisjoint(with: Self.departures), folder.folders[name] == nil else { return false }
        return id.map { book.isInPhase(.inFlight, $0) } ?? true
    }

    /// Perhaps a folder can be read now, or no longer, or what is in it can be moved.
    private func attributesChanged(_ folder: Folder) {
        if report.problems.has(.folder(folder.key)) { scanner.enqueue(folder) }
        scanner.retryFailures(in: folder)
    }

    /// Returns the cause with which the name of an event is inspected.
    private func cause(_ event: InotifyEvent, at moment: Moment) -> NameInspection.Cause {
        if event.mask.contains(.movedTo), departed.renames.has(event.cookie, at: moment.now) { return .renamedInside }
        return .event(event.mask)
    }

    private func takeFile(
        _ folder: Folder, _ name: FileName, _ id: ArrivalID?, _ event: InotifyEvent, at moment: Moment
    ) {
        let mask = event.mask
        guard let id else {
            // What leaves and was not known, or was filed just now, is no news.
            if mask.isDisjoint(with: Self.departures) {
                inspection.inspect(name, in: folder, because: cause(event, at: moment), at: moment)
            }
            return
        }
        let isInFlight = book.isInPhase(.inFlight, id)
        if mask.contains(.movedFrom) {
            if !isInFlight { course.markMissing(id, at: moment) }
        } else if mask.contains(.deleted) {
            guard !isInFlight else { return }
            course.withdraw(id)
            inspection.inspect(name, in: folder, because: .scan, at: moment)
        } else if mask.isDisjoint(with: Self.appearances), !(isInFlight && mask.contains(.closedAfterWriting)) {
            inspection.touched(id, mask, at: moment)
        } else {
            // While one is being filed, its name may already be another's: a close may be all that is heard of that.
            inspection.inspect(name, in: folder, because: cause(event, at: moment), at: moment)
        }
    }

    private func takeFolder(_ parent: Folder, _ name: FileName, _ event: InotifyEvent, at moment: Moment) {
        let mask = event.mask
        if mask.contains(.deleted) {
            // An emptied folder that was removed here is unknown by now: nobody else has touched the one around it.
            if let gone = parent.folders[name] {
                parent.past.touched = moment.now
                course.leave(gone, isTaken: true)
            }
            return inspection.inspect(name, in: parent, because: .scan, at: moment)
        }
        if !isOwn(mask, name, book.id(of: name, in: parent), in: parent) { parent.past.touched = moment.now }
        if mask.contains(.movedFrom) {
            departed.folders.append((parent, name, moment.now + ArrivalCourse.renameGrace))
            // One that is one document turns up as the same arrival.
            if let id = book.id(of: name, in: parent), !book.isInPhase(.inFlight, id) {
                course.markMissing(id, at: moment)
            }
        } else if mask.contains(.attributes) {
            if let folder = parent.folders[name] {
                course.trees.finish(folder)
                attributesChanged(folder)
            } else if inspection.hasFailed(name, in: parent) {
                // Perhaps it can be read now, or moved.
                inspection.inspect(name, in: parent, because: .scan, at: moment)
            }
        } else {
            inspection.inspect(name, in: parent, because: cause(event, at: moment), at: moment)
        }
    }

    /// Takes an event of a folder around an Inbox: whether the Inbox itself appeared, went or moved.
    private func takeAround(_ event: InotifyEvent, _ inboxes: [Inbox], at moment: Moment) -> Bool {
        var isAround = false
        for inbox in inboxes where inbox.coverage.aroundWatch == event.watch {
            isAround = true
            if event.mask.contains(.ignored) { inbox.coverage.aroundWatch = nil }
            if event.name == nil || event.name == inbox.name { inbox.nextVerification = moment.now }
        }
        return isAround
    }

    private func watchEnded(_ folder: Folder, _ event: InotifyEvent, at moment: Moment) {
        if event.mask.contains(.ignored) { tree.lostWatch(event.watch, of: folder) }
        if let (parent, name) = folder.parent {
            inspection.inspect(name, in: parent, because: .scan, at: moment)
        } else {
            folder.inbox.nextVerification = moment.now
        }
    }

    /// When a folder that was moved away has to have turned up.
    var nextDeadline: Instant { min(departed.folders.first?.due ?? .never, tree.nextDisplacement) }

    /// Inspects the names of the folders that were moved away and have not turned up elsewhere meanwhile.
    func settleDepartures(at moment: Moment) {
        let due = departed.folders.prefix { $0.due <= moment.now }
        departed.folders.removeFirst(due.count)
        for folder in tree.takeDisplaced(at: moment.now) { course.leave(folder) }
        for (parent, name, _) in due { inspection.inspect(name, in: parent, because: .scan, at: moment) }
    }
}
