import InboxLinux

/// A source of a document's date, as `Dates=` names it.
package enum DateChoice: String, CaseIterable, Sendable {
    /// The date in the document's content.
    case content
    /// The date in its name.
    case name
    /// When it was last changed.
    case modified
    /// When it was first seen.
    case arrival
}

extension ValueFormat where Value == [DateChoice] {
    /// Sources in their order.
    static let dates = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> [DateChoice] in
            var dates: [DateChoice] = []
            for word in try WordList.split(bytes) {
                let date = try ValueFormat<DateChoice>.choice.parse(word)
                if !dates.contains(date) { dates.append(date) }
            }
            return dates
        }, text: { $0.map(\.rawValue).joined(separator: " ") })
}
