import InboxFiling
import InboxLinux

/// A call that waits for a document to be put back.
package final class UndoTicket {
    /// The result of an undo.
    package enum Ending {
        /// The document is at this path in the Inbox.
        case done(BytePath)
        /// It is where it was.
        case refused(UndoRefusal)
    }

    /// Nil while it goes on.
    package fileprivate(set) var ending: Ending?
    /// Where the document goes, and the files that go with it.
    fileprivate let paths: [BytePath]
    /// Who has asked for it.
    fileprivate let user: UInt32
    /// The document is no longer waiting for a worker.
    fileprivate var hasBegun = false

    fileprivate init(_ order: UndoOrder) {
        paths = order.paths
        user = order.user
    }
}

/// The documents that are being put back, and those that are held since.
///
/// From before its claim to the end of its entry in the journal, whatever is at a document's old path is held, so that no
/// kill and no event between the two lets it be filed again.
final class Undoing {
    /// So many of a user are under way or wait for a worker; of several users each has an equal part.
    private static let mostUnderWay = 64
    /// Records. Far more than can be undone while one search of the history is in flight.
    private static let mostDone = 16_384

    let file: UndoneFile
    private let journal: Journal
    private let intake: Intake
    private var tickets: [RecordID: UndoTicket] = [:]
    /// The records undone last: a search of the history that began before an undo does not find its record.
    private var done: (ids: Set<RecordID>, order: [RecordID]) = ([], [])

    init(_ file: UndoneFile, _ journal: Journal, _ intake: Intake) {
        self.file = file
        self.journal = journal
        self.intake = intake
    }

    /// Holds what earlier runs have put back, or were putting back.
    func begin(at moment: Moment) {
        intake.parts.undone.released = { [file, intake] ids in
            do throws(SyscallError) { try file.end(ids) } catch {
                intake.report(.notice("a document that was put back may be held again after a restart: \(error)"))
            }
        }
        for document in file.documents { hold(document, isNew: false, at: moment) }
        refresh(at: moment)
    }

    /// Returns true if the filing of a document has ended, of which the journal may know more than the history; false
    /// while a job that ends it is under way. A document of which an interruption has left something is not put back:
    /// that may be the only copy on the disk, or is yet to be compared with the document.
    /// - Throws: the reason why the filing has not ended, or that the document is already back or being put back.
    func hasFilingEnded(of id: RecordID) throws(UndoRefusal) -> Bool {
        guard tickets[id] == nil else { throw .failed("it is being put back") }
        if done.ids.contains(id) { throw .undone }
        switch journal.unfinished(id) {
        case nil: return true
        case .underWay?: return false
        case let entry?: throw .unfinished(entry)
        }
    }

    /// A document is about to be put back, of which nothing else is under way.
    func admit(_ order: UndoOrder) throws(UndoRefusal) -> UndoTicket {
        let waiting = tickets.values.reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
        if let count = Self.exhausted(order.user, Self.mostUnderWay, waiting) {
            throw .failed("\(count) documents are being put back for you: try again in a moment")
        }
        var held = file.counts.merging(waiting, uniquingKeysWith: +)
        if let count = Self.exhausted(order.user, UndoneFile.most, held) {
            intake.forgetAbsent(count - Self.part(of: UndoneFile.most, held) + 1, of: order.user)
            held = file.counts.merging(waiting, uniquingKeysWith: +)
        }
        if let count = Self.exhausted(order.user, UndoneFile.most, held) {
            throw .failed(
                "\(count) documents are held that were put back for you, or will be as soon as they are there again, as "
                    + "many as one of \(held.count) users may have: \"inboxctl retry\" files those that are there, and "
                    + "forgets the others")
        }
        let ticket = UndoTicket(order)
        tickets[order.id] = ticket
        return ticket
    }

    /// Returns the number that a user has if the user may have no more; otherwise nil. The limit is an equal part of
    /// what one user alone may have, and at least 1: a user who has none is never refused, whatever others have.
    static func exhausted(_ user: UInt32, _ most: Int, _ counts: [UInt32: Int]) -> Int? {
        guard let own = counts[user], own >= part(of: most, counts) else { return nil }
        return own
    }

    /// Returns the number that each of these users may have.
    private static func part(of most: Int, _ counts: [UInt32: Int]) -> Int { max(1, most / counts.count) }

    /// A worker is about to put a document back. As long as it has waited for that, its old path was free for others.
    func begin(_ order: UndoOrder) {
        tickets[order.id]?.hasBegun = true
        _ = intake.parts.undone.setUnderWay(underWay)
    }

    /// A job has ended.
    func end(_ report: UndoJob.Report, at moment: Moment) {
        let ticket = tickets.removeValue(forKey: report.order.id)
        switch report.outcome {
        case .done(let done):
            remember(report.order.id)
            take(done, at: moment)
            ticket?.ending = .done(done.record.source)
        case .unrecorded:
            remember(report.order.id)
            ticket?.ending = .done(report.order.source)
        case .refused(let refusal): ticket?.ending = .refused(refusal)
        }
        refresh(at: moment)
    }

    private func remember(_ id: RecordID) {
        guard done.ids.insert(id).inserted else { return }
        done.order.append(id)
        if done.order.count > Self.mostDone { done.ids.remove(done.order.removeFirst()) }
    }

    /// Recovery has recorded these, and has perhaps ended entries of others.
    func take(recovered: [UndoJob.Done], at moment: Moment) {
        for done in recovered { take(done, at: moment) }
        refresh(at: moment)
    }

    private func take(_ done: UndoJob.Done, at moment: Moment) {
        hold(done.document, isNew: true, at: moment)
        intake.report(.undone(done.record))
    }

    private func hold(_ document: UndoneDocument, isNew: Bool, at moment: Moment) {
        intake.parts.undone.add(document, isNew: isNew)
        intake.inspectAgain(document.path, at: moment)
    }

    private var underWay: UndoneHolds.UnderWay {
        let entries = journal.undoing
        let paths = tickets.values.filter(\.hasBegun).flatMap(\.paths) + entries.flatMap(\.targets)
        return UndoneHolds.UnderWay(paths: Set(paths), files: entries.flatMap(\.returned))
    }

    private func refresh(at moment: Moment) {
        for path in intake.parts.undone.setUnderWay(underWay) { intake.inspectAgain(path, at: moment) }
    }
}

extension JournalEntry {
    /// The paths that a document and the files that belong to it get.
    fileprivate var targets: [BytePath] {
        let former = FileName(source.lastComponent)
        let names = members.compactMap { member in
            former.flatMap { MemberName.renamed(member.name, of: $0, as: wanted) }
        }
        return ([wanted] + names).map(destination.appending)
    }

    /// The files that have those paths once they are back.
    fileprivate var returned: [FileKey] {
        guard claim == nil else { return copied.map { [$0.copy.file] } ?? [] }
        return [identity.file] + members.map(\.identity.file)
    }
}
