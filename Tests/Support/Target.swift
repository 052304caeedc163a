/// A call of one run that a plan is to strike in another one.
///
/// Threads call side by side, so that its number among all calls is another one in each run. Its number among the calls of
/// its name on the same kind of file is not, as long as one thread makes these.
package struct Target: CustomStringConvertible, Sendable {
    /// Its number among all calls of the run that it was seen in, counted from 1.
    package let index: Int
    package let description: String
    /// The calls that are counted: `CALL` or `CALL@PART`, as plans have it.
    private let counted: String
    private let name: String
    private let part: String?
    /// Which of them, counted from 1.
    private let number: Int

    /// Parts of paths that tell whose calls these are: those on staging folders, on the state, of which different threads
    /// write different files, and on documents.
    fileprivate static let parts = [
        "/.inboxd-", "/state/journal", "/state/history", "/state/places", "/state/", "/Documents/",
    ]

    /// The call of this number, counted from 1 among all.
    package init(_ index: Int, of trace: CallTrace) { self = trace.targets([index])[0] }

    fileprivate init(_ index: Int, _ call: CallTrace.Call, _ part: String?, number: Int) {
        (self.index, self.part, self.number) = (index, part, number)
        name = call.name
        counted = call.name + (part.map { "@\($0)" } ?? "")
        description = "\(index) (\(call.name) \(call.subject))"
    }

    /// Whether it is on the list of roots. A thread of its own writes that: how far the others have come by then differs
    /// from run to run.
    package var isOnPlaces: Bool { part == "/state/places" }

    /// A plan that does this there, such as `KILL` or an error's number.
    package func plan(_ action: String) -> String { "\(counted):\(number):\(action)" }

    /// Whether a run had so many of these calls that the plan struck.
    package func isReached(in trace: CallTrace) -> Bool {
        trace.calls.count { call in call.name == name && (part.map { call.mentions($0) } ?? true) } >= number
    }
}

extension CallTrace {
    /// The calls of these numbers, counted from 1, as targets in other runs in the order of the calls.
    package func targets(_ numbers: some Sequence<Int>) -> [Target] {
        var (seen, counts) = (0, [String: Int]())
        return numbers.sorted().map { number in
            // Counted on from the one before: each call once for all targets.
            while seen < number {
                let call = calls[seen]
                counts[call.name, default: 0] += 1
                for part in Target.parts where call.mentions(part) { counts["\(call.name)@\(part)", default: 0] += 1 }
                seen += 1
            }
            let call = calls[number - 1]
            let part = Target.parts.first { call.mentions($0) }
            let key = part.map { "\(call.name)@\($0)" } ?? call.name
            return Target(number, call, part, number: counts[key] ?? 0)
        }
    }
}
