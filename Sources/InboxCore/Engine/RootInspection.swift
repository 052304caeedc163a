import InboxFiling
import InboxLinux

/// Inspects the roots and the state folder when something has happened on their paths, and reports what is wrong.
final class RootInspection {
    /// How often a root that cannot be used is inspected, and one whose path sends no events.
    private static let pause = (broken: Duration.seconds(2), unwatched: Duration.seconds(5))

    let roots: Roots
    /// Whether somebody has moved or removed the state folder.
    var isStateLost = false
    private let watch: RootWatch?
    /// Nil where no descriptor was left for it: then every mount counts as one that answers.
    private let probes: MountProbes?
    private var mounts = MountTable()
    /// The mounts that were reported as silent.
    private var reported: Set<BytePath> = []
    private var next = Instant.never

    init(documents: BytePath) {
        do throws(SyscallError) { watch = try RootWatch() } catch {
            // Without an inotify instance of its own the paths are inspected from time to time.
            watch = nil
        }
        do throws(SyscallError) { probes = try MountProbes() } catch { probes = nil }
        roots = Roots(home: .ownHome, watch: watch)
        roots.documents = documents
    }

    func withWatch<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try watch?.withDescriptor(body)
    }

    func takeEvents(at moment: Moment) throws(SyscallError) {
        if try watch?.takeEvents() == true { request(at: moment) }
    }

    func withProbeBell<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try probes?.withBell(body)
    }

    /// Everything is inspected at once.
    func request(at moment: Moment) { next = moment.now }

    /// When something is due.
    var nextDeadline: Instant { min(next, roots.nextDeadline, probes?.nextDeadline ?? .never) }

    /// These are the roots now: the mounts of servers and programs that they lie on, or have in them, are asked whether
    /// they answer.
    /// - Parameter table: nil where the mounts are the same as before.
    func follow(_ folders: [BytePath], on table: MountTable? = nil, _ intake: Intake, at moment: Moment) {
        if let table { mounts = table }
        ask { (probes) throws(SyscallError) in
            try probes.follow(mounts.foreign(concerning: folders), at: moment.now)
        }
        heedSilence(intake, at: moment)
    }

    /// Gives the mounts a moment to answer, so that a start does not take a slow one for a dead one.
    func awaitAnswers(_ intake: Intake, atMost limit: Duration, at moment: Moment) {
        ask { (probes) throws(SyscallError) in try probes.awaitAnswers(atMost: limit) }
        heedSilence(intake, at: moment)
    }

    /// Takes what mounts have answered.
    func takeAnswers(_ intake: Intake, at moment: Moment) {
        ask { (probes) throws(SyscallError) in try probes.takeAnswers(at: moment.now) }
        heedSilence(intake, at: moment)
    }

    private func ask(_ body: (MountProbes) throws(SyscallError) -> Void) {
        guard let probes else { return }
        do throws(SyscallError) { try body(probes) } catch {
            // No thread could be had: the mount counts as one that answers, and is asked again after a pause.
        }
    }

    /// Touches nothing on mounts that are silent, and reports those that have been for long.
    private func heedSilence(_ intake: Intake, at moment: Moment) {
        guard let probes else { return }
        let (silent, late) = (probes.silent, probes.late)
        for mount in reported.subtracting(late) { intake.end(.silence(mount)) }
        for mount in late.subtracting(reported) {
            intake.begin(.silence(mount), "\(mount) does not answer: what is there waits until its server does")
        }
        reported = late
        guard silent != roots.silent else { return }
        roots.silent = silent
        intake.heed(silent: silent, at: moment)
        request(at: moment)
    }

    /// Takes what earlier runs have remembered.
    func begin(with state: StateFolder, _ intake: Intake, at moment: Moment) {
        do throws(SyscallError) {
            if try roots.load(from: state.directory) {
                intake.report(.notice("some of \(state.path)/places is damaged: those roots are taken as they are now"))
            }
            watch?.follow(state: state.path)
        } catch {
            intake.report(.notice("cannot read \(state.path)/places, so the roots are taken as they are now: \(error)"))
        }
        request(at: moment)
    }

    /// Documents is this folder from now on, whatever was there before.
    func accept(documents: BytePath, at moment: Moment) {
        roots.documents = documents
        roots.accept(documents)
        request(at: moment)
    }

    /// Does what is due.
    func proceed(_ filing: Filing?, _ intake: Intake, _ state: StateFolder?, at moment: Moment) {
        roots.rest(at: moment.now)
        ask { (probes) throws(SyscallError) in try probes.proceed(at: moment.now) }
        heedSilence(intake, at: moment)
        guard next <= moment.now else { return }
        next = .never
        var isWhole = filing?.inspectRoots() ?? true
        for inbox in intake.inboxes {
            inbox.nextVerification = moment.now
            if inbox.top == nil { isWhole = false }
        }
        if let state {
            isStateLost = !state.isInPlace
            watch?.follow(state: state.path)
        }
        if !isWhole {
            next = moment.now + Self.pause.broken
        } else if roots.isUnwatched {
            next = moment.now + Self.pause.unwatched
        }
    }

    /// Writes what is new about the roots into the state folder.
    func save(_ intake: Intake, at moment: Moment) {
        guard let writing = roots.takeUnsaved() else { return }
        do throws(SyscallError) { try writing.perform() } catch {
            roots.writingFailed()
            request(at: moment)
            next = moment.now + .seconds(60)
            intake.report(.notice("cannot write down where the roots are: \(error)"))
        }
    }
}
