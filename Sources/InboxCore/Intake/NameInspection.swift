import InboxConfiguration
import InboxFiling
import InboxLinux

/// Inspects names and concludes what there is.
///
/// Events are hints; the folder is the truth: whatever a hint says, the name is inspected before anything is concluded.
final class NameInspection {
    /// A folder deeper than this is not walked but held.
    static let deepest = 100

    let book: ArrivalBook
    let tree: WatchedTree
    let scanner: FolderScanner
    let course: ArrivalCourse
    let discovery: ArrivalDiscovery
    private let report: IntakeReport
    let surveys: PackageSurveys
    /// Returns true if a folder of this name is one document.
    let isPackage: (FileName) -> Bool

    init(
        _ book: ArrivalBook, _ tree: WatchedTree, _ scanner: FolderScanner, _ course: ArrivalCourse,
        _ discovery: ArrivalDiscovery, _ surveys: PackageSurveys, _ report: IntakeReport,
        isPackage: @escaping (FileName) -> Bool
    ) {
        self.book = book
        self.tree = tree
        self.scanner = scanner
        self.course = course
        self.discovery = discovery
        self.report = report
        self.surveys = surveys
        self.isPackage = isPackage
    }

    /// The reason why a name is inspected.
    enum Cause {
        /// An event reported it.
        case event(InotifyMask)
        /// An event reported it, of a rename inside an Inbox or from one to another.
        case renamedInside
        /// A folder was read.
        case scan
        /// It was due.
        case due
        /// Someone asked, or the filing found it changed.
        case request

        var isMoveIn: Bool {
            if case .event(let mask) = self { return mask.contains(.movedTo) }
            return false
        }

        var isRename: Bool {
            if case .renamedInside = self { return true }
            return isMoveIn
        }

        var isCreation: Bool {
            if case .event(let mask) = self { return mask.contains(.created) }
            return false
        }

        var isNewFolder: Bool {
            if case .event(let mask) = self { return mask.contains([.created, .isFolder]) }
            return false
        }

        var isEvent: Bool {
            switch self {
            case .event, .renamedInside: return true
            case .scan, .due, .request: return false
            }
        }

        var isRequest: Bool {
            if case .request = self { return true }
            return false
        }
    }

    /// Inspects a name and draws the conclusions.
    func inspect(_ name: FileName, in folder: Folder, because cause: Cause, at moment: Moment) {
        guard !folder.isGone else { return }
        if tree.openFolders.isSilent(name, in: folder) {
            if let inner = folder.folders[name] { course.leave(inner) }
            holdMount(name, in: folder, at: moment)
            return
        }
        let status: FileStatus
        do throws(FolderError) { status = try tree.status(of: name, in: folder) } catch {
            if cause.isNewFolder, error.isAbsent { discovery.unwatched.noteGone() }
            failed(name, in: folder, error, because: cause, at: moment)
            return
        }
        // A staging folder, of whichever daemon, is no arrival.
        if status.kind == .directory, Instance.isStaging(name) {
            if status.owner == Process.user || folder.isForeign {
                report.noteStaging(SeenStaging(name: name, place: folder.bytePath))
            }
            return
        }
        // It travels whole, unless some of it was filed before the name appeared.
        if let whole = WholeFolder.candidate(name, in: folder), let (parent, own) = whole.parent,
            isClone(own, in: parent), isUntouched(whole)
        {
            course.absorb(whole)
            return inspect(own, in: parent, because: .scan, at: moment)
        }
        if status.kind == .directory {
            foundFolder(name, in: folder, status, because: cause, at: moment)
        } else {
            if let replaced = folder.folders[name] { course.leave(replaced, isTaken: true) }
            discovery.found(name, in: folder, status, because: cause, at: moment)
        }
    }

    /// A mount of somebody who is not trusted is held in one piece: its server is asked for nothing, not even its status.
    private func holdMount(_ name: FileName, in folder: Folder, at moment: Moment) {
        guard let mount = tree.openFolders.mount(of: name, in: folder), let stranger = mount.stranger,
            mount.path == folder.path(of: name)
        else { return }
        if book.id(of: name, in: folder) == nil {
            let status = FileStatus(untouchedMount: mount.number, of: stranger)
            let package = ArrivalFacts.Package(hasFiles: true, hasPartial: false, cost: .zero)
            discovery.found(name, in: folder, status, package, because: .scan, at: moment)
        }
        guard let id = book.id(of: name, in: folder), book[id]?.isInFlight == false else { return }
        let words =
            "a FUSE filesystem of the user \(stranger) is mounted there, which is not entered: unmount it, or have root or the "
            + "Inbox's owner mount it"
        course.hold(id, .permission, words, at: moment)
    }

