import InboxLinux
import InboxVarlink

/// Arrivals for a person, a line each. The widths are fixed, so that a long list can be printed as it comes.
struct ArrivalTable {
    private static let widths = (state: 7, reason: 11, age: 6, next: 9)

    let screen: Screen
    let now: Timestamp

    /// The titles of the columns.
    var heading: String {
        screen.styled(line("STATE", "REASON", "SINCE", "NEXT", "PATH"), .bold) + "\n"
    }

    /// One arrival. Its path is last, because it may be long: on a terminal it is shortened in its middle, and what is
    /// to be said beside it is cut off, so that a row is a line.
    func row(_ arrival: ArrivalReport) -> String {
        let next = arrival.next.map { waitInWords($0, now: now) } ?? "-"
        let start = line(
            arrival.state.rawValue, printableWords(arrival.reason), ageInWords(arrival.since, now: now), next, "")
        let path = printablePath(arrival.path)
        let detail = arrival.detail.map(printableWords)
        let room = fitting(path, detail, beside: start.displayWidth)
        let shown = detail.map { $0.clipped(to: room.detail) }.flatMap { $0.isEmpty ? nil : $0 }
        return styled(start, arrival.state) + path.shortened(to: room.path)
            + (shown.map { "  " + screen.styled($0, .dim) } ?? "") + "\n"
    }

    /// How many columns the path and the detail get beside those that are taken: the path first, so that a narrow
    /// terminal shows no detail.
    private func fitting(_ path: String, _ detail: String?, beside taken: Int) -> (path: Int, detail: Int) {
        guard let width = screen.width else { return (.max, .max) }
        let room = max(12, width - taken)
        guard let detail else { return (room, 0) }
        let own = min(path.displayWidth, max(room / 2, min(24, room), room - 2 - detail.displayWidth))
        return (own, max(0, room - 2 - own))
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
