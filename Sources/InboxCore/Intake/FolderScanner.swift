import InboxFiling
import InboxLinux

/// The folders that are to be read, and how far each has been read. Only this class holds that state.
final class FolderScanner {
    /// The result of one step of a reading.
    enum Step {
        /// A name in a folder, and what is held and tried again there.
        case name(FileName, Folder, Retries)
        /// An arrival in a folder that the reading has not met: it may have appeared later, or be gone.
        case unmet(ArrivalID, Folder)
        /// The end of a folder.
        case end(Folder, Reading)
        /// A folder that cannot be read.
        case failed(Folder, FolderError)
    }

    /// The arrivals that are tried again when a folder is read.
    enum Retries: Int {
        /// Nothing.
        case nothing
        /// Those that are held because a permission is missing.
        case permissions
        /// That, and what waits for its next try.
        case failures
        /// Everything.
        case everything
    }

    /// One reading of one folder.
    struct Reading {
        /// The arrivals that are tried again.
        let retries: Retries
        /// The folder had arrivals when the reading began; those that have appeared since need not be met.
        let hasKnown: Bool
        /// The walked folders that it has met.
        fileprivate var met: Set<Folder> = []

        /// Returns true if the reading has met this walked folder.
        func hasMet(_ folder: Folder) -> Bool { met.contains(folder) }
    }

    /// A folder that is being read, a part at a time.
    private final class OpenReading {
        let folder: Folder
        var reading: Reading
        var names: FolderNames
        /// The arrivals that were not met; nil until every name was read.
        var unmet: [ArrivalID]?
        /// The number of steps that were taken since the reading's turn began.
        var steps = 0

        init(_ folder: Folder, _ reading: Reading, _ names: consuming FolderNames) {
            self.folder = folder
            self.reading = reading
            self.names = names
        }
    }

    /// Steps: after so many of one folder another owner's is read on, if one waits.
    static let turn = 512
    /// Folders of so many owners are read by turns at most.
    private static let mostOpen = 8

    private let tree: WatchedTree
    private let book: ArrivalBook
    /// The folders that are being read, each of another owner, the one whose turn it is first: however much of one user's
    /// there is to be read, another's folder, or the Inbox itself, does not wait until all that is read.
    private var open: [OpenReading] = []
    private var row = OwnerQueue<Folder>()
    /// The folders that are waiting in the row, each with the arrivals in it that are tried again.
    private var waiting: [Folder: Retries] = [:]
    /// The folders that wait for room, and whether any has since there was room for all.
    private var crowded = (folders: Set<Folder>(), wasAny: false)
    private var fullScan = (next: Instant.never, last: Instant?.none)
    /// The number of times that a folder was to be added to the row, including folders that were already in it.
    private(set) var enqueuedCount = 0

    init(of tree: WatchedTree, _ book: ArrivalBook) {
        self.tree = tree
        self.book = book
    }

    /// Folders are being read or waiting to be read.
    var isReading: Bool { !open.isEmpty || !row.isEmpty }

    /// The folders that are to be read: those that are being read, and then the others.
    var foldersToRead: [Folder] {
        let opened = open.map(\.folder)
        return opened + row.elements.filter { folder in !opened.contains { $0 === folder } }
    }

    /// Returns true if a folder is being read or waiting for it, so that not everything in it is known.
    func isToRead(_ folder: Folder) -> Bool {
        open.contains { $0.folder === folder } || waiting[folder] != nil || isPostponed(folder)
    }

    /// Returns true if a folder is waiting for room.
    func isPostponed(_ folder: Folder) -> Bool { crowded.folders.contains(folder) }

    /// A folder is open for reading.
    var isOpen: Bool { !open.isEmpty }

    /// Puts a folder in the row of those to be read.
    func enqueue(_ folder: Folder, retrying retries: Retries = .nothing) {
        guard !folder.isGone else { return }
        enqueuedCount &+= 1
        if waiting[folder] == nil { row.append(folder, of: folder.owner) }
        if waiting[folder].map({ $0.rawValue < retries.rawValue }) ?? true { waiting[folder] = retries }
    }

    /// Enqueues the walked folders of an Inbox that are wanted, and tries again to watch those that are not watched, until
    /// there are no more watches: a try for each of very many folders would hold up the loop.
    func enqueueAll(
        of inbox: Inbox, retrying retries: Retries = .nothing, where isWanted: (Folder) -> Bool = { _ in true }
    ) {
        var rest = inbox.top.map { [$0] } ?? []
        var hasWatches = true
        while let folder = rest.popLast() {
            // Asked before: what has a watch from now on is read for what arrived until then.
            let isWanted = isWanted(folder)
            if hasWatches { hasWatches = tree.watch(folder) }
            if isWanted { enqueue(folder, retrying: retries) }
            rest.append(contentsOf: folder.folders.values)
        }
    }

