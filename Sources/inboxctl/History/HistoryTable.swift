import InboxLinux
import InboxVarlink

/// Records of the history for a person, a line each.
struct HistoryTable {
    private static let widths = (time: 19, id: 16, event: 9, size: 6)

    let screen: Screen

    /// A narrow terminal has no room for what is needed by programs and `undo` alone.
    private var hasID: Bool { screen.width.map { $0 >= 100 } ?? true }

    /// The titles of the columns.
    var heading: String { screen.styled(line("TIME", "ID", "EVENT", "SIZE", "PATH"), .bold) + "\n" }

    /// One record: where the document is, and where it came from. On a terminal both paths are shortened in their
    /// middle, so that a row is a line.
    func row(_ record: JSONValue) -> String {
        func words(_ name: String) -> String { record[name]?.string.map(printableWords) ?? "-" }
        let time = record["time"]?.string.flatMap(Timestamp.init(wireTime:))?.localText ?? words("time")
        let start = line(
            time, words("id"), words("event"), record["size"]?.integer.map(sizeInWords) ?? "-", "")
        // What was put back is where it came from.
        let isBack = record["event"]?.string == "undone"
        let source = record[isBack ? "destination" : "source"]?.string.map(printablePath)
        let place = (record[isBack ? "source" : "destination"] ?? record["path"])?.string.map(printablePath)
        guard let path = place ?? source else { return start + "-\n" }
        let origin = place == nil ? nil : source.map { "from " + $0 }
        let room = fitting(path, origin, beside: start.displayWidth)
        let from = origin.map { "  " + screen.styled($0.shortened(to: room.origin), .dim) } ?? ""
        return start + path.shortened(to: room.path) + from + "\n"
    }

    /// How many columns the two paths get: neither less than half because of the other.
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
        let id = hasID ? id.padded(to: widths.id) + "  " : ""
        return time.padded(to: widths.time) + "  " + id + event.padded(to: widths.event)
            + "  " + size.rightAligned(to: widths.size) + "  " + path
    }
}
