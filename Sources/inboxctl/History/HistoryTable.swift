import InboxLinux
import InboxVarlink

/// Records of the history for a person, a line each.
struct HistoryTable {
    private static let widths = (time: 19, id: 16, event: 9, size: 6)

    let screen: Screen
    /// The Documents folder, from which on paths are shown; nil where they are shown from the root on.
    var documents: String?

    /// A narrow terminal has no room for seconds, sizes and where documents came from: `undo` needs the id.
    private var isNarrow: Bool { screen.width.map { $0 < 100 } ?? false }
    /// And one that is narrower still has none for a path beside them, which gets a line of its own.
    private var isTiny: Bool { screen.width.map { $0 < 80 } ?? false }

    /// The titles of the columns.
    var heading: String { screen.styled(line("TIME", "ID", "EVENT", "SIZE", isTiny ? "" : "PATH"), .bold) + "\n" }

    /// One record: where the document is, and where it came from, or how its handler ended. On a terminal both are
    /// shortened.
    func row(_ record: JSONValue) -> String {
        func words(_ name: String) -> String { record[name]?.string.map(printableWords) ?? "-" }
        let time = record["time"]?.string.flatMap(Timestamp.init(wireTime:))?.localText ?? words("time")
        let start = line(
            time, words("id"), words("event"), record["size"]?.integer.map(sizeInWords) ?? "-", "")
        // What was put back is where it came from.
        let isBack = record["event"]?.string == "undone"
        let source = record[isBack ? "destination" : "source"]?.string.map(shown)
        let place = (record[isBack ? "source" : "destination"] ?? record["path"])?.string.map(shown)
        guard let path = place ?? source else { return start + "-\n" }
        let (head, taken) = isTiny ? (start.trimmingEnd + "\n  ", 2) : (start, start.displayWidth)
        if record["event"]?.string == "handler" { return head + handled(path, record, beside: taken) }
        let origin = place == nil || isNarrow ? nil : source.map { "from " + $0 }
        let room = fitting(path, origin, beside: taken)
        let from = origin.map { "  " + screen.styled($0.shortened(to: room.origin), .dim) } ?? ""
        return head + path.shortened(to: room.path) + from + "\n"
    }

    private func shown(_ path: String) -> String { shownPath(path, from: documents) }

    private func handled(_ path: String, _ record: JSONValue, beside taken: Int) -> String {
        let words = handlerOutcome(record)
        let room = fitting(path, words, beside: taken)
        let style: Screen.Style = record["outcome"]?.string == "failed" ? .red : .green
        return path.shortened(to: room.path) + "  " + screen.styled(words.clipped(to: room.origin), style) + "\n"
    }

    /// Returns the numbers of columns for the two paths: neither gets less than half because of the other.
    private func fitting(_ path: String, _ origin: String?, beside taken: Int) -> (path: Int, origin: Int) {
        guard let width = screen.width else { return (.max, .max) }
        let room = max(24, width - taken)
        guard let origin else { return (room, 0) }
        let share = (room - 2) / 2
        let own = min(path.displayWidth, max(share, room - 2 - origin.displayWidth))
        return (own, room - 2 - own)
    }

    private func line(_ time: String, _ id: String, _ event: String, _ size: String, _ path: String) -> String {
        let widths = Self.widths
        let start = isNarrow ? String(time.prefix(16)).padded(to: 16) : time.padded(to: widths.time)
        let end = isNarrow ? "" : size.rightAligned(to: widths.size) + "  "
        return start + "  " + id.padded(to: widths.id) + "  " + event.padded(to: widths.event) + "  " + end + path
    }
}

/// Returns the ending of a handler by its record: `done`, `exit status 3`, `signal 9`, or else the record's own
/// words.
func handlerOutcome(_ record: JSONValue) -> String {
    if record["outcome"]?.string == "done" { return "done" }
    if let status = record["exitStatus"]?.integer { return "exit status \(status)" }
    if let signal = record["signal"]?.integer { return "signal \(signal)" }
    return (record["detail"] ?? record["outcome"])?.string.map(printableWords) ?? "-"
}

extension String {
    fileprivate var trimmingEnd: Substring {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return text
    }
}
