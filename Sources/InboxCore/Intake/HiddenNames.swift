import InboxFiling
import InboxLinux

/// Hidden names inside a folder are filed last: when nothing else is left in it, and others have left it alone for
/// `FolderSettle` (section 4 of the contract, `IgnoreHidden`).
///
/// They wait by folder, not by name: a hundred thousand of them cost one inspection of their folder now and then.
final class HiddenNames {
    /// The time that a folder waits.
    private struct Wait {
        /// The time until it is inspected again.
        let patience: Duration
        /// When its names may be filed, if others leave it alone until then; nil where something else is left in it.
        var end: Instant?
    }

    /// The last answer at one moment.
    private struct Question {
        let now: Instant
        /// The last answer, for those who ask at the same moment.
        var last: (folder: Folder, quietSince: Instant?)?
    }

    /// The reason, in words, why a hidden name waits.
    static let words = "it is hidden: it is filed when nothing else is left in its folder, and others leave that alone"

    private let book: ArrivalBook
    private let tree: WatchedTree
    private let scanner: FolderScanner
    let futureTimes: FutureTimes
    private var deadlines = Deadlines<Folder>()
    /// The folders in which names wait.
    private var waiting: [Folder: Wait] = [:]
    /// The folders whose names may be filed, and those that were renamed while names waited somewhere.
    private var folders = (open: Set<Folder>(), moved: Set<Folder>())
    private var question = Question(now: Instant(nanoseconds: 0))

    init(_ book: ArrivalBook, _ tree: WatchedTree, _ scanner: FolderScanner, _ futureTimes: FutureTimes) {
        self.book = book
        self.futureTimes = futureTimes
        self.tree = tree
        self.scanner = scanner
    }

    private var now: Instant {
        get { question.now }
        set { if newValue != question.now { question = Question(now: newValue) } }
    }

    /// When a folder is inspected again.
    var nextDeadline: Instant { folders.moved.isEmpty ? deadlines.first : Instant(nanoseconds: 0) }

    /// Returns true if an arrival has to wait because its name, or that of a folder around it, is hidden.
    /// - Parameter moment: the present moment; nil for the time of the last release.
    func delays(_ arrival: Arrival, at moment: Moment? = nil) -> Bool {
        if let moment { now = moment.now }
        return hidingFolders(of: arrival.folder, arrival.name).contains { !isOpen($0) }
    }

    /// The folders in which a name on the way to this one is hidden, from the innermost on.
    private func hidingFolders(of folder: Folder, _ name: FileName) -> [Folder] {
        var hiding: [Folder] = []
        var (folder, name) = (folder, name)
        while let parent = folder.parent {
            if folder.inbox.ignoring.delays(name) { hiding.append(folder) }
            (folder, name) = parent
        }
        return hiding
    }

    private func isOpen(_ folder: Folder) -> Bool {
        if folders.open.contains(folder) {
            if let since = quietSince(folder), isQuiet(folder, since) { return true }
            folders.open.remove(folder)
        }
        if waiting[folder] == nil { wait(folder, Settling.firstPatience, until: now + Settling.firstPatience) }
        return false
    }

    private func wait(_ folder: Folder, _ patience: Duration, until instant: Instant) {
        waiting[folder] = Wait(patience: patience)
        deadlines.set(folder, at: instant)
    }

    /// When an arrival may be filed as far as its name is concerned; nil where that is not known.
    func turn(of arrival: Arrival) -> Instant? {
        let waits = hidingFolders(of: arrival.folder, arrival.name).compactMap { waiting[$0] }
        return waits.allSatisfy { $0.end != nil } ? waits.compactMap(\.end).max() : nil
    }

    private func isQuiet(_ folder: Folder, _ since: Instant) -> Bool {
        since + folder.inbox.settings.folderSettle <= now
    }

    /// A folder was renamed: names in it may wait for another folder now, or for none. They are decided anew once in a turn of
    /// the loop, however often it was renamed.
    func moved(_ folder: Folder) { if !waiting.isEmpty { folders.moved.insert(folder) } }

    /// The arrivals in the folders that were renamed since this was last asked for, of which that is to be decided.
    func takeMoved() -> [ArrivalID] {
        if folders.moved.isEmpty { return [] }
        var (rest, seen) = (Array(folders.moved), Set<Folder>())
        folders.moved = []
        var ids: [ArrivalID] = []
        while let next = rest.popLast() {
            guard !next.isGone, seen.insert(next).inserted else { continue }
            ids += book.delayed(in: next) { _ in true }
            rest += next.folders.values
        }
        return ids
    }

    /// Something has left a folder: names that wait there, or around it, may be all that remains.
    func left(_ folder: Folder) {
        guard !waiting.isEmpty else { return }
        var current: Folder? = folder
        while let next = current {
            if waiting[next] != nil { wait(next, Settling.firstPatience, until: now) }
            current = next.parent?.folder
        }
    }

