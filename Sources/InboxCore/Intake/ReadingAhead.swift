import InboxFiling
import InboxLinux

/// Reads ahead for the users who have few arrivals, while the many of somebody else hold the scan back.
///
/// After an overflow only reading finds what was missed, and what one user has in an Inbox must not keep another's document
/// from being found. Names of users below their share alone are taken in here, and nothing is remembered of the others: their
/// folders still wait for the scan, which finds them when there is room. So this needs no memory for them.
final class ReadingAhead {
    /// A folder that is being read.
    private struct Reading: ~Copyable {
        let folder: Folder
        var names: FolderNames
    }

    /// One reading of all folders that waited when it began.
    private struct Pass: ~Copyable {
        let began: Instant
        /// The folders that are still to be read, the next one last.
        var row: [Folder]
        var reading: Reading?
    }

    /// The shortest time between two passes.
    private static let leastPause = Duration.milliseconds(50)

    private let book: ArrivalBook
    private let tree: WatchedTree
    private let scanner: FolderScanner
    private let inspection: NameInspection
    private var pass: Pass?
    /// When the next pass may begin, and how often a folder had been enqueued when the last one began: without another one
    /// the next pass would find nothing that events do not report.
    private var next = (pass: Instant(nanoseconds: 0), enqueued: 0)
    /// Who has fewer arrivals than these is below his share; counted once in each turn of the loop.
    private var share = (most: 0, at: Instant?.none)

    init(_ book: ArrivalBook, _ tree: WatchedTree, _ scanner: FolderScanner, _ inspection: NameInspection) {
        self.book = book
        self.tree = tree
        self.scanner = scanner
        self.inspection = inspection
    }

    /// When it goes on, while the scan is held back.
    var nextDeadline: Instant {
        if pass != nil { return Instant(nanoseconds: 0) }
        return isWanted ? next.pass : .never
    }

    private var isWanted: Bool { scanner.isReading && scanner.enqueuedCount != next.enqueued }

    /// The scan has read everything, or nothing waits for it: there is nothing to be found ahead of it.
    func stop() { pass = nil }

    /// Inspects one name, or opens one folder, while the scan is held back; false where there is nothing to be done now.
    func proceed(at moment: Moment) -> Bool {
        if pass == nil {
            guard isWanted, next.pass <= moment.now else { return false }
            next.enqueued = scanner.enqueuedCount
            pass = Pass(began: moment.now, row: scanner.foldersToRead.reversed())
        }
        if share.at != moment.now { share = (max(book.fairShare, inspection.surveys.fairShare), moment.now) }
        do throws(FolderError) {
            if let folder = pass?.reading?.folder {
                if !folder.isGone, let name = try pass?.reading?.names.next() {
                    try meet(name, in: folder, at: moment)
                } else {
                    pass?.reading = nil
                }
            } else if let folder = pass?.row.popLast() {
                try open(folder)
            } else {
                // As long as it took: whoever goes on adding folders gets no more than half of the time.
                let took = moment.now - (pass?.began ?? moment.now)
                next.pass = moment.now + max(Self.leastPause, took)
                pass = nil
                return false
            }
        } catch {
            // Whatever is wrong with the folder, the scan reports it.
            pass?.reading = nil
        }
        return true
    }

    private func open(_ folder: Folder) throws(FolderError) {
        if folder.isGone { return }
        let opened = try tree.open(folder)
        let status = try tree.openFolders.call(at: folder.bytePath) { () throws(SyscallError) in
            try opened.directory.status()
        }
        // What only its owner can put there is his, and he has his share.
        guard status.permissions & 0o022 != 0 || isBelowShare(status.owner) else { return }
        let names = try FolderNames.begin(opened, at: folder.bytePath, tree.openFolders)
        pass?.reading = Reading(folder: folder, names: names)
    }

    private func meet(_ name: FileName, in folder: Folder, at moment: Moment) throws(FolderError) {
        guard book.id(of: name, in: folder) == nil, folder.folders[name] == nil,
            !tree.openFolders.isSilent(name, in: folder)
        else { return }
        let status: FileStatus
        do throws(FolderError) { status = try tree.status(of: name, in: folder) } catch {
            // The name alone may have gone; the others are read on.
            guard case .failed = error else { throw error }
            return
        }
        guard isBelowShare(status.owner) else { return }
        inspection.inspect(name, in: folder, because: .scan, at: moment)
        if let inner = folder.folders[name] { pass?.row.append(inner) }
    }

    private func isBelowShare(_ owner: UInt32) -> Bool {
        book.waitingCount(of: owner) + inspection.surveys.count(of: owner) < share.most
    }
}
