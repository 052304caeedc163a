import InboxLinux

/// Shows of many lines at once that none of them is wanted, so that they need not be taken apart.
struct LineFilter: Sendable {
    /// The result of reading on.
    enum Found<Line> {
        /// The next line.
        case line(Line)
        /// Lines were passed over, and more may follow.
        case passedOver
        /// There are no more.
        case end
    }

    /// Bytes that every wanted line has, if it does not have the others.
    let part: [UInt8]
    /// The others; nil where there are none.
    let otherPart: [UInt8]?
    /// Lines from before this moment are not passed over, since they end a search.
    let since: Timestamp?
    /// Lines from after this moment are not passed over, since they end a search.
    let until: Timestamp?

    /// Returns whether all of these lines can be passed over.
    func passes(over lines: ArraySlice<UInt8>) -> Bool {
        if lines.contains(part) || otherPart.map({ lines.contains($0) }) ?? false { return false }
        if let since {
            let first = lines.prefix { $0 != UInt8(ascii: "\n") }
            guard let time = HistoryTimes.time(of: first), time >= since else { return false }
        }
        if let until {
            let last = lines.dropLast().reversed().prefix { $0 != UInt8(ascii: "\n") }
            guard let time = HistoryTimes.time(of: lines[last.endIndex.base..<lines.endIndex]), time <= until else {
                return false
            }
        }
        return true
    }
}
