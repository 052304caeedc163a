import InboxLinux
import InboxVarlink

/// The processes that write to what waits for that to end.
///
/// They are searched here and not by the daemon: it may not see the processes of others, and whoever asks it may not
/// learn of them either. Here they are seen by their own user and by root.
struct ArrivalWriters {
    private let found: [PathText: [WritingProcess]]

    /// Searches the writers of arrivals, as the daemon answered them.
    init(of arrivals: [JSONValue], _ surroundings: Surroundings) {
        var paths: [BytePath: String] = [:]
        for arrival in arrivals where arrival["reason"]?.string == "writing" {
            guard let text = arrival["path"]?.string, let path = BytePath(escapedText: text) else { continue }
            paths[path] = text
        }
        var found: [PathText: [WritingProcess]] = [:]
        for (path, processes) in paths.isEmpty ? [:] : surroundings.writers(Array(paths.keys)) {
            if let text = paths[path] { found[PathText(text)] = processes }
        }
        self.found = found
    }

    /// The arrival with a member `writers`, where some are known.
    func added(to arrival: JSONValue) -> JSONValue {
        guard case .object(var members) = arrival,
            let writers = members["path"]?.string.flatMap({ found[PathText($0)] })
        else { return arrival }
        members["writers"] = .array(
            writers.map { writer in
                .object([
                    "pid": .integer(Int64(writer.number)), "name": .string(EscapedBytes.text(writer.name)),
                ])
            })
        return .object(members)
    }

    /// The arrival with the first of its writers in the words that say why it waits, where some are known.
    func named(in arrival: ArrivalReport) -> ArrivalReport {
        guard let writers = found[PathText(arrival.path)], let first = writers.first else { return arrival }
        let others = writers.count - 1
        let more = others == 0 ? "" : others == 1 ? " and 1 other" : " and \(others) others"
        let name = first.name.isEmpty ? "process" : printable(first.name)
        let words = "\(name) (\(first.number))" + more
        var arrival = arrival
        arrival.detail = arrival.detail.map { "\($0): \(words)" } ?? words
        return arrival
    }
}
