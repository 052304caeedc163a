import InboxCore
import InboxFiling
import InboxLinux

/// Reports what others change at the top level of Documents, while a client follows the events: what file lists
/// live on. What the daemon itself files is reported as filed.
final class ContentWatch {
    private static let mask: InotifyMask = [
        .created, .deleted, .movedFrom, .movedTo, .selfDeleted, .selfMoved, .onlyFolder,
    ]
    /// The time to wait for the IN_MOVED_TO half of a rename before reporting a removal.
    private static let renameGrace = Duration.milliseconds(20)
    /// The time to wait for the record that shows that the daemon itself added a name.
    private static let recordGrace = (least: Duration.milliseconds(300), most: Duration.seconds(10))
    /// The pause before Documents is tried again after it could not be watched.
    private static let pause = Duration.seconds(2)
    /// The maximum number of changes that wait to be reported.
    private static let mostChanges = 4096

    private struct Change {
        let path: BytePath
        let kind: ContentChange
        let seen: Instant
    }

    private let loop: EventLoop
    private let work: InboxWork
    private var watching: (inotify: Inotify, token: Epoll.Token, documents: BytePath)?
    private var nextTry = Instant(nanoseconds: 0)
    private var changes: [Change] = []
    private var departed: [(cookie: UInt32, path: BytePath, seen: Instant)] = []
    private var filed = FiledLately()
    /// The number of the last event that was searched for filed documents.
    private var searched = 0

    init(_ work: InboxWork, loop: EventLoop) {
        self.work = work
        self.loop = loop
    }

    /// When something is due.
    var nextDeadline: Instant {
        guard watching != nil else { return work.intake.events.followers > 0 ? nextTry : .never }
        let removal = departed.first.map { $0.seen + Self.renameGrace } ?? .never
        return min(removal, nextReport)
    }

    /// Begins or ends watching, and reports what is due.
    func proceed(at now: Instant) {
        guard work.intake.events.followers > 0 else { return end() }
        let documents = work.configuration.documents
        if let watching, watching.documents != documents { end() }
        if watching == nil, nextTry <= now { begin(documents, at: now) }
        noteFiled(at: now)
        settleDepartures(at: now)
        report(at: now)
    }

    private func begin(_ documents: BytePath, at now: Instant) {
        do throws(SyscallError) {
            let inotify = try Inotify()
            guard try watch(documents, by: inotify.watches) else {
                nextTry = now + Self.pause
                return
            }
            let token = try loop.add(inotify.descriptor, for: .readable) { [unowned self] _ in takeEvents() }
            watching = (inotify, token, documents)
            searched = work.intake.events.last
        } catch {
            // That Documents cannot be reached is a problem that others report.
            nextTry = now + Self.pause
        }
    }

    /// False where the mount that Documents lies on does not answer.
    private func watch(_ documents: BytePath, by watches: InotifyWatches) throws(SyscallError) -> Bool {
        do throws(MountError<SyscallError>) {
            _ = try work.intake.roots.call(at: documents) { () throws(SyscallError) in
                try watches.add(try Directory.open(path: documents).descriptor, for: Self.mask)
            }
            return true
        } catch {
            switch error {
            case .silent: return false
            case .failed(let error): throw error
            }
        }
    }

    private func end() {
        if let (inotify, token, _) = watching {
            do throws(SyscallError) { try loop.remove(inotify.descriptor, token) } catch {
                // Closing it takes it out of the loop as well.
            }
        }
        watching = nil
        nextTry = Instant(nanoseconds: 0)
        (changes, departed, filed) = ([], [], FiledLately())
    }

    // MARK: Events

    private func takeEvents() {
        guard let (inotify, _, documents) = watching else { return }
        let now = Instant.now()
        var isLost = false
        do throws(SyscallError) {
            _ = try inotify.read { event in
                if !event.mask.isDisjoint(with: [.overflow]) { add(.unknown, documents, at: now) }
                if !event.mask.isDisjoint(with: [.selfDeleted, .selfMoved, .unmounted, .ignored]) { isLost = true }
                if let name = event.name {
                    take(event, documents.appending(name), at: now)
                }
            }
        } catch {
            isLost = true
        }
        guard isLost else { return }
        end()
        nextTry = now + Self.renameGrace
        // Whatever is there next differs from what was there.
        add(.unknown, documents, at: now)
    }

    private func take(_ event: InotifyEvent, _ path: BytePath, at now: Instant) {
        guard isOthers(path) else { return }
        if event.mask.contains(.movedFrom) {
            departed.append((event.cookie, path, now))
        } else if event.mask.contains(.movedTo),
            let index = departed.firstIndex(where: { $0.cookie == event.cookie })
        {
            add(.renamed(from: departed.remove(at: index).path), path, at: now)
        } else if !event.mask.isDisjoint(with: [.movedTo, .created]) {
            add(.added, path, at: now)
        } else if event.mask.contains(.deleted) {
            add(.removed, path, at: now)
        }
    }

    /// Returns true if a name is neither an Inbox nor one of the daemon's own.
    private func isOthers(_ path: BytePath) -> Bool {
        !path.lastComponent.starts(with: ".inboxd-".utf8) && !work.configuration.inboxes.contains { $0.path == path }
    }

    private func add(_ kind: ContentChange, _ path: BytePath, at now: Instant) {
        if changes.count == Self.mostChanges {
            // Whoever follows has to read Documents again in any case.
            changes = [Change(path: work.configuration.documents, kind: .unknown, seen: now)]
        }
        if kind == .unknown, changes.last?.kind == .unknown { return }
        changes.append(Change(path: path, kind: kind, seen: now))
    }

    // MARK: Reports

    /// When the first change is reported at the latest: while documents are filed, their records come in between.
    private var nextReport: Instant {
        guard let first = changes.first else { return .never }
        let grace = work.filing?.isIdle == false ? Self.recordGrace.most : Self.recordGrace.least
        return first.kind == .added ? first.seen + grace : Instant(nanoseconds: 0)
    }

    private func settleDepartures(at now: Instant) {
        while let first = departed.first, first.seen + Self.renameGrace <= now {
            departed.removeFirst()
            add(.removed, first.path, at: first.seen)
        }
    }

    private func noteFiled(at now: Instant) {
        let events = work.intake.events
        for number in max(searched + 1, events.oldest)..<max(searched + 1, events.oldest, events.last + 1) {
            guard case .filed(let record)? = events[number]?.kind else { continue }
            filed.add(record.destination, in: work.configuration.documents, at: now)
        }
        searched = events.last
        filed.forget(at: now)
    }

    /// Reports changes in their order. An addition waits until it would be known if the daemon itself had made it.
    private func report(at now: Instant) {
        let isFiling = work.filing.map { !$0.isIdle } ?? false
        while let change = changes.first {
            if change.kind == .added {
                let isOwn = filed.explains(change.path, seen: change.seen, within: Self.recordGrace.least, at: now)
                let isOpen = now < change.seen + (isFiling ? Self.recordGrace.most : Self.recordGrace.least)
                if !isOwn, isOpen { return }
                changes.removeFirst()
                if isOwn { continue }
            } else {
                changes.removeFirst()
            }
            work.intake.events.record(.content(change.kind), at: .path(change.path))
        }
    }
}
