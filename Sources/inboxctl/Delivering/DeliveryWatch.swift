import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink

/// Follows the events until it is known what became of documents that were delivered.
final class DeliveryWatch {
    /// The end of one delivery.
    struct End {
        /// Where it was in the Inbox.
        let path: PathText
        /// Which delivery it was.
        let number: Int
        /// Where it is; nil where it is not filed.
        var destination: String?
        /// The identifier of its record.
        var id: String?
        /// The document is filed, though perhaps where this person may not look.
        var isFiled = false
        /// The document was discarded, since the one at the destination is identical.
        var isDuplicate = false
        /// The reason, in words, why the document is not filed, or its destination is not stated.
        var reason = ""

        /// Describes a document that is not filed, unless more is set.
        init(_ delivery: AwaitedDelivery, reason: String = "") {
            path = delivery.path
            number = delivery.number
            self.reason = reason
        }

        /// As one object.
        var object: JSONValue {
            var members: [String: JSONValue] = ["path": .string(path.text)]
            if let destination { members["destination"] = .string(destination) }
            if let id { members["id"] = .string(id) }
            if isDuplicate { members["duplicate"] = .bool(true) }
            if destination == nil { members["reason"] = .string(reason) }
            return .object(members)
        }
    }

    private let daemon: Daemon
    /// Returns true if it is certain that nothing is at a path.
    private let isGone: (BytePath) -> Bool
    private var client: Client
    /// Those that are not filed yet.
    private var waiting = AwaitedDeliveries()
    private var ends: [End] = []
    /// Events were lost: the one that gives an arrival its number may be among them.
    private var hasGap = false
    private let beginning = Timestamp.now()

    /// Those that are not filed yet, each with what it waits for where that is known.
    var expected: [(path: String, reason: String?)] {
        waiting.all.sorted { ($0.path, $0.number) < ($1.path, $1.number) }.map { ($0.path.text, $0.reason) }
    }

    /// Follows from now on.
    init(_ daemon: Daemon, isGone: @escaping (BytePath) -> Bool) throws(CommandFailure) {
        self.daemon = daemon
        self.isGone = isGone
        var client = try daemon.connect()
        do throws(ClientError) {
            _ = try client.start("io.inboxd.Inbox.Subscribe")
        } catch {
            throw Daemon.failure(of: error)
        }
        self.client = client
    }

    /// A document was delivered.
    func expect(_ delivered: DeliveryDesk.Delivered) {
        waiting.add(PathText(delivered.path), delivered.file)
    }

    /// Returns the end of the next delivery; nil if none is awaited any more, or the time has come.
    func next(before deadline: Instant) throws(CommandFailure) -> End? {
        while ends.isEmpty, !waiting.isEmpty {
            let reply: [String: JSONValue]?
            do throws(ClientError) { reply = try client.next(before: deadline) } catch {
                throw CommandFailure(status: .unfinished, message: "the daemon has ended")
            }
            guard let event = reply?["event"] else { return nil }
            try take(event)
        }
        guard !ends.isEmpty else { return nil }
        let end = ends.removeFirst()
        waiting.remove(end.number)
        return end
    }

    private func take(_ event: JSONValue) throws(CommandFailure) {
        let kind = event["kind"]?.string.flatMap(EventReport.Kind.init(rawValue:))
        if kind == .gap {
            hasGap = true
            return try lookUp()
        }
        guard let arrival = event["arrival"]?.integer else { return }
        if kind == .filed { takeMembers(of: event) }
        waiting.note(event, kind, of: arrival, afterLoss: hasGap)
        guard let delivery = waiting[arrival: arrival] else { return }
        var end = End(delivery)
        let why = Self.words(of: event)
        switch kind {
        case .waiting:
            waiting[delivery.number]?.reason = "it waits" + why
            return
        case .filed:
            end.destination = event["destination"]?.string
            end.id = event["id"]?.string
            end.isFiled = true
            end.reason = "it is filed where you may not look"
        case .duplicate:
            end.destination = event["destination"]?.string
            end.id = event["id"]?.string
            end.isFiled = true
            end.isDuplicate = true
            end.reason = "it is identical to a document where you may not look, and was discarded"
        case .rejected: end = Self.end(of: delivery, rejectedAs: event)
        case .held:
            end.reason = "it is held" + why
        case .ignored: end.reason = Self.ignored
        case .withdrawn: end.reason = "somebody has taken it back"
        default: return
        }
        ends.append(end)
    }

    /// A document was filed, perhaps with others that belong to it: they have its record.
    private func takeMembers(of event: JSONValue) {
        guard let path = event["path"]?.string else { return }
        let places = Set(event.members(by: MemberName.renamed).compactMap(\.source).map(PathText.init))
        for delivery in waiting.all where places.contains(delivery.path) {
            var end = End(delivery, reason: "it is filed with \(path)")
            end.isFiled = true
            end.id = event["id"]?.string
            ends.append(end)
        }
    }

