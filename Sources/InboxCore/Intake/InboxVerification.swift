import InboxConfiguration
import InboxFiling
import InboxLinux

/// Inspects whether the Inboxes are where they should be, and creates those that are missing.
final class InboxVerification {
    /// The time that an Inbox may be missing before it is created again.
    private static let missingGrace = Duration.seconds(2)
    /// The pause before the next inspection when too many files were open for this one.
    private static let shortagePause = Duration.seconds(1)

    /// Opens the Inboxes and creates those that are missing.
    let roots: Roots
    /// Creates folders.
    var making = FolderMaking()
    /// The state folder that documents are filed with, by its path without links; nil while none is filed.
    var state: BytePath?
    private let tree: WatchedTree
    private let scanner: FolderScanner
    private let course: ArrivalCourse
    private let inspection: NameInspection
    private let report: IntakeReport

    init(
        _ roots: Roots, _ tree: WatchedTree, _ scanner: FolderScanner, _ course: ArrivalCourse,
        _ inspection: NameInspection, _ report: IntakeReport
    ) {
        self.roots = roots
        self.tree = tree
        self.scanner = scanner
        self.course = course
        self.inspection = inspection
        self.report = report
    }

    /// The next safety scan is due after the Inbox's interval.
    func planRescan(of inbox: Inbox, at moment: Moment) {
        inbox.appointments.rescan = moment.now + inbox.settings.rescan
        planPoll(of: inbox, at: moment)
    }

    /// The next reading of what has no events is due after the Inbox's interval.
    func planPoll(of inbox: Inbox, at moment: Moment) {
        inbox.appointments.poll = inbox.isPolled ? moment.now + inbox.pollInterval : .never
    }

    /// Inspects whether the Inbox is where it should be, and whether it is still the same.
    func verify(_ inbox: Inbox, among inboxes: [Inbox], at moment: Moment) {
        inbox.nextVerification = .never
        do throws(RootError) {
            let root = try roots.open(inbox.path, as: .inbox, carefully: true)
            if inbox.top?.isFolder(root.status.identity.file) == true {
                // It may have failed for want of descriptors.
                if inbox.coverage.aroundWatch == nil { watchAround(inbox, among: inboxes) }
            } else {
                leave(inbox)
                takeUp(inbox, root.status, among: inboxes, at: moment)
            }
            join(inbox, root.folder)
        } catch  where error.isWantOfDescriptors {
            // Nothing is known of it, so nothing that is in it has gone.
            report.noteShortage()
            inbox.nextVerification = moment.now + Self.shortagePause
        } catch {
            absent(inbox, error, among: inboxes, at: moment)
        }
    }

    private func takeUp(_ inbox: Inbox, _ status: FileStatus, among inboxes: [Inbox], at moment: Moment) {
        inbox.appointments.missingSince = nil
        inbox.appointments.wasThere = true
        watchAround(inbox, among: inboxes)
        report.end(.inbox(inbox.path))
        report.end(.impostor(inbox.path))
        let top = tree.enter(status, at: .top, in: inbox, moment: moment)
        inbox.top = top
        scanner.enqueue(top)
        planRescan(of: inbox, at: moment)
    }

    /// Writes this daemon down on an Inbox for others. On a filesystem that machines share every document is claimed, and the
    /// loop makes no call.
    private func join(_ inbox: Inbox, _ folder: OpenFolder) {
        guard let state, inbox.top?.isForeign == false else { return }
        do throws(SyscallError) { try InboxDaemons.join(folder.directory.descriptor, with: state) } catch {
            // Others do not know of it.
        }
    }

    private func watchAround(_ inbox: Inbox, among inboxes: [Inbox]) {
        guard let parent = inbox.path.parent else { return }
        tree.watchAround(parent, inboxes.filter { $0.path.parent == parent }, among: inboxes)
    }

    /// An Inbox is no longer configured.
    func forget(_ inbox: Inbox, others: [Inbox]) {
        leave(inbox)
        tree.unwatchAround(inbox, others: others)
        report.end(.inbox(inbox.path))
        report.end(.impostor(inbox.path))
        report.end(.partials(inbox.path))
    }

    /// Whatever is under the Inbox's path now is what is meant; where nothing is, it is made at once.
    func accept(_ inbox: Inbox, at moment: Moment) {
        roots.accept(inbox.path)
        makeAtOnce(inbox, at: moment)
    }

    /// Where nothing is under the Inbox's path, it is made at once.
    func makeAtOnce(_ inbox: Inbox, at moment: Moment) {
        if inbox.top == nil {
            inbox.appointments.missingSince = nil
            inbox.appointments.wasThere = false
        }
        inbox.nextVerification = moment.now
    }

    /// Makes an Inbox that was removed once it was cleared, for whoever needs it; false where it is still missing.
    func makeRemoved(_ inbox: Inbox, at moment: Moment) -> Bool {
        guard inbox.settings.removeInbox, !report.problems.has(.inbox(inbox.path)) else { return false }
        create(inbox, at: moment)
        return !report.problems.has(.inbox(inbox.path))
    }

