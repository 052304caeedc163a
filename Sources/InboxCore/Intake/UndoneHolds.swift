import InboxFiling
import InboxLinux

/// The documents that were put back and are held until they change or somebody asks for another try.
final class UndoneHolds {
    private struct Held {
        let document: UndoneDocument
        /// Where it was seen last.
        var place: BytePath
    }

    private var documents: [RecordID: Held] = [:]
    private var byInode: [UInt64: [RecordID]] = [:]
    private var byPath: [BytePath: RecordID] = [:]
    /// The paths to which documents are being put back. Whatever is at such a path is held.
    private var underWay: Set<BytePath> = []
    /// Receives the documents that are no longer held, to forget them in the state folder too.
    var released: ([RecordID]) -> Void = { _ in }

    /// The detail that is reported for such a document.
    static let words = "it was put back: it is filed again once it changes, or by \"inboxctl retry\""

    /// Whether nothing is held.
    var isEmpty: Bool { documents.isEmpty && underWay.isEmpty }

    /// A document is held from now on.
    func add(_ document: UndoneDocument) {
        guard documents[document.undo] == nil else { return }
        documents[document.undo] = Held(document: document, place: document.path)
        byInode[document.identity.file.inode, default: []].append(document.undo)
        byPath[document.path] = document.undo
    }

    /// Documents are being put back to these paths.
    /// - Returns: the paths of which that was so before and is no longer.
    func setUnderWay(_ paths: Set<BytePath>) -> Set<BytePath> {
        defer { underWay = paths }
        return underWay.subtracting(paths)
    }

    /// Whether what is at a path is held. A document that has changed is forgotten.
    func holds(_ identity: FileIdentity, at path: BytePath) -> Bool {
        if underWay.contains(path) { return true }
        let candidates = (byInode[identity.file.inode] ?? []) + (byPath[path].map { [$0] } ?? [])
        let files = candidates.compactMap { documents[$0]?.document }.filter { $0.isFile(identity, at: path) }
        if let document = files.first(where: { $0.isStill(identity, at: path) }) {
            // It may have been renamed since.
            leave(documents[document.undo]?.place, document.undo)
            documents[document.undo]?.place = path
            byPath[path] = document.undo
            return true
        }
        forget(files.map(\.undo))
        return false
    }

    /// Somebody asks for another try of what is at a path.
    func release(at path: BytePath) { forget(byPath[path].map { [$0] } ?? []) }

    /// Somebody asks for another try of everything.
    func releaseAll() { forget(Array(documents.keys)) }

    private func forget(_ ids: [RecordID]) {
        var gone: [RecordID] = []
        for id in Set(ids) {
            guard let held = documents.removeValue(forKey: id) else { continue }
            gone.append(id)
            let inode = held.document.identity.file.inode
            byInode[inode]?.removeAll { $0 == id }
            if byInode[inode]?.isEmpty == true { byInode[inode] = nil }
            leave(held.place, id)
        }
        if !gone.isEmpty { released(gone) }
    }

    /// A document is no longer at a path, unless another one is.
    private func leave(_ path: BytePath?, _ id: RecordID) {
        if let path, byPath[path] == id { byPath[path] = nil }
    }
}
