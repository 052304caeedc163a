import InboxLinux
import InboxVarlink

/// A document that was delivered and is not filed yet.
struct AwaitedDelivery {
    /// Which one, in the order of the deliveries.
    let number: Int
    /// Where it is in the Inbox.
    let path: PathText
    /// Which file it is, as in its event; nil where that is not known.
    let file: [String]?
    /// The reason, in words, why the document waits; nil if it is not known.
    var reason: String?
}

/// The documents that were delivered and are not filed yet, and which of the daemon's arrivals they are.
///
/// A path alone does not tell that: others may have it before a document and after it, and so may several deliveries, each
/// once the one before is filed. Which file an arrival is decides where the daemon says it; else those of one path arrive in
/// their order.
struct AwaitedDeliveries {
    private var deliveries: [Int: AwaitedDelivery] = [:]
    private var count = 0
    /// Their numbers by where they are, in their order, and by which files they are.
    private var byPath: [PathText: [Int]] = [:]
    private var byFile: [[String]: Int] = [:]
    /// The numbers of deliveries by their arrivals, and the other way round.
    private var arrivals: [Int64: Int] = [:]
    private var claimed: [Int: Int64] = [:]
    /// The numbers by arrivals that are the deliveries' files, but may have another name yet.
    private var files: [Int64: Int] = [:]

    /// No delivery is awaited.
    var isEmpty: Bool { deliveries.isEmpty }

    /// All of them, in their order.
    var all: [AwaitedDelivery] { deliveries.values.sorted { $0.number < $1.number } }

    /// A document was delivered.
    mutating func add(_ path: PathText, _ file: [String]?) {
        count += 1
        deliveries[count] = AwaitedDelivery(number: count, path: path, file: file)
        byPath[path, default: []].append(count)
        if let file { byFile[file] = count }
    }

    /// It is known what became of one.
    mutating func remove(_ number: Int) {
        guard let delivery = deliveries.removeValue(forKey: number) else { return }
        byPath[delivery.path]?.removeAll { $0 == number }
        if let file = delivery.file { byFile[file] = nil }
        if let arrival = claimed.removeValue(forKey: number) { arrivals[arrival] = nil }
    }

    /// The delivery of a number.
    subscript(number: Int) -> AwaitedDelivery? {
        get { deliveries[number] }
        set { deliveries[number] = newValue }
    }

    /// The delivery that an arrival is; nil where it is none.
    subscript(arrival arrival: Int64) -> AwaitedDelivery? { arrivals[arrival].flatMap { deliveries[$0] } }

    /// Takes note of which delivery an event's arrival is.
    /// - Parameter afterLoss: whether events were lost before, so that others than the first of an arrival may show that.
    mutating func note(_ event: JSONValue, _ kind: EventReport.Kind?, of arrival: Int64, afterLoss: Bool) {
        // Where the filesystem has no files without a name, the document had a hidden one first.
        guard kind == .arrived || kind == .renamed || afterLoss, arrivals[arrival] == nil else { return }
        let file = event["file"]?.strings
        // The arrival's number may have been another one's.
        if kind == .arrived { files[arrival] = file.flatMap { byFile[$0] } }
        guard let path = event["path"]?.string.map(PathText.init) else { return }
        let isOther = file != nil || kind == .renamed && !afterLoss
        let number = byPath[path]?.first { number in
            guard claimed[number] == nil else { return false }
            return files[arrival].map { $0 == number } ?? !(isOther && deliveries[number]?.file != nil)
        }
        guard let number else { return }
        arrivals[arrival] = number
        claimed[number] = arrival
    }

    /// Which of the records of what had one path are those of deliveries to it: the records of their files, else the last
    /// ones that may be.
    static func pairs(
        of deliveries: [AwaitedDelivery], in records: [[String: JSONValue]]
    ) -> [(AwaitedDelivery, [String: JSONValue])] {
        var (rest, records) = (deliveries, records)
        var pairs: [(AwaitedDelivery, [String: JSONValue])] = []
        for delivery in deliveries {
            guard let file = delivery.file, let index = records.firstIndex(where: { Self.file(of: $0) == file }) else {
                continue
            }
            pairs.append((delivery, records.remove(at: index)))
            rest.removeAll { $0.number == delivery.number }
        }
        // What was moved within its filesystem is the same file; a copy on another one is not.
        let devices = Set(rest.compactMap { $0.file?.first })
        if rest.allSatisfy({ $0.file != nil }) {
            records.removeAll { record in Self.file(of: record)?.first.map(devices.contains) ?? false }
        }
        return pairs + zip(rest, records.suffix(rest.count))
    }

    /// Which file a document is where it was filed: of its identity there the device, the inode and the birth.
    private static func file(of record: [String: JSONValue]) -> [String]? {
        record["identity"]?.strings.map { Array($0.prefix(2) + $0.dropFirst(5)) }
    }
}

extension JSONValue {
    /// The texts where this is a list of texts alone.
    var strings: [String]? {
        guard case .array(let values) = self else { return nil }
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }
}
