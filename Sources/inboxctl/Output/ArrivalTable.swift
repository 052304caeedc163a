import InboxLinux
import InboxVarlink

/// Arrivals for a person, a line each. The widths are fixed, so that a long list can be printed as it comes.
struct ArrivalTable {
    private static let widths = (state: 7, reason: 12, age: 6, next: 9)

    let screen: Screen
    let now: Timestamp
    /// The Documents folder, from which on paths are shown; nil where they are shown from the root on.
    var documents: String?

    /// The titles of the columns.
    var heading: String {
        screen.styled(line("STATE", "REASON", "SINCE", "NEXT", "PATH"), .bold) + "\n"
    }

    /// One arrival. Its path is last, because it may be long, and then what is to be said beside it. On a terminal either
    /// gets lines of its own where there is no room left; only a path that is wider than a line is shortened.
    func row(_ arrival: ArrivalReport) -> String {
        let next = arrival.next.map { waitInWords($0, now: now) } ?? "-"
        let start = line(
            arrival.state.rawValue, printableWords(arrival.reason), ageInWords(arrival.since, now: now), next, "")
        let path = shownPath(arrival.path, from: documents)
        let detail = arrival.detail.map(printableWords) ?? ""
        let titles = styled(start, arrival.state)
        let remark = detail.isEmpty ? "" : "  " + screen.styled(detail, .dim)
        guard let width = screen.width else { return titles + path + remark + "\n" }
        let indent = "  "
        let room = max(20, width - indent.count)
        let further = detail.wrapped(to: room).map { "\n" + indent + screen.styled($0, .dim) }.joined() + "\n"
        let taken = start.displayWidth + path.displayWidth
        if taken > width { return titles + "\n" + indent + path.shortened(to: room) + further }
        return titles + path + (taken + 2 + detail.displayWidth <= width ? remark + "\n" : further)
    }

    private func line(_ state: String, _ reason: String, _ age: String, _ next: String, _ path: String) -> String {
        let widths = Self.widths
        return state.padded(to: widths.state) + "  " + reason.padded(to: widths.reason) + "  "
            + age.rightAligned(to: widths.age) + "  " + next.padded(to: widths.next) + "  " + path
    }

    private func styled(_ text: String, _ state: ArrivalReport.State) -> String {
        switch state {
        case .waiting: text
        case .held: screen.styled(text, .yellow)
        case .ignored: screen.styled(text, .dim)
        }
    }
}
