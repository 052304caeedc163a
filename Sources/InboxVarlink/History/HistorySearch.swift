import InboxLinux

/// A search through the history that goes on in steps, so that nobody waits for a long one.
///
/// Where only the newest records are wanted, the first of them is found from the end backwards, and no more is read than
/// that takes. The records are then given in their order.
package struct HistorySearch: Sendable {
    /// Lines that one step reads at most.
    private static let linesPerStep = 2000
    /// Blocks of lines that one step passes over at most.
    private static let blocksPerStep = 32
    /// Records that one step finds at most.
    private static let recordsPerStep = 64
    /// Bytes: a step finds no more once its records' lines have so many, since they wait in memory for their client.
    private static let bytesPerStep = 256 * 1024
    /// Nothing can be concluded from fewer records out of range about those before them: a clock may have been set.
    private static let decisive = 1000

    private enum Phase: Sendable {
        /// Nothing was read yet.
        case beginning
        /// The first wanted record is searched in this part and those before it.
        case finding(part: Int, BackwardLines)
        /// The records are given.
        case giving(part: Int, ForwardLines)
        case over
    }

    private let query: HistoryQuery
    private let files: HistoryFiles
    private var phase: Phase
    /// Where the first wanted record is, as far as is known.
    private var found: (part: Int, offset: Int64)
    private var left: Int
    /// The number of records to give, if they were counted before.
    private var due = Int.max
    private let filter: LineFilter?
    private var tooOld = 0
    private var tooLate = 0

    /// Searches in these files.
    package init(_ query: HistoryQuery, in files: HistoryFiles) {
        self.query = query
        self.files = files
        left = query.limit ?? .max
        filter = query.filter
        found = (files.parts.count, 0)
        phase = .beginning
    }

    /// Nothing more is to be found.
    package var isOver: Bool { if case .over = phase { true } else { false } }

    /// Reads on; returns the records that this step found, which may be none.
    /// - Parameter end: from then on the step takes no further line. It always takes one, so that the search ends.
    package mutating func step(until end: Instant = .never) throws(SyscallError) -> [JSONValue] {
        switch phase {
        case .over: return []
        case .beginning:
            try begin()
            return []
        case .finding(let part, var lines):
            // Kept in one place, its buffer is not copied.
            phase = .over
            try find(in: part, &lines, until: end)
            return []
        case .giving(let part, var lines):
            phase = .over
            return try give(from: part, &lines, until: end)
        }
    }

    private mutating func begin() throws(SyscallError) {
        if query.limit == nil, query.since == nil {
            phase = .giving(part: 0, ForwardLines(files.parts[0], from: 0, filter))
            return
        }
        var last = (part: files.parts.count - 1, offset: Int64.max)
        if let until = query.until { last = try HistoryTimes.place(after: until, in: files.parts) }
        phase = .finding(part: last.part, BackwardLines(files.parts[last.part], before: last.offset, filter))
    }

    /// Returns whether a line is from after the period of the query.
    private func isLate(_ line: ArraySlice<UInt8>) -> Bool {
        guard let until = query.until, let time = HistoryTimes.time(of: line) else { return false }
        return time > until
    }

    private mutating func find(
        in part: Int, _ lines: inout BackwardLines, until end: Instant
    ) throws(SyscallError) {
        var blocks = 0
        for count in 0..<Self.linesPerStep {
            guard blocks < Self.blocksPerStep, count == 0 || .now() < end else { break }
            guard left > 0 else { return startGiving() }
            let line: BackwardLines.Line
            switch try lines.next() {
            case .line(let next): line = next
            case .passedOver:
                blocks += 1
                continue
            case .end:
                guard part > 0 else { return startGiving() }
                phase = .finding(part: part - 1, BackwardLines(files.parts[part - 1], filter))
                return
            }
            if query.matches(line.bytes) {
                found = (part, line.offset)
                left -= 1
                tooOld = 0
            } else if let since = query.since, HistoryQuery.isBefore(since, line.bytes) {
                tooOld += 1
                if tooOld >= Self.decisive { return startGiving() }
            }
        }
        phase = .finding(part: part, lines)
    }

    private mutating func startGiving() {
        guard found.part < files.parts.count else {
            phase = .over
            return
        }
        due = (query.limit ?? .max) - left
        phase = .giving(part: found.part, ForwardLines(files.parts[found.part], from: found.offset, filter))
    }

    private mutating func give(
        from part: Int, _ lines: inout ForwardLines, until end: Instant
    ) throws(SyscallError) -> [JSONValue] {
        var records: [JSONValue] = []
        var bytes = 0
        var blocks = 0
        for count in 0..<Self.linesPerStep {
            guard records.count < Self.recordsPerStep, bytes < Self.bytesPerStep, blocks < Self.blocksPerStep,
                count == 0 || .now() < end
            else { break }
            guard tooLate < Self.decisive, due > 0 else {
                phase = .over
                return records
            }
            let line: ArraySlice<UInt8>
            switch try lines.next() {
            case .line(let next): line = next
            case .passedOver:
                blocks += 1
                continue
            case .end:
                let next = part + 1
                phase =
                    next < files.parts.count
                    ? .giving(part: next, ForwardLines(files.parts[next], from: 0, filter)) : .over
                return records
            }
            if isLate(line) {
                tooLate += 1
                continue
            }
            tooLate = 0
            if query.matches(line), let record = HistoryQuery.record(line) {
                records.append(record)
                bytes += line.count
                due -= 1
            }
        }
        phase = .giving(part: part, lines)
        return records
    }
}
