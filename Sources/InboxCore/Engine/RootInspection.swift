import InboxFiling
import InboxLinux

/// Inspects the roots and the state folder when something has happened on their paths, and reports what is wrong.
final class RootInspection {
    /// The intervals at which a root that cannot be used, and one whose path sends no events, is inspected, and the
    /// pause before a failed write of what is known of the roots is tried again.
    private static let pause = (
        broken: Duration.seconds(2), unwatched: Duration.seconds(5), unsaved: Duration.seconds(60)
    )

    let roots: Roots
    /// The part of the state folder that somebody has moved or removed; nil while everything is in its place.
    var displacedState: BytePath?
    private let watch: RootWatch?
    /// Nil where no descriptor was left for it: then every mount counts as one that answers.
    private let mounts: ForeignMounts?
    private var table = MountTable()
    /// The mounts that were reported as silent.
    private var reported: Set<BytePath> = []
    /// When the roots are inspected next, and when what is new about them may be written.
    private var next = (inspection: Instant.never, save: Instant(nanoseconds: .min))
    /// The time at which the mounts were asked because a worker's job had taken long.
    private var suspected = Instant.never

    init(documents: BytePath) {
        do throws(SyscallError) { watch = try RootWatch() } catch {
            // Without an inotify instance of its own the paths are inspected from time to time.
            watch = nil
        }
        do throws(SyscallError) { mounts = try ForeignMounts() } catch { mounts = nil }
        roots = Roots(home: .ownHome, watch: watch, mounts: mounts)
        roots.documents = documents
    }

    /// The queue of what happens on the paths to the roots; nil where they are inspected from time to time.
    var events: Inotify? { watch?.inotify }

    func takeEvents(at moment: Moment) throws(SyscallError) {
        if try watch?.takeEvents() == true { request(at: moment) }
    }

