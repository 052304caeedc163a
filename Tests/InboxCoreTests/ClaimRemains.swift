import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

/// What killed runs leave of claims.
extension CopyStage {
    /// Claims a document of the source folder, or of a folder in that.
    func claim(
        _ name: String, in around: String? = nil, into staging: StagingFolder, _ id: RecordID
    ) throws -> (entry: JournalEntry, staged: StagedSource) {
        let path = [source, around].compactMap { $0 }.joined(separator: "/")
        let folder = OpenFolder(try Directory.open(path: BytePath(path)))
        let destination = try Directory.open(path: BytePath(target))
        let entry = JournalEntry(
            id: id, source: BytePath("\(path)/\(name)"), status: try folder.directory.status(of: aName(name)),
            destination: BytePath(target), name: aName(name), filesystem: try destination.filesystemMark(),
            since: history.mark,
            claim: JournalEntry.ClaimPlaces(
                from: BytePath(source), into: BytePath(source), on: try folder.directory.filesystemMark(),
                named: staging.instance.folderName, making: BytePath(target)))
        return (entry, try StagedSource.claim(aName(name), from: folder, into: staging, id))
    }

    /// The staging folder in the source folder, for a run that ends with `staging.end()`.
    func openStaging() throws -> StagingFolder {
        staging.begin()
        let folder = OpenFolder(try Directory.open(path: BytePath(source)))
        return try #require(try staging.folder(in: folder, at: BytePath(source)).folder)
    }

    /// Claims a document and records it, as a run does that is killed before it removes the source.
    /// - Parameter publish: gives a copy its name; gets the path of the source in its staging folder.
    /// - Returns: that path, and the id.
    func leaveRecorded(
        _ name: String, in around: String? = nil, publish: (String) throws -> Void
    ) throws -> (staged: String, id: RecordID) {
        var identifiers = RecordID.Source()
        let id = identifiers.next(at: .now())
        let folder = try openStaging()
        let claimed = try claim(name, in: around, into: folder, id)
        var entry = claimed.entry
        let status = try #require(try claimed.staged.status())
        let path = "\(source)/\(folder.instance.folderName)/source-\(id.text)/\(name)"
        try publish(path)
        let copy = try Directory.open(path: BytePath(target)).status(of: aName(name)).identity
        entry.copied = JournalEntry.Copied(copy: copy, source: status.identity, sourceChanged: status.changed)
        try journal.note([entry], isDurable: true)
        let record = FiledRecord(
            id: id, time: .now(), source: entry.source, destination: BytePath("\(target)/\(name)"),
            type: "public.data", mime: nil, size: status.size, evidence: "name", renamed: false, proof: .lease)
        try history.append(record.line, isDurable: true)
        try staging.end()
        Program.waitForStarts()
        return (path, id)
    }

    /// The first recovery of the entries, without those that compare contents.
    func firstFindings() throws -> Recovery.Findings {
        let end = ContinuousClock().now + Deadline.usual
        while true {
            Program.waitForStarts()
            let recoveries = try Recovery.started(in: state, history, documents: target, inboxes: [source])
            let findings = try #require(recoveries.first).perform()
            // A program that another test starts has the lock too, until it is that program.
            guard findings.lockedStaging != nil, ContinuousClock().now < end else { return findings }
        }
    }
}
