import InboxLinux
import Synchronization

/// The documents that are on their way to folders where identical ones are to be skipped, in all batches and copies.
///
/// Of two identical ones that come at once, neither finds the other at the destination: the later one waits until the
/// earlier one is there.
final class DocumentsUnderWay: Sendable {
    /// The properties that identical documents share.
    struct Likeness: Hashable, Sendable {
        /// The folder that they go to; nil where it does not matter.
        let folder: FileKey?
        /// The name that they get if it is free; nil where it does not matter.
        let wanted: FileName?
        let size: UInt64
    }

    /// A document that is under way.
    struct Entry {
        /// The id of its record.
        let document: RecordID
        /// The folder that it lies in, and its name there.
        let folder: OpenFolder
        let name: FileName
        let file: FileKey
    }

    private let entries = Mutex<[Likeness: [Entry]]>([:])

    /// Enters a document that lies in this folder, unless one that may be identical is under way: then nil.
    func enter(
        _ document: PreparedDocument, from folder: OpenFolder, _ comparison: Comparison
    ) throws(Comparison.Failure) -> Likeness? {
        let entry = Entry(
            document: document.id, folder: folder, name: document.request.name,
            file: document.status.identity.file)
        let likeness = try Self.likeness(of: document)
        return try enter(entry, as: likeness, comparison) ? likeness : nil
    }

    /// Enters a document, unless one that may be identical is under way. Returns whether it was entered.
    func enter(
        _ entry: Entry, as likeness: Likeness, _ comparison: Comparison
    ) throws(Comparison.Failure) -> Bool {
        // Entered before it is compared: of two that come at the same moment one sees the other.
        let others = entries.withLock { entries in
            defer { entries[likeness, default: []].append(entry) }
            return entries[likeness] ?? []
        }
        do throws(Comparison.Failure) {
            for other in others where other.file != entry.file {
                guard try mayBeIdentical(comparison, to: other) else { continue }
                leave(entry.document, likeness)
                return false
            }
            return true
        } catch {
            leave(entry.document, likeness)
            throw error
        }
    }

    /// Takes a document out that was entered.
    func leave(_ document: RecordID, _ likeness: Likeness) {
        entries.withLock { entries in
            entries[likeness]?.removeAll { $0.document == document }
            if entries[likeness]?.isEmpty == true { entries[likeness] = nil }
        }
    }

    private static func likeness(of document: PreparedDocument) throws(Comparison.Failure) -> Likeness {
        do throws(SyscallError) {
            let folder = try document.reached.folder.directory.status().identity.file
            return Likeness(folder: folder, wanted: document.wanted, size: document.status.size)
        } catch {
            throw .failed(error)
        }
    }

    private func mayBeIdentical(_ comparison: Comparison, to other: Entry) throws(Comparison.Failure) -> Bool {
        let file: OpenFile
        do throws(SyscallError) {
            file = OpenFile(try other.folder.directory.file(other.name))
            guard try file.descriptor.status().identity.file == other.file else { return true }
        } catch {
            // Being copied, or at its destination since a moment ago.
            if error.errno.isAbsent { return true }
            // What may not be read is not known to be identical.
            if error.errno.isDenied { return false }
            throw .failed(error)
        }
        return try comparison.isEqual(to: file)
    }
}
