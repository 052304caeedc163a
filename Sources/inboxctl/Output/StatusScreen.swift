import InboxLinux
import InboxVarlink

/// The status for a person: one screen.
struct StatusScreen {
    /// Arrivals of one state: as many as are shown.
    struct Group {
        let state: ArrivalReport.State
        let shown: [ArrivalReport]
    }

    /// The maximum number of arrivals of a state that are shown.
    static let longestGroup = 8

    let status: StatusReport
    /// Those that are held, and those that wait.
    let groups: [Group]
    let screen: Screen
    let now: Timestamp
    /// The number of lines that there is room for; nil if the screen scrolls.
    var room: Int?

    /// The lines, without their ends. Where there is little room for them, each group shows as many arrivals as leave
    /// the other group its share.
    var lines: [String] {
        var lines = [headline, ""] + places + [""] + counters
        if !status.problems.isEmpty {
            lines +=
                ["", screen.styled("Problems", .bold)] + status.problems.flatMap(linesOfProblem)
        }
        if !status.handlers.newest.isEmpty {
            lines += ["", screen.styled("Failed handlers", .bold) + ", which \"inboxctl retry ID\" runs again"]
            lines += status.handlers.newest.map { failure in
                let place = failure.path.map { shownPath($0, from: status.documents) + "  " } ?? ""
                return "  \(printableWords(failure.id))  \(place)\(printableWords(failure.detail))"
            }
        }
        let groups = groups.filter { !$0.shown.isEmpty }
        for (index, group) in groups.enumerated() {
            let share = room.map { ($0 - lines.count) / (groups.count - index) - 2 }
            lines += [""] + self.lines(of: group, atMost: share ?? .max)
        }
        return lines
    }

    private var headline: String {
        let word =
            switch status.state {
            case .watching: screen.styled("watching", .green)
            case .degraded: screen.styled("degraded", .red)
            case .paused: screen.styled("paused", .yellow) + ", until \"inboxctl resume\""
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
                case .missing where inbox.removed == true: "removed until it is needed"
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
            ("Filed", counters.filed, counters.filed == 0 ? "" : sizeInWords(Int64(clamping: counters.bytesFiled))),
            ("Waiting", counters.waiting, ""), ("Held", counters.held, ""), ("Ignored", counters.ignored, ""),
        ]
        // What is usually zero is shown only where it is not.
        rows += [
            ("Duplicates", counters.duplicates, ""), ("Rejected", counters.rejected, ""),
            ("Withdrawn", counters.withdrawn, ""),
            ("Overflows", counters.overflows, ""), ("Handlers failed", status.handlers.failed, ""),
        ].filter { $0.1 != 0 }
        let width = rows.map { grouped(Int64($0.1)).count }.max() ?? 0
        return rows.map { name, number, note in
            label(name) + (name.count < 11 ? "" : " ") + grouped(Int64(number)).rightAligned(to: width)
                + (note.isEmpty ? "" : "  \(note)")
        }
    }

    /// The title of a group, its arrivals, and how many there are beside them.
    /// - Parameter most: how many lines there is room for below the title.
    private func lines(of group: Group, atMost most: Int) -> [String] {
        let isHeld = group.state == .held
        let total = isHeld ? status.counters.held : status.counters.waiting
        let arrivals = group.shown.map { arrival -> (path: String, reason: String) in
            (shownPath(arrival.path, from: status.documents), words(for: arrival))
        }
        let room = widths(arrivals)
        let column = arrivals.map { min(room.path, $0.path.displayWidth) }.max() ?? 0
        let rows = arrivals.map { arrival in
            let path = ("  " + arrival.path.shortened(to: room.path)).padded(to: column + 4)
            let reasons = arrival.reason.wrapped(to: room.reason)
            return reasons.enumerated().map { index, words in
                (index == 0 ? path : String(repeating: " ", count: column + 4))
                    + screen.styled(words, isHeld ? .yellow : nil)
            }
        }
        let shown = rows.prefix(Self.count(of: rows.map(\.count), total, atMost: most))
        var lines = [screen.styled(isHeld ? "Held" : "Waiting", .bold)] + shown.joined()
        if total > shown.count {
            let more = "  … \(grouped(Int64(total - shown.count))) more: inboxctl list \(group.state.rawValue)"
            lines.append(screen.styled(more, .dim))
        }
        return lines
    }

    /// Returns the number of rows to show: all of them, or as many as leave a line for the number of the others, but
    /// at least one.
    private static func count(of heights: [Int], _ total: Int, atMost most: Int) -> Int {
        if total == heights.count, heights.reduce(0, +) <= most { return total }
        var left = most == .max ? most : most - 1
        return max(
            1,
            heights.prefix { height in
                left -= height
                return left >= 0
            }.count)
    }

    private func linesOfProblem(_ text: String) -> [String] {
        let lines = screen.width.map { printableWords(text).wrapped(to: max(20, $0 - 4)) } ?? [printableWords(text)]
        return lines.enumerated().map { ($0 == 0 ? "  " : "    ") + $1 }
    }

    private func words(for arrival: ArrivalReport) -> String {
        var words = printableWords(arrival.reason) + " for " + ageInWords(arrival.since, now: now)
        if let next = arrival.next { words += ", next try " + waitInWords(next, now: now) }
        if let detail = arrival.detail { words += ": " + printableWords(detail) }
        return words
    }

    /// Returns the numbers of columns of a terminal's line for the paths and the reasons: the shorter of the two
    /// leaves its rest to the other, and neither gets less than half because of the other.
    private func widths(_ rows: [(path: String, reason: String)]) -> (path: Int, reason: Int) {
        guard let width = screen.width else { return (.max, .max) }
        let room = max(24, width - 4)
        let path = rows.map(\.path.displayWidth).max() ?? 0
        let reason = rows.map(\.reason.displayWidth).max() ?? 0
        if path + reason <= room { return (path, reason) }
        let share = path <= room / 2 ? path : max(room / 2, room - reason)
        return (share, room - share)
    }

    private func label(_ name: String) -> String { "  " + name.padded(to: 11) }
}
