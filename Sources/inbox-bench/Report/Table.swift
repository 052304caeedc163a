/// Aligned text for people.
struct Table: Report {
    private static let widths = [50, 9, 8, 9, 10, 10, 5]

    /// The heading, with the load of the machine: on a busy one every figure is larger, its floor too.
    var heading: String {
        "\(processors) processors, load \(load) at the beginning\n\n"
            + Self.line(["", "figure", "spread", "floor", "ratio", "wanted", "met"])
    }

    func text(of findings: Findings, _ subject: any Subject) -> String {
        var text = "\n\(subject.name): \(subject.what)\n"
        for measurement in findings.measurements { text += line(of: measurement) }
        for floor in floors(of: findings) { text += "  floor: \(floor)\n" }
        for note in findings.notes { text += "  \(note)\n" }
        return text
    }

    private func line(of measurement: Measurement) -> String {
        let unit = measurement.unit
        let wanted =
            switch measurement.goal {
            case .ratio(let most)?: "≤ \(Self.rounded(most)) x"
            case .figure(let most)?: "≤ \(Self.text(most, unit))"
            case nil: ""
            }
        return Self.line([
            "  " + measurement.what, Self.text(measurement.figure.median, unit),
            measurement.figure.spread.map { "± \(Int($0.rounded())) %" } ?? "",
            measurement.floor.map { Self.text($0.samples.median, unit) } ?? "",
            measurement.ratio.map { "\(Self.rounded($0.median)) x" } ?? "", wanted,
            measurement.isMet.map { $0 ? "yes" : "no" } ?? (measurement.isPeer ? "peer" : ""),
        ])
    }

    /// Returns the names of the floors, each once.
    private func floors(of findings: Findings) -> [String] {
        var names: [String] = []
        for measurement in findings.measurements {
            if let name = measurement.floor?.name, !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func line(_ cells: [String]) -> String {
        var text = ""
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            text += index == 0 ? cell.padded(to: width) : cell.padded(to: width, atEnd: false)
        }
        while text.last == " " { text.removeLast() }
        return text + "\n"
    }

    private static func text(_ value: Double, _ unit: Measurement.Unit) -> String {
        switch unit {
        case .nanoseconds: time(value)
        case .bytes: bytes(value)
        case .count: rounded(value)
        }
    }

    private static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: "\(rounded(nanoseconds)) ns"
        case ..<1_000_000: "\(rounded(nanoseconds / 1_000)) us"
        case ..<10_000_000_000: "\(rounded(nanoseconds / 1_000_000)) ms"
        default: "\(rounded(nanoseconds / 1_000_000_000)) s"
        }
    }

    private static func bytes(_ count: Double) -> String {
        count < 100_000 ? "\(rounded(count)) B" : "\(rounded(count / 1_048_576)) MiB"
    }

    /// Two digits after the point below 10, one below 100, else none.
    private static func rounded(_ value: Double) -> String {
        // Beyond this no whole number is meant, and Int could not hold it.
        guard abs(value) < 1e15 else { return "\(value)" }
        let digits: Double = value < 10 ? 100 : value < 100 ? 10 : 1
        let scaled = (value * digits).rounded() / digits
        return scaled == scaled.rounded() ? "\(Int(scaled))" : "\(scaled)"
    }
}

extension String {
    /// Filled up with blanks, at its end or before its beginning.
    func padded(to width: Int, atEnd: Bool = true) -> String {
        let blanks = String(repeating: " ", count: max(0, width - count))
        return atEnd ? self + blanks : blanks + self
    }
}

extension Int {
    /// With a comma after each three digits.
    var grouped: String {
        var digits = Array(String(self))
        for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
        return String(digits)
    }
}
