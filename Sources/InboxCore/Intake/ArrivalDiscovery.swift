import InboxFiling
import InboxLinux

/// Takes note of what is no walked folder: new arrivals, renamed ones, and what known ones are now.
final class ArrivalDiscovery {
    /// Among so many names of a file the one is looked for that it has no longer.
    private static let mostLinks = 8

    private let book: ArrivalBook
    private let tree: WatchedTree
    private let scanner: FolderScanner
    private let course: ArrivalCourse
    private let report: IntakeReport
    /// When folders were not watched yet.
    var unwatched = UnwatchedSpells()

    init(
        _ book: ArrivalBook, _ tree: WatchedTree, _ scanner: FolderScanner, _ course: ArrivalCourse,
        _ report: IntakeReport
    ) {
        self.book = book
        self.tree = tree
        self.scanner = scanner
        self.course = course
        self.report = report
    }

    /// Something that is not walked has the name.
    func found(
        _ name: FileName, in folder: Folder, _ status: FileStatus, _ package: ArrivalFacts.Package? = nil,
        because cause: NameInspection.Cause, at moment: Moment
    ) {
        let mark = FileMark(status)
        var checks: CheckProgress?
        if let id = book.id(of: name, in: folder), let known = book[id] {
            // Where inode numbers do not last, the name alone shows that it is the same.
            if known.isFile(status, mark) || folder.hasFleetingInodes {
                if !known.isInFlight { refresh(known, status, mark, package, because: cause, at: moment) }
                return
            }
            // Another file has the name. The one before may have been renamed: give it the time to turn up.
            checks = known.progressOfSuccessor
            book.releaseName(of: id)
            if !known.isInFlight { course.markMissing(id, at: moment) }
        }
        if let known = formerName(of: status, mark) {
            renamed(known, to: name, in: folder, status, mark, package, at: moment)
        } else {
            appeared(name, in: folder, status, mark, package, checks, because: cause, at: moment)
        }
    }

    /// The arrival that this file was under a name that it has no longer.
    private func formerName(of status: FileStatus, _ mark: FileMark) -> Arrival? {
        // A file with a flood of links is looked for among few of them: each inspection costs a system call, and each new link
        // has as many. One that is renamed counts as withdrawn and as a new one, if it is none of those.
        book.names(of: mark, most: Self.mostLinks).first { arrival in
            guard arrival.isFile(status, mark) else { return false }
            if arrival.folder.isGone { return true }
            do throws(FolderError) {
                // A second link is an arrival of its own.
                let there = try tree.status(of: arrival.name, in: arrival.folder)
                return there.identity.file != status.identity.file
            } catch {
                return error.isAbsent
            }
        }
    }

    /// A folder that will be surveyed has this name. Where it is an arrival under a name that it has no longer, that has
    /// another name: the survey may end much later than such an arrival is waited for.
    func follow(_ status: FileStatus, to name: FileName, in folder: Folder, at moment: Moment) {
        guard book.id(of: name, in: folder) == nil, let known = formerName(of: status, FileMark(status)) else { return }
        book.move(known.id, to: folder, as: name)
        if let arrival = book[known.id] { report.record(.renamed(from: known.path), of: arrival) }
        // What the survey finds is decided on whatever has changed.
        if !known.isInFlight { course.markMissing(known.id, at: moment) }
    }

    private func renamed(
        _ known: Arrival, to name: FileName, in folder: Folder, _ status: FileStatus, _ mark: FileMark,
        _ package: ArrivalFacts.Package?, at moment: Moment
    ) {
        let wasHidden = known.state == .ignored || known.name.isHidden
        book.move(known.id, to: folder, as: name)
        if let arrival = book[known.id] { report.record(.renamed(from: known.path), of: arrival) }
        // What filing makes of it is decided when its outcome is known.
        if known.isInFlight { return }
        // Under another name another rule may hold: nothing of the former verdict counts.
        if known.state.group != .waiting {
            course.transition(known.id, to: .waiting(.settling), .observing(until: .never), at: moment)
        }
        book.wake(known.id, status, at: moment)
        book.update(known.id) { facts in
            facts.quietSince = moment.now
            facts.needsQuiet = true
            facts.isWrittenHere = false
            facts.wasPartial = known.name.bytes.elementsEqual(name.bytes + ".part".utf8)
            // rsync keeps the part that it has, and gives it a time in which nothing was written.
            facts.isMarkedIncomplete = wasHidden && (0..<86_400).contains(status.identity.modified.seconds)
            facts.trouble = nil
        }
        if let arrival = book[known.id] { refresh(arrival, status, mark, package, because: .request, at: moment) }
    }

