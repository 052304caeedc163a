import InboxCore
import Testing

@testable import InboxDaemon

@Suite("OpenMetrics text")
struct MetricsTests {
    private func text() -> String {
        var metrics = Metrics()
        metrics.information("build", [("version", "1.2.3")], "The version.")
        metrics.gauge("problems", 2, "What is wrong.")
        metrics.counter("filed_bytes", 1 << 40, unit: "bytes", "How much was filed.")
        metrics.gauges("inbox_folders", by: "inbox", [("/a \"b\"\\n\n", 1)], "Folders.")
        metrics.states("state", ["watching", "paused"], current: "paused", "The state.")
        metrics.histogram("filing_delay_seconds", FilingDelays(), "The delay.")
        metrics.end()
        return metrics.text
    }

    @Test("Every sample belongs to the family above it, whose type decides the suffix")
    func families() throws {
        let suffixes: [String: [String]] = [
            "counter": ["_total"], "gauge": [""], "info": ["_info"], "stateset": [""],
            "histogram": ["_bucket", "_sum", "_count"],
        ]
        var family = ""
        var type = ""
        var seen: Set<String> = []
        let lines = text().split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.suffix(2) == ["# EOF", ""])
        for line in lines.dropLast(2) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                family = words[2]
                #expect(seen.insert(family).inserted, "\(family) is twice")
            } else if line.hasPrefix("# TYPE ") {
                type = words[3]
                #expect(words[2] == family)
            } else if line.hasPrefix("# UNIT ") {
                #expect(words[2] == family && family.hasSuffix("_" + words[3]))
            } else {
                let name = String(line.prefix { $0 != "{" && $0 != " " })
                #expect(try #require(suffixes[type]).contains { family + $0 == name }, "\(line)")
                #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
            }
        }
    }

    @Test("Labels are escaped, and a family ends with its unit")
    func escaped() {
        let text = text()
        #expect(text.contains("inboxd_inbox_folders{inbox=\"/a \\\"b\\\"\\\\n\\\\x0a\"} 1\n"), "\(text)")
        #expect(text.contains("inboxd_filed_bytes_total 1099511627776\n"))
        #expect(text.contains("inboxd_state{inboxd_state=\"paused\"} 1\n"))
        #expect(text.contains("inboxd_state{inboxd_state=\"watching\"} 0\n"))
    }

    @Test("The classes of the histogram include those before them, and the last has no bound")
    func histogram() {
        let buckets = text().split(separator: "\n").filter { $0.contains("_bucket") }
        #expect(buckets.count == FilingDelays.bounds.count + 1)
        #expect(buckets.last == "inboxd_filing_delay_seconds_bucket{le=\"+Inf\"} 0")
    }

    @Test("In a label a quotation mark and a backslash are escaped where an accent follows, too")
    func accents() {
        var metrics = Metrics()
        metrics.gauges("inbox_folders", by: "inbox", [("/a\"\u{301}b\\\u{301}", 1)], "Folders.")
        let sample = metrics.text.split(separator: "\n").last.map { Array($0.utf8) }
        #expect(sample == Array("inboxd_inbox_folders{inbox=\"/a\\\"\u{301}b\\\\\u{301}\"} 1".utf8))
    }
}
