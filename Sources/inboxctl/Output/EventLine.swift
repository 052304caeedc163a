import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// Events for a person, a line each. The widths are fixed, since nobody knows what comes.
struct EventLine {
    private static let widths = (time: 19, number: 8, event: 9)

    let screen: Screen

    /// The titles of the columns.
    var heading: String {
        screen.styled(line("TIME", "NUMBER", "EVENT", "PATH"), .bold) + "\n"
    }

    /// One event; what follows the first columns may be long, and is never shortened.
    func row(_ event: EventReport) -> String {
        let time = Timestamp(wireTime: event.time)?.localText ?? printableWords(event.time)
        let start = line(time, "\(event.number)", word(event.kind), "")
        return screen.styled(start, style(event)) + what(event) + "\n"
    }

    private func line(_ time: String, _ number: String, _ event: String, _ what: String) -> String {
        let widths = Self.widths
        return time.padded(to: widths.time) + "  " + number.rightAligned(to: widths.number) + "  "
            + event.padded(to: widths.event) + "  " + what
    }

    private func word(_ kind: EventReport.Kind) -> String {
        switch kind {
        case .problemOver: "over"
        case .contentAdded: "added"
        case .contentRemoved: "removed"
        case .contentRenamed: "renamed"
        case .contentChanged: "changed"
        default: kind.rawValue
        }
    }

    private func style(_ event: EventReport) -> Screen.Style? {
        switch event.kind {
        case .gap, .problem: .red
        case .handler: event.outcome == "done" ? .green : .yellow
        case .held, .paused, .rejected: .yellow
        case .filed, .duplicate: .green
        case .ignored, .withdrawn, .following: .dim
        case .contentAdded, .contentRemoved, .contentRenamed, .contentChanged: .dim
        case .arrived, .waiting, .renamed, .copying, .problemOver, .resumed: nil
        }
    }

    /// The path and what else there is to say.
    private func what(_ event: EventReport) -> String {
        let path = event.path.map(printablePath)
        let detail = event.detail.map(printableWords)
        let size = event.size.map(sizeInWords)
        let more: String? =
            switch event.kind {
            case .following, .withdrawn, .paused, .resumed, .contentAdded, .contentRemoved, .contentChanged:
                nil
            case .gap, .problem, .problemOver: detail
            case .arrived: size
            case .waiting, .held, .ignored:
                [event.reason.map(printableWords), detail].compactMap { $0 }.joined(separator: ": ")
            case .renamed, .contentRenamed: event.from.map { "from " + printablePath($0) }
            case .copying: copied(event)
            case .handler: [event.outcome.map(printableWords), detail].compactMap { $0 }.joined(separator: ": ")
            case .duplicate: "same as " + printablePath(event.destination ?? "-")
            case .rejected:
                "as " + printablePath(event.destination ?? "-") + (detail.map { ": " + $0 } ?? "")
            case .filed:
                "as " + printablePath(event.destination ?? "-")
                    + " (\([event.type.map { printableWords(UTType.shown($0)) }, size].compactMap { $0 }.joined(separator: ", ")))"
            }
        return [path, more].compactMap { $0 }.joined(separator: "  ")
    }

    private func copied(_ event: EventReport) -> String {
        guard let copied = event.copied, let size = event.size else { return "" }
        let share = size > 0 ? Int(Double(min(max(copied, 0), size)) / Double(size) * 100) : 100
        return "\(sizeInWords(copied)) of \(sizeInWords(size)) (\(share) %)"
    }
}