    func failed(
        _ name: FileName, in folder: Folder, _ error: FolderError, because cause: Cause = .scan, at moment: Moment
    ) {
        // Nothing is known of it: it is left, and found anew when its mount answers.
        if case .silent = error { return }
        let known = book.id(of: name, in: folder)
        // Not the name but its folder is gone; a folder that a process still uses may send no event for that.
        guard case .failed(let error) = error else {
            lost(folder, at: moment)
            // It may be there again by now, or have been there all the time.
            if let known, !folder.isGone { course.waitLonger(known, at: moment) }
            return
        }
        // Where the name may well be there, inspect it again later rather than conclude.
        guard error.errno.isAbsent else {
            // Where the folder may not be searched any more, its reading reports that.
            if known == nil, error.errno.isDenied, cause.isEvent, tree.isDenied(folder) { scanner.enqueue(folder) }
            return retry(known, error, at: moment)
        }
        if let inner = folder.folders[name] { course.leave(inner, isTaken: true) }
        guard let known, let arrival = book[known], !arrival.isInFlight else { return }
        if case .missing(let since, _) = arrival.phase, since + ArrivalCourse.renameGrace <= moment.now {
            course.withdraw(known)
        } else {
            course.markMissing(known, at: moment)
        }
    }

    private func retry(_ id: ArrivalID?, _ error: SyscallError, at moment: Moment) {
        if error.errno.isWantOfDescriptors { report.noteShortage() }
        guard let id, let path = book[id]?.path else {
            // Nothing else would bring it back: there is no arrival yet that could be due.
            if error.errno.isTransient { scanner.requestFullScan(notBefore: moment.now + .seconds(5)) }
            return
        }
        guard book[id]?.isInFlight == false else { return }
        if error.errno.isWantOfDescriptors {
            course.retry(id, error.words(at: path), at: moment)
        } else {
            course.retryLoudly(id, error.words(at: path), at: moment)
        }
    }

    /// A walked folder is not where it was: whoever is above it is inspected.
    func lost(_ folder: Folder, at moment: Moment) {
        if let (parent, name) = folder.parent {
            tree.openFolders.forget(parent)
            inspect(name, in: parent, because: .scan, at: moment)
        } else {
            tree.openFolders.clear()
            folder.inbox.nextVerification = moment.now
        }
    }

    /// An event reported that somebody closed or changed a known arrival: the quiet time begins anew, and the inspection
    /// at its end will show what it has become.
    func touched(_ id: ArrivalID, _ mask: InotifyMask, at moment: Moment) {
        guard let arrival = book[id], !arrival.isInFlight else { return }
        guard case .waiting = arrival.state else {
            inspect(arrival.name, in: arrival.folder, because: .event(mask), at: moment)
            return
        }
        book.update(id) { facts in
            facts.quietSince = moment.now
            facts.needsQuiet = true
            facts.patience = Settling.firstPatience
            if mask.contains(.closedAfterWriting) { (facts.sawWriter, facts.mayBeOpen) = (nil, false) }
        }
        if arrival.facts?.cameWhole == false {
            course.trees.touch(arrival.folder, of: book.owner(of: id), since: moment.now, at: moment)
        }
        inspect(arrival.name, in: arrival.folder, because: .due, at: moment)
    }
}

// Folders.
extension NameInspection {
    /// A folder has the name: it is walked, unless it is one document, or the ignore list or its depth forbid it.
    private func foundFolder(
        _ name: FileName, in parent: Folder, _ status: FileStatus, because cause: Cause, at moment: Moment
    ) {
        guard !parent.isAround else { return }
        let key = status.identity.file
        if let known = parent.folders[name] {
            if known.isFolder(key) { return }
            if cause.isEvent, tree.folder(key) != nil {
                // The two may have exchanged their names: give it the time to turn up under another one.
                tree.displace(known, until: moment.now + ArrivalCourse.renameGrace)
            } else {
                course.leave(known)
            }
        }
        let isIgnored = parent.ignores(name)
        // What is left of a clone that was taken apart is at least whole itself.
        let isRepository = parent.parent != nil && WholeFolder.repositories.contains(name)
        if !isIgnored, isWhole(name, in: parent) || isRepository || isClone(name, in: parent) {
            return foundPackage(name, in: parent, status, because: cause, at: moment)
        }
        let isWalked = !isIgnored && parent.depth < Self.deepest
        if let id = book.id(of: name, in: parent), let arrival = book[id] {
            if arrival.isFile(status, FileMark(status)) {
                let isUnread = isHeldForPermission(name, in: parent)
                if isWalked ? isUnread && isDenied(id, name, in: parent, at: moment) : !isUnread { return }
            }
            book.releaseName(of: id)
            if !arrival.isInFlight { book.remove(id, as: .absorbed) }
        }
        if isWalked {
            walk(key, name, in: parent, status, because: cause, at: moment)
        } else {
            discovery.appeared(name, in: parent, status, FileMark(status), nil, because: .scan, at: moment)
        }
    }

    /// Returns true if a folder is one document because of its name, or because every folder is.
    func isWhole(_ name: FileName, in parent: Folder) -> Bool {
        parent.inbox.settings.folders == .whole || isPackage(name)
    }

