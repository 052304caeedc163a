import InboxCore
import InboxLinux
import InboxVarlink

extension StatusReports {
    /// Returns the reply to `GetMetrics`.
    func metrics() -> String {
        let status = status(problems: work.intake.problems.all)
        let counters = status.counters
        var metrics = Metrics()
        metrics.information("build", [("version", status.version)], "The daemon's version.")
        metrics.gauge("start_time_seconds", Int(since.seconds), unit: "seconds", "When the daemon started.")
        metrics.states(
            "state", ["watching", "degraded", "paused"], current: status.state.rawValue, "What the daemon does now.")
        metrics.gauge("problems", status.problems.count, "How many things are wrong now.")
        metrics.counter("arrivals_seen", counters.seen, "Arrivals that were seen.")
        metrics.counter("documents_filed", counters.filed, "Documents that reached their destination.")
        metrics.counter("filed_bytes", counters.bytesFiled, unit: "bytes", "The sizes of the filed documents.")
        metrics.counter("documents_duplicate", counters.duplicates, "Documents discarded for an identical one.")
        metrics.counter(
            "documents_rejected", counters.rejected, "Documents moved to the folder for what checks reject.")
        let checks = work.checks.outcomes
        metrics.counters(
            "checks", by: "outcome",
            [
                ("accepted", checks.accepted), ("rejected", checks.rejected), ("later", checks.later),
                ("failed", checks.failed),
            ],
            "Checks that have ended.")
        metrics.gauge("checking", work.checks.runningCount, "Checks that run now.")
        metrics.counter(
            "check_seconds", checks.time.components.seconds, unit: "seconds", "How long checks took together.")
        let handlers = work.handlers.outcomes
        metrics.counters(
            "handlers", by: "outcome",
            [
                ("done", handlers.done), ("failed", handlers.failed), ("gone", handlers.gone),
                ("retried", handlers.retried),
            ],
            "Handlers that have ended, and tries that another one follows.")
        metrics.gauge("handlers_to_mend", handlers.failures.count, "Documents whose handler has failed for good.")
        metrics.counter("arrivals_withdrawn", counters.withdrawn, "Arrivals that their owner took back.")
        metrics.gauges(
            "arrivals", by: "state",
            [("waiting", counters.waiting), ("held", counters.held), ("ignored", counters.ignored)],
            "Arrivals that are in the Inboxes now.")
        metrics.gauges(
            "inbox_folders", by: "inbox", status.inboxes.map { ($0.path, $0.folders) }, "Folders of an Inbox.")
        metrics.gauges(
            "inbox_present", by: "inbox", status.inboxes.map { ($0.path, $0.watching == .missing ? 0 : 1) },
            "Whether an Inbox exists.")
        metrics.counter("overflows", counters.overflows, "Overflows of the kernel's queue of events.")
        metrics.counter("rescans", counters.rescans, "How often all folders were read again.")
        metrics.counter("events", work.intake.events.last, "Events that were reported to followers, or could be.")
        metrics.gauge("followers", work.intake.events.followers, "Clients that follow the events.")
        metrics.histogram(
            "filing_delay_seconds", work.intake.events.delays,
            "From the last change of a document until it was filed and recorded.")
        metrics.end()
        return metrics.text
    }
}
