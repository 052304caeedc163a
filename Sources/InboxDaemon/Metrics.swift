import InboxCore
import InboxLinux
import InboxVarlink

/// The numbers for a monitoring system as OpenMetrics text, version 1.0.0: each family with its type, unit and help,
/// counters with `_total`, and `# EOF` at the end.
struct Metrics {
    /// The name, type, unit and meaning of a family.
    private struct Family {
        let name: String
        let type: String
        var unit: String?
        let help: String
    }

    private(set) var text = ""

    private mutating func begin(_ family: Family) {
        text +=
            "# HELP inboxd_\(family.name) \(Self.escaped(family.help))\n# TYPE inboxd_\(family.name) \(family.type)\n"
        if let unit = family.unit { text += "# UNIT inboxd_\(family.name) \(unit)\n" }
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: String) {
        let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += "inboxd_\(name)" + (labels.isEmpty ? "" : "{\(list)}") + " \(value)\n"
    }

    /// Adds a family with one number.
    mutating func gauge(_ name: String, _ value: Int, unit: String? = nil, _ help: String) {
        begin(Family(name: name, type: "gauge", unit: unit, help: help))
        sample(name, [], "\(value)")
    }

    /// Adds a number that only grows.
    mutating func counter(_ name: String, _ value: some BinaryInteger, unit: String? = nil, _ help: String) {
        begin(Family(name: name, type: "counter", unit: unit, help: help))
        sample(name + "_total", [], "\(value)")
    }

    /// Adds a number for each value of a label.
    mutating func gauges(_ name: String, by label: String, _ values: [(String, Int)], _ help: String) {
        begin(Family(name: name, type: "gauge", help: help))
        for (word, value) in values { sample(name, [(label, word)], "\(value)") }
    }

    /// Adds numbers that only grow, one for each value of a label.
    mutating func counters(_ name: String, by label: String, _ values: [(String, Int)], _ help: String) {
        begin(Family(name: name, type: "counter", help: help))
        for (word, value) in values { sample(name + "_total", [(label, word)], "\(value)") }
    }

    /// Adds facts that are text.
    mutating func information(_ name: String, _ labels: [(String, String)], _ help: String) {
        begin(Family(name: name, type: "info", help: help))
        sample(name + "_info", labels, "1")
    }

    /// Adds a set of states, one of which is true.
    mutating func states(_ name: String, _ all: [String], current: String, _ help: String) {
        begin(Family(name: name, type: "stateset", help: help))
        for state in all { sample(name, [("inboxd_\(name)", state)], state == current ? "1" : "0") }
    }

    /// Adds a histogram of seconds, whose classes include those before them.
    mutating func histogram(_ name: String, _ delays: FilingDelays, _ help: String) {
        begin(Family(name: name, type: "histogram", unit: "seconds", help: help))
        var count = 0
        for (bound, more) in zip(FilingDelays.bounds.map { "\($0)" } + ["+Inf"], delays.counts) {
            count += more
            sample(name + "_bucket", [("le", bound)], "\(count)")
        }
        sample(name + "_sum", [], "\(delays.sum)")
        sample(name + "_count", [], "\(count)")
    }

    /// Ends the text.
    mutating func end() { text += "# EOF\n" }

    /// Text of a label or a help: a backslash, a quotation mark and a newline are escaped; other controls are by their
    /// bytes already.
    private static func escaped(_ text: String) -> String {
        // By scalars: a quotation mark that an accent follows is no character of its own.
        var result = String.UnicodeScalarView()
        for scalar in EscapedBytes.hidingControls(text).unicodeScalars {
            if scalar == "\\" || scalar == "\"" { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
