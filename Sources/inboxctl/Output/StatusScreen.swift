import InboxLinux
import InboxVarlink

/// The status for a person: one screen.
struct StatusScreen {
    /// Arrivals of one state: as many as are shown.
    struct Group {
        let state: ArrivalReport.State
        let shown: [ArrivalReport]
    }

    /// How many arrivals of a state are shown at most.
    static let longestGroup = 8

    let status: StatusReport
    /// Those that are held, and those that wait.
    let groups: [Group]
    let screen: Screen
    let now: Timestamp

    /// The lines, without their ends.
    var lines: [String] {
        var lines = [headline, ""] + places + [""] + counters
        if !status.problems.isEmpty {
            lines +=
                ["", screen.styled("Problems", .bold)] + status.problems.map { "  " + printableWords($0) }
        }
        for group in groups where !group.shown.isEmpty { lines += [""] + self.lines(of: group) }
        return lines
    }

    private var headline: String {
        let word =
            switch status.state {
            case .watching: screen.styled("watching", .green)
            case .degraded: screen.styled("degraded", .red)
            case .paused: screen.styled("paused", .yellow)
            }
        return "inboxd \(printableWords(status.version)) is \(word)  "
            + screen.styled("(process \(status.pid), for \(ageInWords(status.since, now: now)))", .dim)
    }

    private var places: [String] {
        var lines = [label("Documents") + printablePath(status.documents)]
        for inbox in status.inboxes {
            let folders = inbox.folders == 1 ? "1 folder" : "\(grouped(Int64(inbox.folders))) folders"
            let how =
                switch inbox.watching {
                case .inotify: "watched, \(folders)"
                case .polling: "polled, \(folders)"
                case .missing: screen.styled("missing", .red)
                }
            lines.append(label("Inbox") + printablePath(inbox.path) + "  (\(how))")
        }
        return lines
    }

    private var counters: [String] {
        let counters = status.counters
        var rows: [(String, Int, String)] = [
            ("Seen", counters.seen, ""),
            ("Filed", counters.filed, counters.filed == 0 ? "" : sizeInWords(counters.bytesFiled)),
            ("Waiting", counters.waiting, ""), ("Held", counters.held, ""), ("Ignored", counters.ignored, ""),
        ]
        // What is usually nought is told only where it is not.
        rows += [
            ("Duplicates", counters.duplicates, ""), ("Withdrawn", counters.withdrawn, ""),
            ("Overflows", counters.overflows, ""),
        ].filter { $0.1 != 0 }
        let width = rows.map { grouped(Int64($0.1)).count }.max() ?? 0
        return rows.map { name, number, note in
            label(name) + grouped(Int64(number)).rightAligned(to: width) + (note.isEmpty ? "" : "  \(note)")
        }
    }

    private func lines(of group: Group) -> [String] {
        let isHeld = group.state == .held
        let total = isHeld ? status.counters.held : status.counters.waiting
        let shown = group.shown.map { arrival -> (path: String, reason: String) in
            (fitting(shownPath(arrival.path), 28), words(for: arrival))
        }
        let width = shown.map(\.path.count).max() ?? 0
        var lines = [screen.styled(isHeld ? "Held" : "Waiting", .bold)]
        lines += shown.map {
            "  " + $0.path.padded(to: width) + "  " + screen.styled($0.reason, isHeld ? .yellow : nil)
        }
        if total > shown.count {
            let more = "  … \(grouped(Int64(total - shown.count))) more: inboxctl list \(group.state.rawValue)"
            lines.append(screen.styled(more, .dim))
        }
        return lines
    }

    private func words(for arrival: ArrivalReport) -> String {
        var words = printableWords(arrival.reason) + " for " + ageInWords(arrival.since, now: now)
        if let next = arrival.next { words += ", next try " + waitInWords(next, now: now) }
        if let detail = arrival.detail { words += ": " + printableWords(detail) }
        return words
    }

    /// The path from the Documents folder on, where it lies there.
    private func shownPath(_ path: String) -> String {
        let prefix = status.documents + "/"
        return printablePath(path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path)
    }

    /// The text, shortened so that a line of a terminal holds it with so many columns beside it.
    private func fitting(_ text: String, _ others: Int) -> String {
        guard let width = screen.width else { return text }
        return text.shortened(to: max(20, width - others))
    }

    private func label(_ name: String) -> String { "  " + name.padded(to: 11) }
}
