/// OpenMetrics text in Prometheus's older format, which the textfile collector of node_exporter reads.
enum PrometheusText {
    /// Returns the older form: names of counters and facts are whole in their headers, and what that format does not know
    /// is left out.
    static func text(of metrics: String) -> String {
        var lines: [String] = []
        var help: Substring = ""
        for line in metrics.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            guard words.count == 4, words[0] == "#" else {
                if !line.hasPrefix("#") { lines.append(String(line)) }
                continue
            }
            switch words[1] {
            case "HELP": help = words[3]
            case "TYPE":
                let (suffix, type) = form(of: words[3])
                lines.append("# HELP \(words[2])\(suffix) \(help)")
                lines.append("# TYPE \(words[2])\(suffix) \(type)")
            default: break
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func form(of type: Substring) -> (suffix: String, type: Substring) {
        switch type {
        case "counter": ("_total", type)
        case "info": ("_info", "gauge")
        case "stateset": ("", "gauge")
        default: ("", type)
        }
    }
}
