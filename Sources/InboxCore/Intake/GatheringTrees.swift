import InboxConfiguration
import InboxFiling
import InboxLinux

/// The folders in the Inboxes that are being filled, as `tar x`, `unzip`, `cp -r` or `rsync` fill one: what is created in one
/// waits until all of it is there (section 2a of the contract).
///
/// Each user's part of such a tree waits by itself, so that nobody can keep another user's documents waiting; only who owns the
/// top folder may. A tree is in memory as long as it grows.
final class GatheringTrees {
    /// One user's part of a folder of an Inbox.
    private struct Row: Hashable {
        let top: Folder
        let owner: UInt32
    }

    private struct Growth {
        /// When something was last created, written or changed.
        var touched: Instant
        /// The folder that was created last, if nothing was since: its files may come.
        var folder: Folder?
        /// The arrivals that wait for its end.
        var waiting: Set<ArrivalID> = []
        /// The time until it is inspected again when something in it is not finished.
        var patience = Settling.firstPatience
        /// Something in it is not finished.
        var isBlocked = false

        /// When it ends, if nothing else happens.
        var end: Instant { touched + GatheringTrees.quiet * (folder == nil ? 1 : 2) }
    }

    /// 3 s: how long nothing may have happened in a tree.
    static let quiet = Duration.seconds(3)
    /// Names: so many of the ignored ones are inspected, each of which costs a system call.
    private static let mostIgnored = 64
    /// Files: of so many it is asked whether all of them is written, which costs three.
    private static let mostAsked = 64

    private let book: ArrivalBook
    private let tree: WatchedTree
    private let scanner: FolderScanner
    private let futureTimes: FutureTimes
    private var growths: [Row: Growth] = [:]
    private var deadlines = Deadlines<Row>()
    /// The arrivals that need not wait any longer.
    private var released: ArraySlice<ArrivalID> = []

    init(_ book: ArrivalBook, _ tree: WatchedTree, _ scanner: FolderScanner, _ futureTimes: FutureTimes) {
        self.book = book
        self.tree = tree
        self.scanner = scanner
        self.futureTimes = futureTimes
    }

    /// When a tree is inspected again.
    var nextDeadline: Instant { released.isEmpty ? deadlines.first : Instant(nanoseconds: 0) }

    /// Some wait for nothing but the time.
    var isSettling: Bool { !released.isEmpty || growths.values.contains { !$0.isBlocked } }

    /// Returns the words that tell what an arrival waits for.
    static func words(_ top: Folder) -> String {
        let name = top.parent.map { EscapedBytes.printable($0.name.bytes) } ?? ""
        let stall = TimeSpan.text(top.inbox.settings.stallAfter)
        return
            "the folder \(name) is being filled: it waits until nothing in that has changed for \(TimeSpan.text(quiet)) "
            + "and nothing in it is being written, empty or a partial download, but at most \(stall)"
    }
}

// What happens in a tree.
extension GatheringTrees {
    /// Something was created in a folder, or has changed there. What is in the Inbox itself is no tree.
    /// - Parameter isFolder: whether it is that folder, which is new.
    func touch(
        _ folder: Folder, of owner: UInt32, since instant: Instant, isFolder: Bool = false, at moment: Moment
    ) {
        guard folder.inbox.settings.settle > .zero, instant + Self.quiet > moment.now, let top = folder.outermost else {
            return
        }
        let row = Row(top: top, owner: owner)
        if growths[row] == nil { deadlines.set(row, at: instant + Self.quiet) }
        change(row, Growth(touched: instant)) { growth in
            growth.touched = max(growth.touched, instant)
            growth.folder = isFolder ? folder : nil
            growth.patience = Settling.firstPatience
        }
    }

    private func change(_ row: Row, _ initial: Growth, _ change: (inout Growth) -> Void) {
        change(&growths[row, default: initial])
    }

    /// Who has created a folder has finished it: it got its times, or its mode.
    func finish(_ folder: Folder) {
        guard !growths.isEmpty, let top = folder.outermost else { return }
        let row = Row(top: top, owner: folder.owner)
        if growths[row]?.folder === folder { growths[row]?.folder = nil }
    }

    /// Returns whether what a user has created in a folder has to wait for more.
    func isGrowing(_ folder: Folder, of owner: UInt32) -> Bool {
        guard !growths.isEmpty, let top = folder.outermost else { return false }
        return growths[Row(top: top, owner: owner)] != nil
    }

    /// An arrival waits for the end of the tree that it is in. Returns when that is, if nothing else happens.
    func await(_ id: ArrivalID, in folder: Folder, of owner: UInt32) -> Instant? {
        guard let top = folder.outermost else { return nil }
        let row = Row(top: top, owner: owner)
        growths[row]?.waiting.insert(id)
        return growths[row]?.end
    }

