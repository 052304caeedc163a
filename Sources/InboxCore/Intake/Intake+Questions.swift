import InboxConfiguration
import InboxFiling
import InboxLinux

// Questions.
extension Intake {
    /// The Inbox folders that are open at the moment.
    var openFolders: OpenFolders { parts.tree.openFolders }

    /// The folders of all Inboxes that are walked: no document is filed into one of them.
    var walkedFolders: Set<FileKey> { parts.tree.keys }

    /// Every arrival that is there now, by path.
    package func arrivals(_ group: ArrivalState.Group? = nil) -> [Arrival] {
        parts.book.ids(group).compactMap { parts.book[$0] }.map { ($0, $0.path.bytes) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .map { $0.0 }
    }

    /// The same, each searched when it is asked for. What arrives meanwhile may be among them, and what is there all the
    /// time is.
    func numbersInTurn(_ group: ArrivalState.Group?) -> AnyIterator<ArrivalID> {
        let book = parts.book
        var slot: UInt32 = 0
        return AnyIterator { book.nextID(group, from: &slot) }
    }

    /// The arrival of this number, if it is still there.
    package func arrival(_ id: ArrivalID) -> Arrival? { parts.book[id] }

    /// The walked folder of these names beneath an Inbox.
    func folder(at names: [FileName], in root: BytePath) -> Folder? {
        names.reduce(inboxes.first { $0.path == root }?.top) { $0?.folders[$1] }
    }

    /// The walked folders inside the Inboxes in which nothing is, each searched for when it is asked for.
    package func emptyFolders() -> AnyIterator<Folder> {
        var rest = inboxes.compactMap(\.top).flatMap(\.folders.values)
        return AnyIterator { [self] in
            while let folder = rest.popLast() {
                rest += folder.folders.values
                if isEmpty(folder) { return folder }
            }
            return nil
        }
    }

    /// Returns true if nothing is in a walked folder, as far as it was read.
    func isEmpty(_ folder: Folder) -> Bool {
        !folder.isGone && folder.folders.isEmpty && parts.book.isFree(folder) && !parts.scanner.isToRead(folder)
            && trouble(with: folder) == nil
    }

    /// Returns the reason, in words, why a walked folder cannot be read or watched; nil if it can.
    func trouble(with folder: Folder) -> String? { parts.report.problems.words(of: .folder(folder.key)) }

    /// The arrival, a folder itself, that what has these names beneath an Inbox is a part of.
    func arrival(around names: [FileName], in root: BytePath) -> Arrival? {
        (1..<max(1, names.count)).lazy.compactMap { self.arrival(at: Array(names.prefix($0)), in: root) }.first
    }

    /// Returns the reason why the file or folder with these names beneath an Inbox is not listed, with advice; nil if
    /// there is no such reason.
    func reasonUnlisted(at names: [FileName], in root: BytePath) -> String? {
        var folder = inboxes.first { $0.path == root }?.top
        for name in names.dropLast() { folder = folder?.folders[name] ?? folder }
        return folder.flatMap { parts.discovery.reasonUnlisted(in: $0) }
    }

    /// The arrival that has these names beneath an Inbox.
    func arrival(at names: [FileName], in root: BytePath) -> Arrival? {
        guard let name = names.last, let top = inboxes.first(where: { $0.path == root })?.top else { return nil }
        let folder = names.dropLast().reduce(top as Folder?) { $0?.folders[$1] }
        return folder.flatMap { parts.book.id(of: name, in: $0) }.flatMap { parts.book[$0] }
    }

    /// The arrival that another one, which waits, belongs to by its name, and is filed with.
    func document(of arrival: Arrival) -> Arrival? {
        guard arrival.state.group == .waiting, !arrival.folder.isAround, arrival.facts?.package == nil else {
            return nil
        }
        guard var document = parts.course.document(of: arrival) else { return nil }
        // Before anything is filed, nothing may have joined its document yet, and a companion has one of its own.
        for _ in 0..<8 {
            guard let next = parts.course.document(of: document) else { return document }
            document = next
        }
        return nil
    }

    /// When an arrival that waits since its name is hidden has its turn, if others leave its folder alone until then; nil
    /// where something else is left in the folder, or it does not wait for that.
    package func turn(ofHidden arrival: Arrival) -> Instant? {
        arrival.state == .waiting(.sibling) ? parts.hidden.turn(of: arrival) : nil
    }

    /// One minute: `--once` waits for no quiet time that ends later.
    private static let soon = Duration.seconds(60)

    /// Nothing is waiting that would be filed after a short quiet time: only writers, downloads and back-off are left.
    var isWaitingForOthersOnly: Bool {
        let end = Instant.now() + Self.soon
        return kernelEvents.nextDeadline == .never && !parts.discovery.canRelieveCrowd
            && !parts.hidden.isSettling(until: end) && !parts.course.trees.isSettling
            && parts.book.allActive.allSatisfy { arrival in
                switch arrival.phase {
                case .observing(let until) where arrival.state == .waiting(.settling): return until > end
                case .queued, .queuedForCopy, .inFlight: return false
                // What it waited for no longer matters: it turns up under another name in a moment, or is withdrawn.
                case .missing where roots.silent.isEmpty: return false
                case .observing, .resting, .missing: break
                }
                return switch arrival.state {
                case .waiting(.gathering) where arrival.facts?.status.kind == .symlink:
                    parts.course.awaitsOthers(arrival, at: .current())
                case .held, .ignored, .waiting(.writing), .waiting(.retrying), .waiting(.sibling),
                    .waiting(.incomplete), .waiting(.empty), .waiting(.unready), .waiting(.gathering):
                    true
                case .waiting(.settling), .waiting(.copying), .waiting(.checking): false
                }
            }
    }

    /// Reports what has happened.
    func report(_ happening: Happening) { parts.report.add(happening) }

    /// Takes note of a problem, and reports it once.
    /// - Parameter paths: what it is about, where the subject does not say so, and what else the words name.
    func begin(_ subject: Problems.Subject, _ text: String, about paths: [BytePath] = []) {
        parts.report.begin(subject, text, about: paths)
    }

    /// Takes note that a problem is over, and reports that once.
    func end(_ subject: Problems.Subject) { parts.report.end(subject) }

    /// There is no inotify instance, so everything is polled.
    package func noteWithoutEvents(_ error: SyscallError) {
        begin(
            .noEvents,
            "no inotify instance is free (\(error.errno)), so changes in the Inboxes are found by polling: raise "
                + "fs.inotify.max_user_instances with sysctl(8) and restart inboxd")
    }

    /// The kernel's events cannot be read, so what reports them is polled.
    package func noteDeaf(_ error: SyscallError) {
        for inbox in inboxes { inbox.coverage.isDeaf = true }
        begin(
            .noEvents,
            "cannot read the kernel's events (\(error)), so changes in the Inboxes are found by polling until that "
                + "succeeds: if it goes on, restart inboxd with a higher LimitNOFILE= or fs.file-max")
    }

    /// The kernel's events are read again: what has happened meanwhile may be among those that were lost.
    package func noteHearing(at moment: Moment) {
        for inbox in inboxes { inbox.coverage.isDeaf = false }
        parts.tree.noteLoss()
        requestFullScan(at: moment)
        end(.noEvents)
    }
}