    func withMountBell<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try mounts?.withBell(body)
    }

    /// Everything is inspected at once.
    func request(at moment: Moment) { next.inspection = moment.now }

    /// When something is due.
    func nextDeadline(suspecting suspicion: @autoclosure () -> Instant) -> Instant {
        min(next.inspection, roots.nextDeadline, nextSilence(suspecting: suspicion()))
    }

    /// When the mounts are to be asked, or a silence is to be heeded.
    /// - Parameter suspicion: when a worker's job will have taken so long that it may hang.
    func nextSilence(suspecting suspicion: @autoclosure () -> Instant) -> Instant {
        guard let mounts, !mounts.isEmpty else { return .never }
        if isSilenceNew { return Instant(nanoseconds: 0) }
        let suspicion = suspicion()
        return min(mounts.nextDeadline, suspicion == suspected ? .never : suspicion)
    }

    /// These are the roots now: the mounts of servers and programs that they lie on, or have in them, are asked whether
    /// they answer.
    /// - Parameter table: nil where the mounts are the same as before.
    func follow(_ folders: [BytePath], on table: MountTable? = nil, _ intake: Intake, at moment: Moment) {
        if let table { self.table = table }
        mounts?.follow(self.table, concerning: folders, at: moment.now)
        heedSilence(intake, at: moment)
    }

    /// Gives the mounts a moment to answer, so that a start does not take a slow one for a dead one.
    func awaitAnswers(_ intake: Intake, atMost limit: Duration, at moment: Moment) {
        ask { (mounts) throws(SyscallError) in try mounts.awaitAnswers(atMost: limit) }
        heedSilence(intake, at: moment)
    }

    /// Takes what mounts have answered.
    func takeAnswers(_ intake: Intake, at moment: Moment) {
        ask { (mounts) throws(SyscallError) in try mounts.takeAnswers(at: moment.now) }
        heedSilence(intake, at: moment)
    }

    private func ask(_ body: (ForeignMounts) throws(SyscallError) -> Void) {
        guard let mounts else { return }
        do throws(SyscallError) { try body(mounts) } catch {
            // A bell that cannot be silenced rings again.
        }
    }

    /// There are mounts, or something is still to be reported about earlier ones.
    private var hasMounts: Bool { mounts.map { !($0.isEmpty && $0.heeded.isEmpty && reported.isEmpty) } ?? false }

    /// A mount has stopped answering, or answers again, and this has not been heeded yet.
    private var isSilenceNew: Bool { mounts.map { $0.silent != $0.heeded } ?? false }

    /// Touches nothing on mounts that are silent, and reports those that have been for long.
    private func heedSilence(_ intake: Intake, at moment: Moment) {
        guard let mounts, hasMounts else { return }
        let (silent, late) = (mounts.silent, mounts.late)
        for mount in reported.subtracting(late) { intake.end(.silence(mount)) }
        for mount in late.subtracting(reported) {
            let words =
                mounts.isWithoutThread(mount)
                ? "no thread is left for calls on \(mount): what is there waits until others of the mounts in the roots are gone"
                : "\(mount) does not answer: what is there waits until its server does"
            intake.begin(.silence(mount), words)
        }
        reported = late
        let isNew = isSilenceNew
        mounts.noteHeeded()
        guard isNew else { return }
        intake.heed(silent: silent, at: moment)
        request(at: moment)
    }

    /// Asks the mounts, as often as is due, and heeds what is known of them: whether any is silent.
    /// - Parameter suspicion: when a worker's job will have taken so long that it may hang.
    func askMounts(
        _ intake: Intake, suspecting suspicion: @autoclosure () -> Instant, at moment: Moment
    ) -> Bool {
        guard hasMounts else { return false }
        let suspicion = suspicion()
        let isUrgent = suspicion <= moment.now && suspicion != suspected
        if isUrgent { suspected = suspicion }
        mounts?.proceed(at: moment.now, isUrgent: isUrgent)
        heedSilence(intake, at: moment)
        return !roots.silent.isEmpty
    }

    /// Takes what earlier runs have remembered.
    func begin(with state: StateFolder, _ intake: Intake, at moment: Moment) {
        do throws(SyscallError) {
            if try roots.load(from: state.directory) {
                intake.report(.notice("some of \(state.path)/places is damaged: those roots are taken as they are now"))
            }
            watch?.follow(state: state.path)
            next.save = moment.now
        } catch {
            intake.report(.notice("cannot read \(state.path)/places, so the roots are taken as they are now: \(error)"))
        }
        request(at: moment)
    }

    /// Documents go to these roots from now on.
    func adopt(_ routing: RoutingRules, at moment: Moment) {
        roots.adopt(documents: routing.documents, outer: routing.outerRoots)
        next.save = moment.now
        request(at: moment)
    }

    /// Whatever is at the roots that documents go to is what is meant.
    func acceptDestinations(at moment: Moment) {
        roots.acceptDestinations()
        next.save = moment.now
        request(at: moment)
    }

    /// Does what is due.
    func proceed(_ filing: Filing?, _ intake: Intake, _ state: StateFolder?, at moment: Moment) {
        roots.rest(at: moment.now)
        // What a batch has met is over when an inspection shows it: there may be nothing left for another batch.
        if next.inspection == .never, intake.problems.has(.documents) {
            next.inspection = moment.now + Self.pause.broken
        }
        guard next.inspection <= moment.now else { return }
        next.inspection = .never
        var isWhole = filing?.inspectRoots() ?? true
        for inbox in intake.inboxes {
            inbox.nextVerification = moment.now
            if inbox.top == nil { isWhole = false }
        }
        if let state {
            // First: what is lost after it was inspected sends an event.
            watch?.follow(state: state.path)
            // It may come back before the daemon has let go of the folder, whose files it may not have been.
            if displacedState == nil { displacedState = state.displaced }
            if filing?.inspectHistory() == false { isWhole = false }
        }
        if !isWhole {
            next.inspection = moment.now + Self.pause.broken
        } else if roots.isUnwatched {
            next.inspection = moment.now + Self.pause.unwatched
        }
    }

    /// Writes what is new about the roots into the state folder.
    func save(_ intake: Intake, at moment: Moment) {
        guard next.save <= moment.now, let writing = roots.takeUnsaved() else { return }
        do throws(SyscallError) {
            try writing.perform()
            intake.end(.places)
        } catch {
            roots.writingFailed()
            next.save = moment.now + Self.pause.unsaved
            next.inspection = min(next.inspection, next.save)
            intake.begin(
                .places,
                "cannot write places in the state folder, so that after a restart another folder may be taken for an Inbox or "
                    + "for Documents: \(error)")
        }
    }
}
