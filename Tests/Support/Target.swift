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
    private static let parts = [
        "/.inboxd-", "/state/journal", "/state/history", "/state/places", "/state/", "/Documents/",
    ]

    /// The call of this number, counted from 1 among all.
    package init(_ index: Int, of trace: CallTrace) {
        let call = trace.calls[index - 1]
        self.index = index
        name = call.name
        part = Self.parts.first { call.subject.contains($0) }
        counted = call.name + (part.map { "@\($0)" } ?? "")
        description = "\(index) (\(call.name) \(call.subject))"
        number = Self.count(call.name, part, in: trace.calls[..<index])
    }

    /// A plan that does this there, such as `KILL` or an error's number.
    package func plan(_ action: String) -> String { "\(counted):\(number):\(action)" }

    /// Whether a run had so many of these calls that the plan struck.
    package func isReached(in trace: CallTrace) -> Bool { Self.count(name, part, in: trace.calls[...]) >= number }

    private static func count(_ name: String, _ part: String?, in calls: ArraySlice<CallTrace.Call>) -> Int {
        calls.count { call in call.name == name && (part.map { call.subject.contains($0) } ?? true) }
    }
}

extension CallTrace {
    /// The calls of these numbers, counted from 1, as targets in other runs.
    package func targets(_ numbers: some Sequence<Int>) -> [Target] { numbers.map { Target($0, of: self) } }
}
