import InboxConfiguration
import InboxLinux

/// Tells people what needs them: each notice gathers events for a while, and then has its program run once.
///
/// Nothing waits for them: one program of a notice runs at a time, and what happens meanwhile is gathered for the next.
package final class Notices {
    private struct Row {
        var notice: ConfiguredNotice
        var gathered = GatheredEvents()
        /// The run that is under way.
        var running: ProgramControl?
    }

    /// The time that a program may take.
    private static let longest = Duration.seconds(60)

    private let pool: FairPool
    private let describe: (Event) -> [UInt8]
    private let report: (Happening) -> Void
    private var rows: [Row] = []
    private var isEnding = false
    /// Nothing is gathered for longer than a program of the same notice runs.
    package var isImmediate = false

    /// Notices whose programs run in this pool.
    /// - Parameters:
    ///   - describe: an event as `inboxctl events --json` prints it.
    ///   - report: receives what has failed.
    init(in pool: FairPool, describe: @escaping (Event) -> [UInt8], report: @escaping (Happening) -> Void) {
        (self.pool, self.describe, self.report) = (pool, describe, report)
    }

    /// Takes up the notices of a configuration; what one of the same name has gathered stays.
    func adopt(_ notices: [ConfiguredNotice]) {
        rows = notices.map { notice in
            guard var known = rows.first(where: { $0.notice.name == notice.name }) else { return Row(notice: notice) }
            known.notice = notice
            return known
        }
    }

    /// Takes an event.
    func take(_ event: Event) {
        if rows.isEmpty { return }
        let now = Instant.now()
        for index in rows.indices { rows[index].gathered.take(event, rows[index].notice.settings.events, at: now) }
    }

    /// No event waits to be reported, and no program runs.
    var isIdle: Bool { rows.allSatisfy { $0.running == nil && $0.gathered.begun == nil } }

    /// When a program is to be run.
    var nextDeadline: Instant { rows.compactMap(due).min() ?? .never }

    private func due(_ row: Row) -> Instant? {
        guard row.running == nil, !isEnding, let begun = row.gathered.begun else { return nil }
        return isImmediate ? begun : begun + row.notice.settings.after
    }

    /// Runs the programs whose time has come.
    func proceed(at moment: Moment) {
        for index in rows.indices {
            guard let due = due(rows[index]), due <= moment.now else { continue }
            let gathered = rows[index].gathered
            rows[index].gathered = GatheredEvents()
            start(&rows[index], gathered, at: moment)
        }
    }

    private func start(_ row: inout Row, _ gathered: GatheredEvents, at moment: Moment) {
        let settings = row.notice.settings
        guard let command = settings.run else { return }
        let text = NoticeText(counts: gathered.counts, events: gathered.events, host: Process.hostName)
        let content =
            switch settings.format {
            case .text: text.text
            case .mail: text.mail(to: settings.to, at: moment.wall)
            case .json: text.json(describe)
            }
        var plan = ProgramPlan(
            command.program, command.arguments.map { Array($0.map(\.literalBytes).joined()) },
            variable: Process.environment)
        plan.add("INBOX_NOTICE", row.notice.name)
        let control = ProgramControl()
        row.running = control
        let run = ProgramRun(plan: plan, deadline: moment.now + Self.longest, control: control, remains: .killed)
        pool.begin { () -> String? in
            do throws(SyscallError) {
                let file = try FileDescriptor.anonymous(content)
                var last: [UInt8] = []
                let ending = run.perform(on: file) { last = $0 }
                return ending.failure.map { $0 + (last.isEmpty ? "" : ": \(EscapedBytes.printable(last))") }
            } catch {
                return "\(error)"
            }
        } then: { [weak self] failure in
            self?.ended(control, failure)
        }
    }

    private func ended(_ control: ProgramControl, _ failure: String?) {
        guard let index = rows.firstIndex(where: { $0.running === control }) else { return }
        rows[index].running = nil
        guard let failure, !isEnding else { return }
        let name = EscapedBytes.printable(rows[index].notice.name.utf8)
        report(.warning("the notice \(name) was not told: \(failure)"))
    }

    /// Kills what runs; nothing else begins.
    func end() {
        isEnding = true
        for row in rows { row.running?.abandon() }
    }
}

extension ProgramEnding {
    /// The failure, in words; nil where there was none.
    fileprivate var failure: String? {
        switch self {
        case .exited(0): nil
        case .exited(let status): "its program ended with \(status)"
        case .killed(let signal): "its program was killed by signal \(signal)"
        case .timedOut: "its program was killed after 1min"
        case .failed(let words), .short(let words): words
        case .abandoned: "the daemon has ended"
        }
    }
}