    /// Returns whether a folder is the clone of a repository, or another that travels whole for what it holds.
    private func isClone(_ name: FileName, in parent: Folder) -> Bool {
        let ignoring = parent.inbox.ignoring
        do throws(FolderError) {
            let opened = try tree.open(parent)
            return try tree.openFolders.enter(parent.path(of: name)) { (mayCross) throws(SyscallError) in
                try WholeFolder.contains(opened.directory.folder(name, mayCross: mayCross), ignoring)
            }
        } catch {
            // Where it cannot be inspected the walk says why.
            return false
        }
    }

    /// A folder that became one document while something in it was being filed travels whole if that has stayed: by a `.git`
    /// that appeared in it, or by other rules.
    func reconsiderWhole(around folder: Folder, at moment: Moment) {
        var current: Folder? = folder
        while let next = current, !next.isGone {
            if next.past.mayBeWhole, let (parent, name) = next.parent, isPackage(name), isUntouched(next) {
                course.absorb(next)
                return inspect(name, in: parent, because: .scan, at: moment)
            }
            for mark in WholeFolder.marks where next.folders[mark] != nil || book.id(of: mark, in: next) != nil {
                inspect(mark, in: next, because: .scan, at: moment)
            }
            if next.isGone { return }
            current = next.parent?.folder
        }
    }

    /// Returns true if no document of a walked folder has been filed, is being filed, or was put back.
    ///
    /// Events may ask this again and again of a folder with very many names. Therefore it is remembered that one of
    /// them has been filed, and those that are being filed are searched among all arrivals in flight.
    func isUntouched(_ folder: Folder) -> Bool {
        if folder.past.wasSplit { return false }
        var folders = [folder]
        var position = 0
        while position < folders.count {
            if folders[position].past.wasFilled {
                folder.past.wasSplit = true
                return false
            }
            folders.append(contentsOf: folders[position].folders.values)
            position += 1
        }
        if book.isFiling(in: folder) { return false }
        return !folders.contains { book.has(in: $0, besidesHidden: false) { $0 == .held(.undone) } }
    }

    private func walk(
        _ key: FileKey, _ name: FileName, in parent: Folder, _ status: FileStatus, because cause: Cause,
        at moment: Moment
    ) {
        if let moved = tree.folder(key), !moved.isGone, hasLeft(moved) {
            if moved.inbox === parent.inbox {
                take(moved, into: parent, as: name, at: moment)
                return
            }
            course.leave(moved)
        }
        if tree.isFull { makeRoom(for: status.owner, in: parent) }
        guard !tree.isFull else { return discovery.crowded(parent) }
        let since = cause.isEvent ? moment.now : Settling.quietSince(changed: status.changed, at: moment)
        parent.past.touched = max(parent.past.touched, since)
        // Entering it counts one more that is not watched, until it is.
        let isFromOutside = discovery.isFromOutside(status, in: parent, because: cause)
        let folder = tree.enter(status, at: .inside(parent, name), in: parent.inbox, moment: moment)
        scanner.enqueue(folder)
        folder.past.emptySince = since
        // Whoever has moved in a folder has touched those in it.
        folder.past.touched = parent.parent == nil ? since : max(since, parent.past.touched)
        // Nothing was in a folder that was made while the one around it was watched.
        folder.past.wasRead = cause.isNewFolder
        if isFromOutside {
            folder.past.movedIn = status.changed
        } else if !cause.isRename, let movedIn = parent.past.movedIn, status.changed <= movedIn {
            folder.past.movedIn = movedIn
        }
        // What is in a folder that was moved in as it is has come from outside with it.
        if folder.past.movedIn == nil {
            discovery.unwatched.noteWatched(since: status.identity.file.birth)
            course.trees.touch(folder, of: status.owner, since: since, isFolder: true, at: moment)
        }
    }

    /// Makes room for a folder of this owner: some of the largest owner's go, with what is in them, as if they had never been
    /// seen. The folders around them are read again when there is room.
    private func makeRoom(for owner: UInt32, in parent: Folder) {
        for folder in tree.folders(givingRoomTo: owner, in: parent, isFree: book.isFree) {
            guard let around = folder.parent?.folder else { continue }
            discovery.crowded(around)
            course.absorb(folder)
        }
    }

    /// Returns true if a folder is no longer where it was.
    private func hasLeft(_ folder: Folder) -> Bool {
        guard let (parent, name) = folder.parent else { return false }
        do throws(FolderError) {
            return try !folder.isFolder(tree.status(of: name, in: parent).identity.file)
        } catch {
            return error.isAbsent
        }
    }

    /// A walked folder was renamed inside its Inbox: it keeps its watch, and its arrivals stay the same.
    private func take(_ folder: Folder, into parent: Folder, as name: FileName, at moment: Moment) {
        let former = folder.parent?.folder
        guard tree.move(folder, into: parent, as: name) else { return }
        if let former { course.left(former) }
        scanner.enqueue(folder)
        // What waited for its hidden name, or for that of a folder around it, may wait for another one now, or for none.
        course.moved(folder)
    }
}
