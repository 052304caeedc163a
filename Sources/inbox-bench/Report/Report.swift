import InboxVarlink

/// The form in which findings are printed.
protocol Report {
    /// The text before everything else.
    var heading: String { get }

    /// Returns the text of a subject's findings.
    func text(of findings: Findings, _ subject: any Subject) -> String
}

/// One JSON object a line: a measurement each, or a note.
struct JSONReport: Report {
    let heading = ""

    func text(of findings: Findings, _ subject: any Subject) -> String {
        let notes = findings.notes.map { JSONValue.object(["benchmark": .string(subject.name), "note": .string($0)]) }
        return (findings.measurements.map { value(of: $0, subject) } + notes).map { $0.text + "\n" }.joined()
    }

    private func value(of measurement: Measurement, _ subject: any Subject) -> JSONValue {
        var members: [String: JSONValue] = [
            "benchmark": .string(subject.name), "what": .string(measurement.what),
            "unit": .string(measurement.unit.rawValue), "figure": .number(measurement.figure.median),
            "samples": .array(measurement.figure.values.map { .number($0) }), "peer": .bool(measurement.isPeer),
        ]
        if let floor = measurement.floor {
            members["floor"] = .number(floor.samples.median)
            members["floorName"] = .string(floor.name)
            members["floorSamples"] = .array(floor.samples.values.map { .number($0) })
        }
        if let ratio = measurement.ratio { members["ratio"] = .number(ratio.median) }
        switch measurement.goal {
        case .ratio(let most)?: members["wantedRatio"] = .number(most)
        case .figure(let most)?: members["wantedFigure"] = .number(most)
        case nil: break
        }
        if let isMet = measurement.isMet { members["met"] = .bool(isMet) }
        return .object(members)
    }
}