    /// Returns true if a file or folder was certainly renamed into the Inbox. A rename out of a folder that is, or
    /// was, not watched sends no event.
    func isFromOutside(_ status: FileStatus, in folder: Folder, because cause: NameInspection.Cause) -> Bool {
        cause.isMoveIn && folder.inbox.coverage.unwatchedCount == 0 && !unwatched.contain(status)
    }

    /// Takes a new arrival in.
    /// - Parameter checks: the progress of the one that it has replaced.
    func appeared(
        _ name: FileName, in folder: Folder, _ status: FileStatus, _ mark: FileMark, _ package: ArrivalFacts.Package?,
        _ checks: CheckProgress? = nil, because cause: NameInspection.Cause, at moment: Moment
    ) {
        let cameWithFolder = !cause.isRename && folder.past.movedIn.map { status.changed <= $0 } ?? false
        let isFromOutside = isFromOutside(status, in: folder, because: cause)
        // A second name of an arrival needs the quiet time that the first one needs.
        let isLink =
            cause.isCreation && status.links > 1
            && !book.names(of: mark, most: Self.mostLinks).contains { $0.facts?.needsQuiet == true }
        let isForeign = folder.isForeign
        let since = cause.isEvent ? moment.now : Settling.quietSince(changed: status.changed, at: moment)
        // Before there is room for it, which must not end the tree.
        if !isFromOutside, !cameWithFolder {
            course.trees.touch(folder, of: status.owner, since: since, at: moment)
        }
        let added = add(name, in: folder, status, mark, package, at: moment) { facts in
            facts.package = package
            facts.checks = checks
            facts.isWrittenHere = !cause.isRename && !cameWithFolder && !isLink
            facts.cameWhole = isFromOutside || cameWithFolder
            facts.mayBeOpen = status.kind == .regular && !facts.cameWhole && !isLink
            if isFromOutside || cameWithFolder || isLink {
                facts.needsQuiet = false
            } else if cause.isEvent {
                facts.quietSince = moment.now
            }
            facts.isUnprovable = isForeign
            if isForeign || package != nil { facts.quietSince = moment.now }
        }
        guard let id = added else { return crowded(folder) }
        folder.past.touched = max(folder.past.touched, since)
        let isIgnored = folder.ignores(name)
        if !isIgnored { course.noteDocument(in: folder, at: moment) }
        report.record(.arrived(status.identity.file, size: status.size, owner: status.owner), of: id, name, in: folder)
        course.evaluate(id, isIgnored: isIgnored, at: moment)
    }

    /// Returns true if the file or folder would be filed, judging by its name and kind.
    private func isDocument(
        _ name: FileName, in folder: Folder, _ status: FileStatus, _ package: ArrivalFacts.Package?
    ) -> Bool {
        switch status.kind {
        case .symlink where folder.inbox.settings.symlinks != .move: false
        case .special: false
        case .directory where package == nil: false
        case .symlink, .directory, .regular: !folder.ignores(name)
        }
    }

    /// Takes a new arrival in, if need be in the place of some of an owner that has more, or of some that are not filed.
    private func add(
        _ name: FileName, in folder: Folder, _ status: FileStatus, _ mark: FileMark, _ package: ArrivalFacts.Package?,
        at moment: Moment, completing complete: (inout ArrivalFacts) -> Void
    ) -> ArrivalID? {
        if let id = book.add(name, in: folder, status, mark, at: moment, completing: complete) { return id }
        let isDocument = isDocument(name, in: folder, status, package)
        let hasContent = package?.hasFiles ?? (status.size > 0)
        let emptied = book.makeRoom(for: status.owner, isDocument: isDocument, hasContent: hasContent)
        for folder in emptied { crowded(folder) }
        return emptied.isEmpty ? nil : book.add(name, in: folder, status, mark, at: moment, completing: complete)
    }

