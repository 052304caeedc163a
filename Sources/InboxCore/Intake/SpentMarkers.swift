import InboxFiling
import InboxLinux

/// The markers whose documents are recorded, and which are to be removed.
///
/// One that releases several documents goes with the last of them, which shows only when its folder has been read.
final class SpentMarkers {
    private struct Key: Hashable {
        let folder: BytePath
        let marker: UnitMember
    }

    /// The entries of the journal, by the markers that they keep.
    private var waiting: [Key: [RecordID]] = [:]
    /// The outcomes of the arrivals that had markers, since they were last asked for: the record of each that has one.
    private var outcomes: [(arrival: ArrivalID?, record: RecordID?)] = []

    /// Takes note of what became of an arrival.
    /// - Parameter record: the id of its record; nil where it is still in the Inbox.
    func note(_ arrival: ArrivalID?, _ record: RecordID?) { outcomes.append((arrival, record)) }

    /// Returns the outcomes of the arrivals since the last time.
    func takeOutcomes() -> [(arrival: ArrivalID?, record: RecordID?)] {
        defer { outcomes = [] }
        return outcomes
    }

    /// The marker of a document that is recorded is to be removed.
    func add(_ entry: JournalEntry) {
        guard let marker = entry.marker, let folder = entry.source.parent else { return }
        let key = Key(folder: folder, marker: marker)
        if waiting[key]?.contains(entry.id) != true { waiting[key, default: []].append(entry.id) }
    }

    /// Removes those of which that may be decided.
    /// - Returns: the entries that keep none any more.
    func proceed(_ intake: Intake, at moment: Moment) -> [RecordID] {
        var ended: [RecordID] = []
        for (key, ids) in waiting where isDecided(key, in: intake, at: moment) {
            waiting[key] = nil
            ended += ids
        }
        return ended
    }

    /// Returns whether nothing is to be done any more with a marker.
    private func isDecided(_ key: Key, in intake: Intake, at moment: Moment) -> Bool {
        let parts = intake.parts
        // What is not in an Inbox any more is none of the daemon's.
        guard let inbox = intake.inboxes.first(where: { key.folder == $0.path || key.folder.isInside($0.path) }) else {
            return true
        }
        guard let top = inbox.top, !parts.surveys.isBusy else { return false }
        let names = key.folder.names.dropFirst(inbox.path.names.count)
        guard let folder = names.reduce(top as Folder?, { $0?.folders[$1] }) else { return !parts.scanner.isReading }
        guard folder.past.isRead, !parts.scanner.isToRead(folder) else { return false }
        // The last of them takes it along.
        guard parts.book.marked.row(of: key.marker.name, in: folder).ready.isEmpty else { return true }
        do throws(FolderError) {
            let opened = try parts.tree.open(folder)
            try parts.tree.openFolders.call(at: key.folder) { () throws(SyscallError) in
                try MarkerRemoval.perform(key.marker, in: opened)
            }
        } catch {
            switch error {
            case .silent: return false
            case .moved: return true
            case .failed(let error):
                if !error.errno.isAbsent {
                    let path = key.folder.appending(key.marker.name)
                    intake.report(.notice("the marker \(path), whose documents are filed, stays: \(error.errno)"))
                }
                return true
            }
        }
        if let id = parts.book.id(of: key.marker.name, in: folder), parts.book.state(of: id) == .ignored {
            // Its events find that it is known no longer; one that was written anew is found again.
            parts.course.withdraw(id)
            parts.inspection.inspect(key.marker.name, in: folder, because: .scan, at: moment)
        }
        return true
    }
}