    /// The owner or the mode of a folder has changed: what failed in it, or in the folders in it, is tried again.
    ///
    /// Only folders with failures are visited, and have none from then on: however often this is repeated, it costs no more
    /// than the tries that fail again.
    func retryFailures(in folder: Folder) {
        var rest = [folder]
        while let next = rest.popLast() {
            guard next.past.hasFailures else { continue }
            next.past.hasFailures = false
            enqueue(next, retrying: .failures)
            rest.append(contentsOf: next.folders.values)
        }
    }

    /// Reads on where the last step stopped; nil where nothing waits.
    func next() -> Step? {
        if let step = change() { return step }
        guard let current = open.first else { return nil }
        current.steps += 1
        let folder = current.folder
        do throws(FolderError) {
            if current.unmet == nil, !folder.isGone {
                if let name = try current.names.next() { return .name(name, folder, current.reading.retries) }
                current.unmet = book.unmet(in: folder)
            }
            if !folder.isGone, let id = current.unmet?.popLast() { return .unmet(id, folder) }
            open.removeFirst()
            folder.past.isRead = true
            return .end(folder, current.reading)
        } catch {
            open.removeFirst()
            return .failed(folder, error)
        }
    }

    /// Opens the next folder where none is open, and where the turn of the open one has ended; that one goes on after those
    /// of other owners.
    /// - Returns: the failure, where it cannot be opened.
    private func change() -> Step? {
        if let current = open.first {
            guard current.steps >= Self.turn else { return nil }
            current.steps = 0
            open.append(open.removeFirst())
            guard open.count < Self.mostOpen else { return nil }
        }
        let owners = Set(open.map(\.folder.owner))
        var next: Folder?
        repeat { next = row.popFirst(besides: owners) } while next?.isGone == true
        guard let folder = next else { return nil }
        let retries = waiting.removeValue(forKey: folder) ?? .nothing
        do throws(FolderError) { try begin(folder, retries) } catch { return .failed(folder, error) }
        return nil
    }

    private func begin(_ folder: Folder, _ retries: Retries) throws(FolderError) {
        let opened = try tree.open(folder)
        tree.noteFilesystem(folder)
        tree.renewWatch(of: folder)
        let names = try FolderNames.begin(opened, at: folder.bytePath, tree.openFolders)
        let reading = Reading(retries: retries, hasKnown: !book.isFree(folder))
        open.insert(OpenReading(folder, reading, names), at: 0)
        folder.past.isRead = false
        book.beginReading(of: folder)
    }

    /// The reading has to meet arrivals that were known before.
    var meetsKnown: Bool { open.first?.reading.hasKnown ?? true }

    /// The reading has met this walked folder.
    func noteMet(_ folder: Folder) { open.first?.reading.met.insert(folder) }
}

// Readings that are due later.
extension FolderScanner {
    /// When everything is to be read again.
    var nextFullScan: Instant { fullScan.next }

    /// Everything is read again, though not more often than once a second.
    func requestFullScan(at moment: Moment) {
        requestFullScan(notBefore: max(moment.now, fullScan.last.map { $0 + .seconds(1) } ?? moment.now))
    }

    /// Everything is read again then, unless that is due earlier.
    func requestFullScan(notBefore instant: Instant) { fullScan.next = min(fullScan.next, instant) }

    /// Everything is read now.
    func beginFullScan(at moment: Moment) { fullScan = (.never, moment.now) }

    /// Folders are waiting for room, or were since the last ``relieve()``.
    var hasCrowded: Bool { crowded.wasAny }

    /// There is no room for all that is in a folder: it is read again when there is.
    func postpone(_ folder: Folder) {
        crowded.folders.insert(folder)
        crowded.wasAny = true
    }

    /// There is room: reads the folders that waited for it.
    func relieve() {
        for folder in crowded.folders { enqueue(folder) }
        crowded = ([], false)
    }

    /// A folder has left the tree. While nothing is read, whoever lets folders appear and go would fill the memory with them.
    func forget(_ folder: Folder) {
        crowded.folders.remove(folder)
        waiting[folder] = nil
        if row.count > 2 * waiting.count + Self.turn { row.removeAll(where: \.isGone) }
    }
}