    /// Lets go of everything that was known of an Inbox.
    private func leave(_ inbox: Inbox) {
        tree.openFolders.clear()
        if let top = inbox.top { course.leave(top) }
        if let around = inbox.around { course.leave(around) }
        inbox.top = nil
        inbox.around = nil
        tree.forgetFilesystems(of: inbox)
    }

    private func absent(_ inbox: Inbox, _ error: RootError, among inboxes: [Inbox], at moment: Moment) {
        if inbox.top != nil { leave(inbox) }
        let since = inbox.appointments.missingSince ?? moment.now
        inbox.appointments.missingSince = since
        inbox.nextVerification = moment.now + Self.missingGrace
        // Reported as such once it is late; meanwhile nothing around it is touched either.
        if case .silent = error { return }
        if inbox.coverage.aroundWatch == nil || since == moment.now { watchAround(inbox, among: inboxes) }
        if error.errno != .notDirectory { report.end(.impostor(inbox.path)) }
        switch error.errno {
        case .notDirectory?:
            report.begin(.impostor(inbox.path), "\(inbox.path) is not a folder: the Inbox is made when it has gone")
            inspectAround(inbox, at: moment)
        case .noEntry?:
            missing(inbox, since: since, at: moment)
        case let code?: report.begin(.inbox(inbox.path), "cannot read the Inbox \(inbox.path): \(code)")
        case nil: report.begin(.inbox(inbox.path), "nothing in the Inbox \(inbox.path) is filed: \(error)")
        }
    }

    private func missing(_ inbox: Inbox, since: Instant, at moment: Moment) {
        if inbox.settings.removeInbox {
            // That is as it should be; it is waited for in the folder around it.
            report.end(.inbox(inbox.path))
            if inbox.coverage.aroundWatch != nil { inbox.nextVerification = .never }
            return
        }
        // A new one, of a configuration that was read again.
        if !inbox.appointments.wasThere, since == moment.now { return create(inbox, at: moment) }
        if !report.problems.has(.inbox(inbox.path)) {
            report.begin(.inbox(inbox.path), "the Inbox \(inbox.path) is missing")
        }
        if since + Self.missingGrace <= moment.now { create(inbox, at: moment) }
    }

    /// Inspects whatever has the Inbox's name as a document like any other: it is filed, which makes room for the
    /// Inbox.
    private func inspectAround(_ inbox: Inbox, at moment: Moment) {
        guard let name = inbox.name, let parent = inbox.path.parent else { return }
        guard let key = key(ofFolderAround: inbox, parent) else { return }
        if let known = inbox.around, !known.isFolder(key) {
            course.leave(known)
            inbox.around = nil
        }
        if let around = inbox.around { return inspection.inspect(name, in: around, because: .due, at: moment) }
        let around = Folder(inbox: inbox, location: .around, key: key, touched: moment.now)
        inbox.around = around
        tree.noteFilesystem(around)
        inspection.inspect(name, in: around, because: .scan, at: moment)
    }

    private func key(ofFolderAround inbox: Inbox, _ parent: BytePath) -> FileKey? {
        do throws(MountError<SafePathError>) {
            return try roots.call(at: parent) { () throws(SafePathError) in
                let folder = try SafePath.open(parent)
                do throws(SyscallError) { return try folder.status().identity.file } catch {
                    throw .failed(parent, error)
                }
            }
        } catch {
            // Where its mount does not answer, that is reported as such.
            if case .failed(let error) = error { report.begin(.inbox(inbox.path), "\(error)") }
            return nil
        }
    }

    /// Says what a new disk needs, whose top folder belongs to root: the Inbox in it has that owner too.
    private func warnOfRoot(_ inbox: Inbox) {
        guard Process.user != 0, let around = inbox.path.parent else { return }
        let status: FileStatus
        do throws(MountError<SyscallError>) {
            status = try roots.call(at: around) { [path = inbox.path] () throws(SyscallError) in
                try FileStatus(path: path)
            }
        } catch { return }
        guard status.owner == 0, status.permissions & 0o022 == 0 else { return }
        let user = AccountNames.name(ofUser: Process.user)
        report.add(
            .warning(
                "only root may drop anything into the Inbox \(inbox.path), since \(around) belongs to root: "
                    + "\"chown \(user): \(around) \(inbox.path)\", then \"chmod 3770\" for both"))
    }

    /// Creates the Inbox: never on another filesystem than the one it was on, such as a bare mount point.
    private func create(_ inbox: Inbox, at moment: Moment) {
        do throws(RootError) {
            try roots.make(inbox.path, as: .inbox, by: making.make)
            report.add(.notice("made the Inbox \(inbox.path)\(inbox.appointments.wasThere ? " anew" : "")"))
            inbox.nextVerification = moment.now
            warnOfRoot(inbox)
        } catch {
            report.begin(.inbox(inbox.path), "cannot make the Inbox \(inbox.path): \(error)")
        }
    }
}
