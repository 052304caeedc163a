import InboxTestSupport

/// The order of system calls that a debug `inboxd` wrote down: `BEGIN END CALL SUBJECT RESULT` a line.
struct CallTrace {
    enum Result: Equatable {
        case ok
        case failed(Int32)
        /// A fault plan took its place.
        case struck
    }

    struct Call: CustomStringConvertible {
        /// Grows with every beginning and end of a call, in whatever thread.
        let begin: Int
        let end: Int
        let name: String
        let subject: String
        let result: Result

        var description: String { "\(name) \(subject) = \(result)" }

        /// Whether it had ended before the other one began.
        func isBefore(_ other: Call) -> Bool { end < other.begin }
    }

    /// In the order of their beginnings.
    let calls: [Call]

    init(calls: [Call]) {
        self.calls = calls
    }

    init(reading path: BytePath) throws {
        try self.init(Disk.text(path))
    }

    init(_ text: String) throws {
        calls = try text.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 5, let begin = Int(fields[0]), let end = Int(fields[1]) else {
                throw Failure("not a line of a trace: \(line)")
            }
            let result: Result? =
                switch fields[4] {
                case "ok": .ok
                case "struck": .struck
                default: Int32(fields[4]).map { .failed($0) }
                }
            guard let result else { throw Failure("not a line of a trace: \(line)") }
            return Call(begin: begin, end: end, name: String(fields[2]), subject: String(fields[3]), result: result)
        }.sorted { $0.begin < $1.begin }
    }

    /// The calls of that name that happened to a subject that ends so.
    func happened(_ name: String, _ subject: String = "") -> [Call] {
        calls.filter { $0.name == name && $0.result == .ok && $0.subject.hasSuffix(subject) }
    }

    /// The number, counted from 1, of the first call of recovery: the history is opened.
    var firstOfRecovery: Int { number(of: { $0.subject.hasSuffix("/history.jsonl") }) }

    /// The number of the first call that looks into the Inbox: all before it is the same on every way.
    var firstOnInbox: Int { number(of: { $0.name == "getdents64" }) }

    /// The number of the first call of a copy: the source is claimed.
    var firstOfCopying: Int { number(of: { $0.name == "flock" }) }

    private func number(of isIt: (Call) -> Bool) -> Int { (calls.firstIndex(where: isIt) ?? 0) + 1 }

    /// The number of the last call of recovery: both journals are cleared.
    var endOfRecovery: Int {
        let cleared = ["/journal", "/journal-copies"].map { journal in
            calls.firstIndex { $0.name == "ftruncate" && $0.subject.hasSuffix(journal) } ?? calls.count
        }
        return (cleared.max() ?? 0) + 2
    }
}