    /// Returns the end of a document that its check has rejected: it is in no place that anybody meant it for.
    private static func end(of delivery: AwaitedDelivery, rejectedAs record: JSONValue) -> End {
        let place = record["destination"]?.string.map { ", and it is \($0) now" } ?? ""
        var end = End(
            delivery, reason: "its check has rejected it" + (record["detail"]?.string.map { ": " + $0 } ?? "") + place)
        end.id = record["id"]?.string
        return end
    }

    private static func words(of event: JSONValue) -> String {
        " (\(event["reason"]?.string ?? "no reason"))" + (event["detail"]?.string.map { ": " + $0 } ?? "")
    }

    private static let ignored = "it is ignored: its name matches Ignore= or is hidden"
    private static let left =
        "it has left the Inbox while events were lost: somebody has taken it back, or it is filed where you may not look"

    /// Events were lost: what stays is among the arrivals, and what was filed meanwhile is in the history. What is in
    /// neither, and not at its path either, has left without a trace.
    private func lookUp() throws(CommandFailure) {
        let deliveries = Dictionary(grouping: waiting.all, by: \.path)
        var found: [End] = []
        // Asked first: what is being filed is an arrival until the history has it.
        var gone = Set(deliveries.keys).filter {
            EscapedBytes.bytes($0.text).flatMap { BytePath(bytes: $0) }.map(isGone) ?? false
        }
        try daemon.arrivals(nil) { arrival in
            // Of those of one path the last one has it.
            guard let path = arrival["path"]?.string.map(PathText.init), let last = deliveries[path]?.last else {
                return true
            }
            gone.remove(path)
            switch arrival["state"]?.string {
            case "held": found.append(End(last, reason: "it is held" + Self.words(of: arrival)))
            case "ignored": found.append(End(last, reason: Self.ignored))
            default: break
            }
            return true
        }
        for (path, deliveries) in deliveries {
            let left = deliveries.filter { delivery in !found.contains { $0.number == delivery.number } }
            if left.isEmpty { continue }
            let filed = Self.ends(of: left, in: try records(of: path))
            found += filed
            guard gone.contains(path) else { continue }
            found += left.filter { delivery in !filed.contains { $0.number == delivery.number } }
                .map { End($0, reason: Self.left) }
        }
        ends += found.sorted { ($0.path, $0.number) < ($1.path, $1.number) }
    }

    /// The records of what was at a path and was filed since the beginning, in their order.
    private func records(of path: PathText) throws(CommandFailure) -> [[String: JSONValue]] {
        let first = RecordID(before: beginning).text
        var records: [[String: JSONValue]] = []
        var client = try daemon.connect(timeout: .seconds(60))
        do throws(ClientError) {
            let parameters: [String: JSONValue] = [
                "pattern": .string(Self.pattern(for: path.text)), "since": .string(beginning.text),
            ]
            try client.call("io.inboxd.Inbox.GetHistory", parameters) { reply in
                guard let record = reply["record"]?.object, record["source"]?.string.map(PathText.init) == path else {
                    return true
                }
                let event = record["event"]?.string
                if event == "undone" { records.removeAll { $0["id"] == record["id"] } }
                // Recovery records late what an interruption has left of an earlier document of that path.
                if event == "filed" || event == "duplicate" || event == "rejected", let id = record["id"]?.string,
                    id >= first
                {
                    records.append(record)
                }
                return true
            }
        } catch {
            throw Daemon.failure(of: error)
        }
        return records
    }

    /// Returns the ends of deliveries to one path, according to the records of the documents that had it.
    private static func ends(of deliveries: [AwaitedDelivery], in records: [[String: JSONValue]]) -> [End] {
        AwaitedDeliveries.pairs(of: deliveries, in: records).map { delivery, record in
            if record["event"]?.string == "rejected" { return end(of: delivery, rejectedAs: .object(record)) }
            var end = End(delivery)
            end.destination = record["destination"]?.string
            end.id = record["id"]?.string
            end.isFiled = true
            end.isDuplicate = record["event"]?.string == "duplicate"
            return end
        }
    }

    /// The pattern that matches nothing but this path, or paths that have it in them; where it were too long, that of the
    /// name.
    private static func pattern(for path: String) -> String {
        let pattern = exactPattern(for: path)
        guard pattern.utf8.count > HistoryCall.longestPattern, let name = path.split(separator: "/").last else {
            return pattern
        }
        return exactPattern(for: String(name))
    }

    private static func exactPattern(for path: String) -> String {
        guard let bytes = EscapedBytes.bytes(path), bytes.contains(where: { "*?[".utf8.contains($0) }) else {
            return path
        }
        return EscapedBytes.text(bytes.flatMap { "*?[\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] })
    }
}
