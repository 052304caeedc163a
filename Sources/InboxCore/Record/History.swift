import InboxFiling
import InboxLinux
import Synchronization

/// `history.jsonl`: one JSON object a line for each thing that happened to a document. Lines are only ever appended.
///
/// Batches and copies append from their workers, one at a time: a disk may take long for that. The loop asks only what can
/// be answered at once.
final class History: Sendable {
    struct State {
        /// The file that lines go to.
        var file: OpenFile
        /// Its inode number, which it keeps when it is rotated.
        var inode: UInt64
        /// Its length up to the end of the last whole line.
        var size: Int64
        /// When it was begun; nil where the filesystem does not keep that.
        var begun: Timestamp?
        /// Where the lines of a try that is not done begin, in each file that has some of them.
        var unfinished: [(file: OpenFile, start: Int64)] = []
        /// It was reported that the file is gone, which is made anew with the next lines.
        var isLossReported = false
        /// A power cut could take the file's name back: it was begun by a rotation since the folder was synced.
        var isNameUnsynced = false
    }

    let folder: OpenFolder
    let limits: Mutex<Limits>
    let state: Mutex<State>
    /// The participle that says what somebody did to the file, until it is reported.
    private let news = Mutex<String?>(nil)
    /// Where the history ended when lines were last written.
    let end: Mutex<HistoryMark>
    /// The reason why no new file could be begun, until it is reported.
    let obstacle = Mutex<SyscallError?>(nil)

    static var name: FileName { FileName("history.jsonl").unsafelyUnwrapped }

    /// Bytes; what is longer, at the end of the file, is no record.
    private static let longestRecord: Int64 = 1 << 20
    /// Bytes; where so many at the end of the file have no newline, no crash has torn what is there.
    private static let longestEnd: Int64 = 64 << 20

    /// Opens the file, and cuts off a line that a crash has torn: what it recorded is made anew from the journal. A whole
    /// record that lacks only its newline gets that.
    init(in state: OpenFolder, maxSize: Int64, maxAge: Duration = .zero) throws(StateFileError) {
        folder = state
        limits = Mutex(Limits(size: maxSize, age: maxAge))
        let found: State?
        do throws(SyscallError) { found = try Self.open(in: state) } catch { throw .failed(Self.name, error) }
        guard let opened = found else { throw .unending(Self.name) }
        self.state = Mutex(opened)
        end = Mutex(HistoryMark(file: opened.inode, size: opened.size))
    }

    /// Opens the file; nil where it does not end with what a daemon has written.
    private static func open(in state: OpenFolder) throws(SyscallError) -> State? {
        try endRotation(in: state)
        let file = OpenFile(try state.directory.appendingFile(name))
        let status = try file.descriptor.status()
        let length = Int64(clamping: status.size)
        guard var whole = try endOfLastLine(file, length) else { return nil }
        if whole < length, length - whole <= longestRecord,
            isWhole(try file.descriptor.bytes(from: whole, count: Int(length - whole)))
        {
            try file.descriptor.write([UInt8(ascii: "\n")])
            whole = length + 1
        } else if whole < length {
            try file.descriptor.truncate(to: whole)
        }
        return State(file: file, inode: status.identity.file.inode, size: whole, begun: status.identity.file.birth)
    }