    /// Takes note of what a known arrival is now.
    private func refresh(
        _ arrival: Arrival, _ status: FileStatus, _ mark: FileMark, _ package: ArrivalFacts.Package?,
        because cause: NameInspection.Cause, at moment: Moment
    ) {
        let hasChanged = arrival.hasChanged(status, mark)
        // One survey serves all who ask for it meanwhile: an arrival whose time has come is inspected whatever the cause.
        let isDue = arrival.nextLook <= moment.now
        if case .scan = cause, !hasChanged, !arrival.isMissing, !isDue { return }
        // Filing has put it back.
        if cause.isRename, !hasChanged, !arrival.isMissing, !isDue { return }
        let isSettled = arrival.state.group != .waiting
        if isSettled, !hasChanged, !cause.isEvent, !arrival.isMissing, !cause.isRequest {
            course.awaitsRelease(arrival.id, at: moment)
            return
        }
        // Another name of the file was filed, which changes its change time: nobody fills the tree.
        let hasOtherName = !cause.isEvent && status.links > 1 && arrival.facts?.status.identity == status.identity
        book.wake(arrival.id, status, at: moment)
        book.update(arrival.id) { facts in
            if status.size != facts.status.size {
                facts.grown = moment.now
                facts.patience = Settling.firstPatience
            }
            if hasChanged {
                facts.needsQuiet = facts.needsQuiet || status.identity != facts.status.identity
                let quietSince = Settling.quietSince(changed: status.changed, at: moment)
                // Nobody holds a lease of a whole package. On a filesystem that other machines write to, a lease says
                // nothing about them, and the times are those of another clock.
                let isObserved = package != nil || arrival.folder.isForeign
                facts.quietSince = isObserved ? moment.now : max(facts.quietSince, quietSince)
                facts.trouble = nil
                // Some filesystems change what is in a package when a try moves it.
                if package == nil, status.identity != facts.status.identity { facts.unseenChanges = 0 }
                if status.identity != facts.status.identity {
                    facts.mayBeIncomplete = false
                    facts.mayBeDuplicate = false
                    facts.needsMarker = nil
                    facts.isMarkedIncomplete = false
                    facts.missing = 0
                }
            }
            if cause.isEvent { facts.quietSince = moment.now }
            facts.mayBeOpen = facts.mayBeOpen || (hasChanged && !cause.isEvent && status.kind == .regular)
            facts.isUnprovable = facts.isUnprovable || arrival.folder.isForeign
            facts.package = package
            facts.status = status
        }
        if hasChanged { arrival.folder.past.touched = max(arrival.folder.past.touched, moment.now) }
        if (hasChanged || cause.isEvent) && !hasOtherName, arrival.facts?.cameWhole != true, !arrival.folder.isAround {
            let since = cause.isEvent ? moment.now : Settling.quietSince(changed: status.changed, at: moment)
            course.trees.touch(arrival.folder, of: status.owner, since: since, at: moment)
        }
        course.evaluate(arrival.id, at: moment)
    }

    /// There is no room for all arrivals, or all folders, in a folder: it is read again when there is.
    func crowded(_ folder: Folder) {
        scanner.postpone(folder)
        folder.past.wasCrowded = true
        // That there are too many waiting ones passes by itself.
        guard book.isCrowded || tree.isFull else { return }
        report.beginOnce(
            .crowd,
            "more than \(book.limits.all) arrivals are there, or \(tree.limitText); those of the users who have most "
                + "are taken in when there is room")
    }

    /// Returns the reason why something in a walked folder is not listed, with advice; nil if there is room for it.
    func reasonUnlisted(in folder: Folder) -> String? {
        guard scanner.isPostponed(folder) else { return nil }
        if let crowd = book.crowd { return crowd.words }
        return tree.hasRoom ? nil : "\(tree.limitText): it is taken in by itself when there are a tenth less"
    }

    /// Some folders were too full and a tenth of the room is free now, so the rest of them is read next.
    var canRelieveCrowd: Bool { scanner.hasCrowded && book.hasRoom && tree.hasRoom }

    /// Reads the folders that were too full, once a tenth of the room is free.
    func relieveCrowd() {
        guard canRelieveCrowd else { return }
        scanner.relieve()
        report.end(.crowd)
    }
}