    /// A folder has left the tree.
    func forget(_ folder: Folder) {
        guard !growths.isEmpty else { return }
        for row in growths.keys where row.top === folder {
            growths[row] = nil
            deadlines.remove(row)
        }
    }
}

// The end of a tree.
extension GatheringTrees {
    /// Returns the arrivals, at most so many, whose trees have ended.
    /// - Parameter isCompanion: whether an arrival waits for nothing but the one that it belongs to.
    func release(most: Int, at moment: Moment, isCompanion: (ArrivalID) -> Bool) -> ArraySlice<ArrivalID> {
        while released.count < most, let row = deadlines.pop(dueAt: moment.now)?.key {
            guard var growth = growths[row], !row.top.isGone else {
                growths[row] = nil
                continue
            }
            if growth.folder.map({ !isEmpty($0) }) == true { growth.folder = nil }
            growth.isBlocked = false
            if growth.end > moment.now {
                deadlines.set(row, at: growth.end)
            } else if isBlocked(row, at: moment, isCompanion) {
                growth.isBlocked = true
                deadlines.set(row, at: moment.now + growth.patience)
                growth.patience = Settling.next(growth.patience)
            } else {
                released += growth.waiting.sorted { $0.number < $1.number }
                growths[row] = nil
                continue
            }
            growths[row] = growth
        }
        defer { released = released.dropFirst(most) }
        return released.prefix(most)
    }

    private func isEmpty(_ folder: Folder) -> Bool { !folder.isGone && folder.folders.isEmpty && book.isFree(folder) }

    /// Returns whether something in a tree is not finished.
    private func isBlocked(_ row: Row, at moment: Moment, _ isCompanion: (ArrivalID) -> Bool) -> Bool {
        let owners = [row.owner, row.top.owner]
        if row.owner != row.top.owner, growths[Row(top: row.top, owner: row.top.owner)] != nil { return true }
        var (left, asked) = (Self.mostIgnored, 0)
        for folder in row.top.tree {
            // One for which there is no room is read when there is.
            if scanner.isToRead(folder), !scanner.isPostponed(folder) { return true }
            for id in book.arrivals(in: folder, areActive: true) where owners.contains(book.owner(of: id)) {
                if isUnfinished(id, isCompanion) { return true }
                if asked < Self.mostAsked, let file = written(id) {
                    asked += 1
                    if isHollow(file) { return true }
                }
            }
            for name in book.ignored(in: folder, most: left) {
                left -= 1
                if isGrowing(name, in: folder, at: moment) { return true }
            }
        }
        return false
    }

    private func isUnfinished(_ id: ArrivalID, _ isCompanion: (ArrivalID) -> Bool) -> Bool {
        switch book.state(of: id) {
        case .waiting(.writing)?, .waiting(.empty)?, .waiting(.settling)?: !book.isInPhase(.inFlight, id)
        // Not what waits since its name is hidden, or for the end of a link.
        case .waiting(.sibling)?:
            !book.isInPhase(.observing(until: .never), id) && !isCompanion(id)
                && book[id]?.facts?.status.kind != .symlink
        default: false
        }
    }

    /// The arrival, where it is a file whose writer may have made room for what comes: small ones have none, and one that got
    /// its times is complete.
    private func written(_ id: ArrivalID) -> Arrival? {
        guard let arrival = book[id], let facts = arrival.facts, facts.status.kind == .regular, facts.isWrittenHere,
            facts.status.size >= UnwrittenPart.least, !facts.wasGivenTime, !arrival.folder.isForeign
        else { return nil }
        return arrival
    }

    /// Returns whether a part of a file is not written.
    private func isHollow(_ arrival: Arrival) -> Bool {
        do throws(FolderError) {
            let (folder, name) = (try tree.open(arrival.folder), arrival.name)
            return try tree.openFolders.call(at: arrival.path) { () throws(SyscallError) in
                let file = try folder.directory.file(name, mayCross: false)
                return try UnwrittenPart.find(in: file, file.status(), mayWait: false) != .little
            }
        } catch {
            // Nothing is known of one that may not be read, nor where the filesystem does not tell.
            return false
        }
    }

    /// Returns whether a name that is ignored is that of a partial download, or of a file that is being written.
    private func isGrowing(_ name: FileName, in folder: Folder, at moment: Moment) -> Bool {
        do throws(FolderError) {
            let status = try tree.status(of: name, in: folder)
            let patience = name.isPartial ? folder.inbox.settings.stallAfter : Self.quiet
            return status.kind == .regular && futureTimes.quietSince(status, at: moment) + patience > moment.now
        } catch {
            return false
        }
    }
}

extension Folder {
    /// The folder just below the Inbox that it is, or is in; nil for the Inbox itself.
    var outermost: Folder? {
        var (folder, outermost): (Folder, Folder?) = (self, nil)
        while let parent = folder.parent {
            outermost = folder
            folder = parent.folder
        }
        return outermost
    }
}
