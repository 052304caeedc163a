import InboxFiling
import InboxLinux
import Synchronization

/// `history.jsonl`: one JSON object a line for each thing that happened to a document. Lines are only ever appended.
///
/// Batches and copies append from their workers, one at a time.
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
        /// Whether a failed try has left a part of a line at its end.
        var isTorn = false
    }

    let folder: OpenFolder
    let limits: Mutex<Limits>
    let state: Mutex<State>

    static var name: FileName { FileName("history.jsonl").unsafelyUnwrapped }

    /// Opens the file, and cuts off a line that a crash has torn: what it recorded is made anew from the journal.
    init(in state: OpenFolder, maxSize: Int64, maxAge: Duration = .zero) throws(SyscallError) {
        folder = state
        limits = Mutex(Limits(size: maxSize, age: maxAge))
        let opened = try Self.open(in: state)
        self.state = Mutex(opened)
    }

    static func open(in state: OpenFolder) throws(SyscallError) -> State {
        try endRotation(in: state)
        let file = OpenFile(try state.directory.appendingFile(name))
        let status = try file.descriptor.status()
        let length = Int64(clamping: status.size)
        let whole = try endOfLastLine(file, length)
        if whole < length { try file.descriptor.truncate(to: whole) }
        return State(file: file, inode: status.identity.file.inode, size: whole, begun: status.identity.file.birth)
    }

    /// Appends whole lines, and makes sure that they are on the disk where that is asked for. After a failure none of
    /// them is there.
    func append(_ lines: [UInt8], isDurable: Bool) throws(SyscallError) {
        if lines.isEmpty { return }
        let failure: SyscallError? = state.withLock { state in
            do throws(SyscallError) {
                try reopen(&state)
                // What a failed try before this one left would make one broken line with what comes now.
                if state.isTorn { try state.file.descriptor.truncate(to: state.size) }
                state.isTorn = true
                do throws(SyscallError) {
                    try state.file.descriptor.write(lines)
                    if isDurable { try state.file.descriptor.syncData() }
                    state.size += Int64(lines.count)
                    state.isTorn = false
                    return nil
                } catch {
                    try state.file.descriptor.truncate(to: state.size)
                    state.isTorn = false
                    return error
                }
            } catch {
                // The torn line is cut off at the next start; the journal still has what it recorded.
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Begins a new file where somebody, such as logrotate(8), has moved this one or removed it.
    private func reopen(_ state: inout State) throws(SyscallError) {
        do throws(SyscallError) {
            if try folder.directory.status(of: Self.name).identity.file.inode == state.inode { return }
        } catch  where error.errno.isAbsent {
            // It is made anew.
        }
        state = try Self.open(in: folder)
    }

    /// Makes sure that what another process has appended is on the disk, which a kill may have kept it from.
    func sync() throws(SyscallError) {
        let file = state.withLock { $0.file }
        try file.descriptor.syncData()
    }

    /// The offset after the last newline.
    private static func endOfLastLine(_ file: OpenFile, _ length: Int64) throws(SyscallError) -> Int64 {
        var end = length
        while end > 0 {
            let start = max(0, end - 4096)
            let part = try file.descriptor.bytes(from: start, count: Int(end - start))
            if let newline = part.lastIndex(of: UInt8(ascii: "\n")) { return start + Int64(newline) + 1 }
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
