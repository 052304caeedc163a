import InboxConfiguration
import InboxFiling
import InboxLinux

// Partials that nobody will complete: one may be a document that only has such a name.
extension ArrivalCourse {
    /// A partial is stale that has not changed for so long.
    private static let staleAge = Duration.seconds(86_400)
    /// Names. More of an Inbox are not inspected in one safety scan.
    private static let mostInspected = 1_024

    /// Finds the partials in an Inbox that have not changed for a day, and that are parts of nothing that is there: they are a
    /// line of the status.
    func findStale(in inbox: Inbox, at moment: Moment) {
        var rest = inbox.top.map { [$0] } ?? []
        var inspected = 0
        var found: [BytePath] = []
        while let folder = rest.popLast() {
            rest.append(contentsOf: folder.folders.values)
            guard !folder.past.unfinished.isEmpty else { continue }
            for name in folder.past.unfinished.all where inspected < Self.mostInspected && isAlone(name, in: folder) {
                inspected += 1
                if isStale(name, in: folder, at: moment) { found.append(folder.bytePath.appending(name)) }
            }
        }
        let subject = Problems.Subject.partials(inbox.path)
        guard let first = found.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) else {
            return report.end(subject)
        }
        let others = found.count == 1 ? "" : ", and \(found.count - 1) more like it"
        report.begin(
            subject,
            "\(first) is ignored as a part of a download that has not gone on for a day\(others): rename it if it is a "
                + "document, or remove it",
            about: [first])
    }

    /// Returns whether an ignored name is that of a partial of nothing that is there.
    private func isAlone(_ name: FileName, in folder: Folder) -> Bool {
        guard folder.ignores(name), let found = UnfinishedName(ignored: name), found.kind == .partial else {
            return false
        }
        return !found.subjects.contains { subject in
            guard let name = subject.name else { return false }
            return book.id(of: name, in: folder) != nil || folder.folders[name] != nil
        }
    }

    private func isStale(_ name: FileName, in folder: Folder, at moment: Moment) -> Bool {
        do throws(FolderError) {
            let status = try tree.status(of: name, in: folder)
            guard let age = status.identity.modified.age(at: moment.wall) else { return false }
            return age >= Self.staleAge
        } catch {
            // It has gone, or nothing is known of it now.
            return false
        }
    }
}