    /// Appends whole lines, and makes sure that they are on the disk where that is asked for; to new files where this one
    /// would grow too large. After a failure none of them is there.
    /// - Returns: where they are.
    @discardableResult
    func append(_ lines: [UInt8], isDurable: Bool) throws(SyscallError) -> AppendedLines {
        var appended = AppendedLines()
        if lines.isEmpty { return appended }
        let failure: SyscallError? = state.withLock { state in
            do throws(SyscallError) {
                try reopen(&state)
                // What a failed try before this one left would make one broken line with what comes now.
                try cutOffUnfinished(&state)
                appended = try share(lines, &state, isDurable)
                state.unfinished = []
                publish(state)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        return appended
    }

    /// Where lines were appended, in portions.
    struct AppendedLines {
        fileprivate var portions: [(offset: Int, place: HistoryMark)] = []

        /// Returns the place of what is at an offset among the lines.
        func place(of offset: Int) -> HistoryMark? {
            guard let portion = portions.last(where: { $0.offset <= offset }) else { return nil }
            return HistoryMark(file: portion.place.file, size: portion.place.size + Int64(offset - portion.offset))
        }
    }

    private func share(
        _ lines: [UInt8], _ state: inout State, _ isDurable: Bool
    ) throws(SyscallError) -> AppendedLines {
        var rest = lines[...]
        var appended = AppendedLines()
        while !rest.isEmpty {
            let portion = rest.prefix(portion(of: rest, in: &state))
            appended.portions.append((rest.startIndex, HistoryMark(file: state.inode, size: state.size)))
            state.unfinished.append((state.file, state.size))
            do throws(SyscallError) {
                try state.file.descriptor.write(portion.count == lines.count ? lines : Array(portion))
                if isDurable { try sync(&state) }
            } catch {
                try cutOffUnfinished(&state)
                throw error
            }
            state.size += Int64(portion.count)
            rest = rest.dropFirst(portion.count)
        }
        return appended
    }

    /// Cuts off what a failed try has left. If that fails too, the next try begins with it. At a start, the torn last line
    /// is cut off, and whole records end their entries in the journal.
    private func cutOffUnfinished(_ state: inout State) throws(SyscallError) {
        while let (file, start) = state.unfinished.last {
            try file.descriptor.truncate(to: start)
            if file === state.file {
                state.size = start
            } else {
                // The lines come again, in another file.
                try file.descriptor.syncData()
            }
            state.unfinished.removeLast()
        }
    }

    private func sync(_ state: inout State) throws(SyscallError) {
        try state.file.descriptor.syncData()
        guard state.isNameUnsynced else { return }
        try folder.directory.sync()
        state.isNameUnsynced = false
    }

    func publish(_ state: State) { end.withLock { $0 = HistoryMark(file: state.inode, size: state.size) } }

    /// Returns, as a participle, what somebody did to the file since the last call; nil if nothing happened.
    func takeNews() -> String? {
        news.withLock { news in
            defer { news = nil }
            return news
        }
    }

    /// Finds out whether somebody has moved the file, removed it or cut it off, which is then to be reported.
    /// - Returns: false where lines are being written, which finds it out as well, or may have done so before it happened.
    func inspect() throws(SyscallError) -> Bool {
        let result: Result<Void, SyscallError>? = state.withLockIfAvailable { state in
            do throws(SyscallError) { return .success(try inspect(&state)) } catch { return .failure(error) }
        }
        try result?.get()
        return result != nil
    }

    private func inspect(_ state: inout State) throws(SyscallError) {
        switch try change(of: state) {
        case nil, .extended?: try reopen(&state)
        // Whoever writes the next lines goes on with the file that is there then: logrotate(8) may be about to make it, and
        // its end is to be searched, which the loop has no time for.
        case .missing?, .replaced?: report("moved or removed", &state)
        case .shortened?: report("cut off", &state)
        }
    }

    /// Begins a new file where somebody, such as logrotate(8), has moved this one or removed it, and goes on with one
    /// that was cut off or added to.
    private func reopen(_ state: inout State) throws(SyscallError) {
        switch try change(of: state) {
        case nil:
            state.isLossReported = false
            return
        case .extended(let length)?: return try takeAdded(length, &state)
        case .missing?, .replaced?: report("moved or removed", &state)
        case .shortened?: report("cut off", &state)
        }
        try begin(&state)
    }

    /// Goes on with the file that has the name now, made where it is missing.
    func begin(_ state: inout State) throws(SyscallError) {
        while true {
            if let next = try Self.open(in: folder) {
                state = next
                state.isNameUnsynced = true
                return
            }
            // Somebody has put it there while the daemon runs: like one that is full it gets a name of its own.
            try moveAside(at: .now())
        }
    }

    /// Keeps what somebody has added, as lines of its own that the records follow. Otherwise the length of the file
    /// would not be known, and a try that fails later would cut off the end of a line.
    private func takeAdded(_ length: Int64, _ state: inout State) throws(SyscallError) {
        var length = length
        if try state.file.descriptor.bytes(from: length - 1, count: 1) != [UInt8(ascii: "\n")] {
            try state.file.descriptor.write([UInt8(ascii: "\n")])
            length += 1
        }
        state.size = length
        publish(state)
    }

    private func report(_ what: String, _ state: inout State) {
        if state.isLossReported { return }
        state.isLossReported = true
        news.withLock { $0 = what }
    }

    /// A change that somebody made to the file.
    private enum Change: Equatable {
        case missing
        case replaced
        case shortened
        /// It is this long.
        case extended(Int64)
    }

    private func change(of state: State) throws(SyscallError) -> Change? {
        do throws(SyscallError) {
            let now = try folder.directory.status(of: Self.name)
            guard now.identity.file.inode == state.inode else { return .replaced }
            let length = Int64(clamping: now.size)
            if length < state.size { return .shortened }
            // What a failed try of this daemon has left is cut off.
            return length > state.size && state.unfinished.isEmpty ? .extended(length) : nil
        } catch  where error.errno.isAbsent {
            return .missing
        }
    }

    /// Makes sure that what another process has appended is on the disk, which a kill may have kept it from.
    func sync() throws(SyscallError) {
        let file = state.withLock { $0.file }
        try file.descriptor.syncData()
    }

    /// Returns whether a line is an object of JSON from its first byte to its last, which no beginning of a record is.
    private static func isWhole(_ line: [UInt8]) -> Bool {
        var (depth, isQuoted, isEscaped) = (0, false, false)
        for (index, byte) in line.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
                isQuoted = byte != UInt8(ascii: "\"")
            } else {
                switch byte {
                case UInt8(ascii: "\""): isQuoted = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
            if depth == 0 { return index > 0 && index == line.count - 1 && line[0] == UInt8(ascii: "{") }
        }
        return false
    }

    /// The offset after the last newline; nil where there is none for so long that no search would end soon.
    private static func endOfLastLine(_ file: OpenFile, _ length: Int64) throws(SyscallError) -> Int64? {
        var end = length
        while end > 0 {
            if length - end >= longestEnd { return nil }
            // Nearly always the last byte is it; what is longer than a record is read in fewer calls.
            let start = max(0, end - (end == length ? 4096 : 64 * 1024))
            let part = try file.descriptor.bytes(from: start, count: Int(end - start))
            let newline = part.withUnsafeBytes { $0.lastOffset(of: UInt8(ascii: "\n")) }
            if let newline { return start + Int64(newline) + 1 }
            end = start
        }
        return 0
    }
}

extension FileDescriptor {
    /// So many bytes from an offset on; fewer at the end of the file.
    func bytes(from offset: Int64, count: Int) throws(SyscallError) -> [UInt8] {
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(count, 64 * 1024))
        while result.count < count {
            let got = try read(into: &part, at: offset + Int64(result.count))
            if got == 0 { break }
            result.append(contentsOf: part[..<min(got, count - result.count)])
        }
        return result
    }
}
