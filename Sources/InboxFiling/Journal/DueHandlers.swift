import InboxLinux

/// A filed document whose handler has not ended, as the journal has it: its record in the history says the rest.
package struct DueHandler: Sendable {
    /// The id of its record.
    package let id: RecordID
    /// Where its record begins in the history.
    package let place: HistoryMark
    /// The number of the user whom it belongs to.
    package let owner: UInt32
    /// The number of the last try that was begun and counts.
    package var tries: UInt16
    /// It was handed to those who run the handlers.
    fileprivate var isTaken = false
    fileprivate var hasEnded = false

    /// The handler of a document whose record begins there.
    package init(id: RecordID, at place: HistoryMark, owner: UInt32, tries: Int = 0) {
        (self.id, self.place, self.owner) = (id, place, owner)
        self.tries = UInt16(clamping: tries)
    }
}

/// The handlers that are due: one array in the order of the ids, since there may be a million of them.
struct DueHandlers: Sendable {
    private var rows: [DueHandler] = []
    private var endedCount = 0
    /// Where the history ended when the last try of some began: the record of its end follows.
    private(set) var marks: [RecordID: HistoryMark] = [:]

    /// None is due.
    var isEmpty: Bool { rows.count == endedCount }

    /// All of them, in their order.
    var all: some Sequence<DueHandler> { rows.lazy.filter { !$0.hasEnded } }

    /// The one with this id; nil where none is due.
    subscript(id: RecordID) -> DueHandler? { index(of: id).map { rows[$0] } }

    /// Adds one that is not there.
    mutating func insert(_ due: DueHandler) {
        let place = place(of: due.id)
        guard place < rows.count, rows[place].id == due.id else { return rows.insert(due, at: place) }
        guard rows[place].hasEnded else { return }
        rows[place] = due
        endedCount -= 1
    }

    /// Removes one; false where it is not due.
    mutating func remove(_ id: RecordID) -> Bool {
        guard let index = index(of: id) else { return false }
        marks[id] = nil
        rows[index].hasEnded = true
        endedCount += 1
        if endedCount > 1024 || isEmpty, endedCount * 2 > rows.count {
            rows.removeAll(where: \.hasEnded)
            endedCount = 0
        }
        return true
    }

    /// A try was begun, or one was taken back.
    mutating func note(try number: Int, of id: RecordID, at mark: HistoryMark?) {
        guard let index = index(of: id) else { return }
        rows[index].tries = UInt16(clamping: number)
        marks[id] = mark
    }

    /// Gives one back that was taken.
    mutating func giveBack(_ id: RecordID) {
        if let index = index(of: id) { rows[index].isTaken = false }
    }

    /// Takes the first ones of some owners that are not taken.
    /// - Parameter room: how many of each owner.
    /// - Returns: these, and those of the owners who have others.
    mutating func take(_ room: [UInt32: Int]) -> (taken: [DueHandler], others: Set<UInt32>) {
        var room = room
        var taken: [DueHandler] = []
        var others: Set<UInt32> = []
        for index in rows.indices where !rows[index].isTaken && !rows[index].hasEnded {
            let owner = rows[index].owner
            guard let left = room[owner] else { continue }
            guard left > 0 else {
                others.insert(owner)
                continue
            }
            room[owner] = left - 1
            rows[index].isTaken = true
            taken.append(rows[index])
        }
        return (taken, others)
    }

    private func index(of id: RecordID) -> Int? {
        let place = place(of: id)
        return place < rows.count && rows[place].id == id && !rows[place].hasEnded ? place : nil
    }

    /// Where an id is, or belongs: nearly always at the end.
    private func place(of id: RecordID) -> Int {
        if let last = rows.last, last.id < id { return rows.count }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension DueHandlers {
    /// The most handlers in a line of the journal.
    private static let mostInLine = 1000

    /// Appends the lines that say all this.
    func append(to lines: inout ByteWriter) { Self.append(all, marks, to: &lines) }

    /// Appends the lines of the journal that say that these are due, and how often they were tried.
    static func append(
        _ due: some Sequence<DueHandler>, _ marks: [RecordID: HistoryMark] = [:], to lines: inout ByteWriter
    ) {
        var row: [DueHandler] = []
        for due in due {
            let isOther = row.last.map { $0.owner != due.owner || $0.place.file != due.place.file } ?? false
            if isOther || row.count == mostInLine { append(row: &row, marks, to: &lines) }
            row.append(due)
        }
        append(row: &row, marks, to: &lines)
    }

    private static func append(
        row: inout [DueHandler], _ marks: [RecordID: HistoryMark], to lines: inout ByteWriter
    ) {
        guard let first = row.first else { return }
        var line = JSONLine(after: &lines)
        line.add("due", row.map { "\($0.id.text) \($0.place.size)" }.joined(separator: " "))
        line.add("owner", first.owner)
        line.add("historyFile", first.place.file)
        line.addSum()
        line.finish(into: &lines)
        for due in row where due.tries > 0 { appendTry(Int(due.tries), of: due.id, at: marks[due.id], to: &lines) }
        row = []
    }

    /// Appends the line that says that a try is about to begin.
    static func appendTry(_ number: Int, of id: RecordID, at mark: HistoryMark?, to lines: inout ByteWriter) {
        var line = JSONLine(after: &lines)
        line.add("tried", id)
        line.add("tries", number)
        if let mark {
            line.add("historyFile", mark.file)
            line.add("historySize", mark.size)
        }
        line.addSum()
        line.finish(into: &lines)
    }

    /// Takes what a line of the journal says of handlers; returns the ids of those that it names as due.
    mutating func take(_ members: JournalMembers) -> [RecordID] {
        for id in members.handled ?? [] { if let id = RecordID(id) { _ = remove(id) } }
        if let id = members.tried.flatMap({ RecordID($0) }), let number = members.tries {
            note(try: number, of: id, at: members.mark)
        }
        guard let due = members.due, let owner = members.owner, let file = members.historyFile else { return [] }
        var ids: [RecordID] = []
        let words = due.utf8.split(separator: UInt8(ascii: " "))
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            guard let id = RecordID(String(Substring(words[index]))),
                let size = Int64(Substring(words[index + 1])), size >= 0
            else { continue }
            insert(DueHandler(id: id, at: HistoryMark(file: file, size: size), owner: owner))
            ids.append(id)
        }
        return ids
    }
}