    /// The arrivals, at most so many, that need not wait any longer.
    func release(most: Int, at moment: Moment) -> [ArrivalID] {
        now = moment.now
        var released: [ArrivalID] = []
        while released.count < most, let folder = deadlines.pop(dueAt: now)?.key {
            guard let patience = waiting.removeValue(forKey: folder)?.patience, !folder.isGone else { continue }
            let outer = folder.parent.map { hidingFolders(of: $0.folder, $0.name) } ?? []
            guard let since = quietSince(folder), outer.allSatisfy(isOpen) else {
                wait(folder, Settling.next(patience), until: now + patience)
                continue
            }
            let quietSince = isQuiet(folder, since) ? max(since, lastGrowth(in: folder, at: moment)) : since
            guard isQuiet(folder, quietSince) else {
                let end = quietSince + folder.inbox.settings.folderSettle
                wait(folder, Settling.firstPatience, until: end)
                waiting[folder]?.end = end
                continue
            }
            folders.open.insert(folder)
            let ids = delayed(in: folder)
            if ids.count > most - released.count { wait(folder, patience, until: now) }
            released += ids.prefix(most - released.count)
        }
        return released
    }

    /// The rules are others now: each folder is inspected at once.
    func reconsider(at moment: Moment) {
        now = moment.now
        for folder in waiting.keys { wait(folder, Settling.firstPatience, until: now) }
    }

    /// A folder has left the tree.
    func forget(_ folder: Folder) {
        folders.open.remove(folder)
        if waiting.removeValue(forKey: folder) != nil { deadlines.remove(folder) }
    }

    /// Returns whether some folders are waiting only for time to pass, until this instant at most.
    func isSettling(until end: Instant) -> Bool {
        waiting.keys.contains { folder in
            guard !folder.isGone, let since = quietSince(folder) else { return false }
            return since + folder.inbox.settings.folderSettle <= end
        }
    }

    /// Returns true if something beside a hidden arrival is held, so that the arrival stays too.
    func isKept(_ arrival: Arrival) -> Bool {
        hidingFolders(of: arrival.folder, arrival.name).contains { folder in
            !visit(folder) { inner, part in
                part == .hidden || !book.has(in: inner, besidesHidden: part == .itself) { $0.group == .held }
            }
        }
    }

    /// Returns the time since which others have left a folder alone, if only hidden names are left in it; nil if
    /// something else is. Ignored names do not count.
    private func quietSince(_ folder: Folder) -> Instant? {
        if let last = question.last, last.folder === folder { return last.quietSince }
        var since = folder.past.touched
        let isLeft = visit(folder) { inner, part in
            since = max(since, inner.past.touched)
            if scanner.isToRead(inner) { return false }
            return part == .hidden
                // A link may wait for what is hidden.
                || !book.has(in: inner, besidesHidden: part == .itself) {
                    $0.group != .ignored && $0 != .waiting(.gathering)
                }
        }
        question.last = (folder, isLeft ? since : nil)
        return isLeft ? since : nil
    }

    /// The relation of a folder to the one in which names are hidden.
    private enum Part {
        /// It is that folder.
        case itself
        /// It is in it, and hidden names in it wait for something else.
        case visible
        /// It, or a folder around it, is one of the hidden names.
        case hidden
    }

    /// Visits a folder and those in it, as long as `body` returns true.
    private func visit(_ folder: Folder, _ body: (Folder, Part) -> Bool) -> Bool {
        guard body(folder, .itself) else { return false }
        var rest: [(Folder, Part)] = folder.folders.map { ($0.value, $0.key.isHidden ? .hidden : .visible) }
        while let (next, part) = rest.popLast() {
            guard body(next, part) else { return false }
            rest += next.folders.values.map { ($0, part) }
        }
        return true
    }

    /// When something that is ignored last grew in a folder or those in it: a download sends no event while it does.
    private func lastGrowth(in folder: Folder, at moment: Moment) -> Instant {
        var latest = folder.past.touched
        // Each costs a system call, however many there are.
        var left = 64
        _ = visit(folder) { inner, _ in
            for name in book.ignored(in: inner, most: left) {
                left -= 1
                do throws(FolderError) {
                    let status = try tree.status(of: name, in: inner)
                    latest = max(latest, futureTimes.quietSince(status, at: moment))
                } catch {
                    // It has gone, or nobody can see it: then it does not grow.
                }
            }
            return left > 0
        }
        return latest
    }

    /// The arrivals that wait because of a folder, and not because of one inside it too.
    private func delayed(in folder: Folder) -> [ArrivalID] {
        var ids = book.delayed(in: folder) { $0 }
        var rest = folder.folders.filter(\.key.isHidden).map(\.value)
        while let next = rest.popLast() {
            let hasOwn = waiting[next] != nil
            ids += book.delayed(in: next) { !($0 && hasOwn) }
            rest += next.folders.filter { !($0.key.isHidden && hasOwn) }.map(\.value)
        }
        return ids
    }
}
