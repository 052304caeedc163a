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

    /// One arrival; its path stands last, for it may be long, and is never shortened.
    func row(_ arrival: ArrivalReport) -> String {
        let next = arrival.next.map { waitInWords($0, now: now) } ?? "-"
        let start = line(
            arrival.state.rawValue, printableWords(arrival.reason), ageInWords(arrival.since, now: now), next, "")
        let detail = arrival.detail.map { "  " + screen.styled(printableWords($0), .dim) } ?? ""
        return styled(start, arrival.state) + printablePath(arrival.path) + detail + "\n"
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
