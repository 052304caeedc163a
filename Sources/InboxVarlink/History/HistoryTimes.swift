import InboxLinux

/// Finds places in a history by time, without reading what is between: each file's lines are in the order of their times, as
/// long as nobody sets the clock back by more than an hour.
struct HistoryTimes {
    /// Seconds: how far records may be out of order.
    private static let slack: Int64 = 3600
    /// Bytes that are read to find a line and its time; a longer line ends the bisection there.
    private static let block = 64 * 1024
    /// Bytes: a shorter stretch is not worth another read.
    private static let near: Int64 = 256 * 1024
    private static let key = Array("\"time\":\"".utf8)

    /// The time of a record's line: the first member of that name. A quotation mark inside of a text has a backslash before
    /// it, so that no text looks like a member.
    static func time(of line: ArraySlice<UInt8>) -> Timestamp? {
        guard let start = line.firstRange(of: key)?.upperBound,
            let end = line[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return Timestamp(wireTime: String(decoding: line[start..<end], as: UTF8.self))
    }

    /// A place after which no record is as early as this moment.
    static func place(
        after moment: Timestamp, in parts: [HistoryFiles.Part]
    ) throws(SyscallError) -> (part: Int, offset: Int64) {
        let sum = moment.seconds.addingReportingOverflow(slack)
        let late = Timestamp(seconds: sum.overflow ? .max : sum.partialValue, nanoseconds: 0)
        var number = parts.count - 1
        while number > 0 {
            let first = try firstTime(in: parts[number], from: 0)?.time
            // Where damage hides when a file begins, it may begin in time.
            if first.map({ $0 <= late }) ?? (parts[number].size > 0) { break }
            number -= 1
        }
        let part = parts[number]
        var (before, after): (Int64, Int64) = (0, part.size)
        while after - before > near {
            guard let (offset, time) = try firstTime(in: part, from: before + (after - before) / 2), offset < after
            else { break }
            if time <= late { before = offset } else { after = offset }
        }
        return (number, after)
    }

    /// The first line that begins at this offset or after it and has a time; nil where none is near.
    private static func firstTime(
        in part: HistoryFiles.Part, from offset: Int64
    ) throws(SyscallError) -> (offset: Int64, time: Timestamp)? {
        var bytes = [UInt8](repeating: 0, count: block)
        guard let count = try part.file()?.descriptor.read(into: &bytes, at: offset) else { return nil }
        var rest = bytes[..<count]
        if offset > 0 {
            guard let newline = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            rest = rest[(newline + 1)...]
        }
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let time = time(of: rest[..<end]) { return (offset + Int64(rest.startIndex), time) }
            rest = rest[(end + 1)...]
        }
        return nil
    }
}
