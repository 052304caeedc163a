import InboxFiling
import InboxLinux

/// The documents that were put back and are held until they change, their owners take them away, or somebody asks for
/// another try.
final class UndoneHolds {
    private struct Held {
        let document: UndoneDocument
        /// The document was put back just now, so that an event of it may not have been read yet.
        var isNew: Bool
        /// Where it was seen last.
        var place: BytePath
        /// The arrivals that it was seen as, one for each of its names.
        var arrivals: Set<ArrivalID> = []
    }

    private var documents: [RecordID: Held] = [:]
    private var byInode: [UInt64: [RecordID]] = [:]
    private var byPath: [BytePath: RecordID] = [:]
    private var byArrival: [ArrivalID: RecordID] = [:]
    private var underWay = UnderWay(paths: [], files: [])
    /// Those that their owners have taken away, as far as is known, and when they are forgotten unless they turn up under
    /// another name; `never` until that is planned.
    private var departed: [RecordID: Instant] = [:]
    /// The documents that are being put back, or were and are not recorded yet.
    struct UnderWay {
        /// Where to. Whatever is at such a path is held.
        let paths: Set<BytePath>
        /// The files that have their names there, by their inode numbers. Their owners may have moved them on in the
        /// Inbox.
        private let files: [UInt64: [FileKey]]

        init(paths: Set<BytePath>, files: [FileKey]) {
            self.paths = paths
            self.files = Dictionary(grouping: files, by: \.inode)
        }

        fileprivate func has(_ file: FileKey, at path: BytePath) -> Bool {
            paths.contains(path) || files[file.inode]?.contains { $0.isFile(file) } == true
        }
    }

    /// Returns true if an arrival is still there.
    var isThere: (ArrivalID) -> Bool = { _ in true }
    /// Receives the documents that are no longer held, to forget them in the state folder too.
    var released: ([RecordID]) -> Void = { _ in }

    /// The detail that is reported for such a document.
    static let words = "it was put back: it is filed again once it changes, or by \"inboxctl retry\""

    /// Nothing is held.
    var isEmpty: Bool { documents.isEmpty && underWay.paths.isEmpty }

    /// A document is held from now on.
    /// - Parameter isNew: whether it was put back just now.
    func add(_ document: UndoneDocument, isNew: Bool = false) {
        guard documents[document.undo] == nil else { return }
        documents[document.undo] = Held(document: document, isNew: isNew, place: document.path)
        byInode[document.identity.file.inode, default: []].append(document.undo)
        byPath[document.path] = document.undo
    }

    /// These documents are being put back.
    /// - Returns: the paths of which that was so before and is no longer.
    func setUnderWay(_ now: UnderWay) -> Set<BytePath> {
        defer { underWay = now }
        return underWay.paths.subtracting(now.paths)
    }

    /// Returns true if the file at a path is held. A document that has changed is forgotten.
    /// - Parameter id: the arrival that the file is.
    func holds(_ identity: FileIdentity, at path: BytePath, as id: ArrivalID) -> Bool {
        if underWay.has(identity.file, at: path) { return true }
        let candidates = (byInode[identity.file.inode] ?? []) + (byPath[path].map { [$0] } ?? [])
        let files = candidates.compactMap { documents[$0]?.document }.filter { $0.isFile(identity, at: path) }
        if let document = files.first(where: { $0.isStill(identity, at: path) }) {
            see(document.undo, at: path, as: id)
            return true
        }
        forget(files.map(\.undo))
        return false
    }

    private func see(_ undo: RecordID, at path: BytePath, as id: ArrivalID) {
        guard var held = documents[undo] else { return }
        // It may have been renamed since.
        leave(held.place, undo)
        held.isNew = false
        held.place = path
        byPath[path] = undo
        for other in held.arrivals where !isThere(other) {
            held.arrivals.remove(other)
            byArrival[other] = nil
        }
        if let other = byArrival[id], other != undo { documents[other]?.arrivals.remove(id) }
        held.arrivals.insert(id)
        byArrival[id] = undo
        departed[undo] = nil
        documents[undo] = held
    }

    /// Somebody asks for another try of an arrival.
    func release(_ id: ArrivalID) { forget(byArrival[id].map { [$0] } ?? []) }

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
            for arrival in held.arrivals { byArrival[arrival] = nil }
            departed[id] = nil
        }
        if !gone.isEmpty { released(gone) }
    }

    /// A document is no longer at a path, unless another one is.
    private func leave(_ path: BytePath?, _ id: RecordID) {
        if let path, byPath[path] == id { byPath[path] = nil }
    }
}

// Documents that are there no more.
extension UndoneHolds {
    /// An arrival has gone.
    /// - Parameter isTaken: whether its owner has taken it away; else nothing is known of it until it is found anew.
    func left(_ id: ArrivalID, isTaken: Bool) {
        guard let undo = byArrival.removeValue(forKey: id) else { return }
        documents[undo]?.arrivals.remove(id)
        // Another name of it may be there.
        if isTaken, documents[undo]?.arrivals.contains(where: isThere) == false { departed[undo] = .never }
    }

    /// A document was taken away and is not forgotten yet.
    var hasDeparted: Bool { !departed.isEmpty }

    /// When the next of them is forgotten.
    var nextDeparture: Instant { departed.values.min() ?? .never }

    /// Plans when those are forgotten that have been taken away since the last time.
    func planDepartures(_ due: (BytePath) -> Instant) {
        for (undo, planned) in departed where planned == .never {
            departed[undo] = documents[undo].map { due($0.place) }
        }
    }

    /// Forgets those whose time has come.
    /// - Parameter isGone: whether it is known that nothing is at the place where one was seen last.
    func forgetDeparted(at now: Instant, where isGone: (BytePath) -> Bool) {
        let due = departed.filter { $0.value <= now }.keys
        for undo in due { departed[undo] = nil }
        forget(due.filter { documents[$0].map { isGone($0.place) } == true })
    }

    /// Forgets documents of a user that no arrival is, the oldest first.
    /// - Parameters:
    ///   - most: so many at most.
    ///   - isGone: whether it is known that one is not merely on a disk that is absent.
    func forgetAbsent(_ most: Int, of user: UInt32, where isGone: (UndoneDocument, BytePath) -> Bool) {
        let absent = documents.values.filter { held in
            held.document.user == user && !held.isNew && !held.arrivals.contains(where: isThere)
                && isGone(held.document, held.place)
        }
        forget(absent.map(\.document.undo).sorted { $0.text < $1.text }.prefix(most).map { $0 })
    }
}
