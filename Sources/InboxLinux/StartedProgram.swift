import CInboxLinux
import Glibc

/// A program that runs in a process group of its own, without capabilities and with no descriptor but its standard ones.
///
/// It dies with the thread that has started it.
package struct StartedProgram: ~Copyable {
    /// The way in which a program ended.
    package enum Ending: Hashable, Sendable {
        /// By itself, with this status.
        case exited(Int32)
        /// By this signal.
        case killed(Int32)
    }

    /// The result of waiting.
    package enum Turn: Sendable {
        /// It wrote these bytes; none at the end of its output.
        case wrote([UInt8])
        /// It wrote these bytes to its standard error, where that is read apart; none at its end.
        case complained([UInt8])
        /// It has ended; what it left in its group may go on.
        case ended
        /// The deadline has come.
        case due
    }

    /// Its number, which is that of its group.
    package let process: Int32
    private let watch: FileDescriptor
    private let output: FileDescriptor
    private let errors: FileDescriptor?
    /// The ends that it writes to, open here as well until it has ended: otherwise its end would be reported three times.
    private var writing: FileDescriptor?
    private var writingErrors: FileDescriptor?
    private var isOpen = true
    private var hasOpenErrors: Bool
    private var hasEnded = false

    /// Starts a program, or kills it where a server that it lies on keeps it from beginning.
    /// - Parameters:
    ///   - path: absolute.
    ///   - arguments: the program's own name first; none has a NUL.
    ///   - environment: each `NAME=VALUE`.
    ///   - input: its standard input.
    ///   - separatesErrors: whether its standard error is read apart from its standard output.
    ///   - note: receives the number of its group before it begins, and nil before the number is freed where it could not
    ///     be started.
    ///   - admit: may wait, while the process is prepared, until the program may begin, and returns the instant at which one
    ///     that has not begun is killed. It makes no call that can fail.
    package init(
        _ path: BytePath, _ arguments: [[UInt8]], environment: [[UInt8]], input: borrowing FileDescriptor,
        separatesErrors: Bool = false, numbered note: (Int32?) -> Void = { _ in },
        admitted admit: () -> Instant = { .never }
    ) throws(SyscallError) {
        let ends = try Self.pipe()
        let reading = FileDescriptor(owning: ends[0])
        let writing: FileDescriptor? = FileDescriptor(owning: ends[1])
        let others = separatesErrors ? try Self.pipe() : []
        let readingErrors: FileDescriptor? = separatesErrors ? FileDescriptor(owning: others[0]) : nil
        let writingErrors: FileDescriptor? = separatesErrors ? FileDescriptor(owning: others[1]) : nil
        let (from, to, beside) = (input.number, ends[1], separatesErrors ? others[1] : ends[1])
        var code: Int32 = 0
        let started = try CStrings.with([path.bytes]) { (path) throws(SyscallError) in
            try CStrings.with(arguments) { (arguments) throws(SyscallError) in
                try CStrings.with(environment) { (environment) throws(SyscallError) in
                    var start: OpaquePointer?
                    let started = try systemCall(.fork) {
                        inbox_begin_start(path[0], arguments, environment, from, to, beside, &start)
                    }
                    note(started)
                    code = inbox_let_start(start, admit().nanoseconds)
                    return started
                }
            }
        }
        let number: Int32
        do throws(SyscallError) {
            _ = try systemCall(.fork) { inbox_start_result(code) }
            number = try systemCall(.openProcess) { inbox_open_process(started) }
        } catch {
            _ = inbox_kill_group(started)
            note(nil)
            _ = inbox_reap(started)
            throw error
        }
        process = started
        watch = FileDescriptor(owning: number)
        output = reading
        errors = readingErrors
        self.writing = writing
        self.writingErrors = writingErrors
        hasOpenErrors = separatesErrors
    }

    /// The ends of a pipe: the one for reading, which does not block, and the one for writing.
    private static func pipe() throws(SyscallError) -> [Int32] {
        var ends: [Int32] = [-1, -1]
        _ = try systemCall(.pipe) { ends.withUnsafeMutableBufferPointer { inbox_pipe($0.baseAddress) } }
        return ends
    }

    /// Waits until it writes, ends, or the deadline has come. Output that has no end does not keep the other two waiting.
    package mutating func wait(until deadline: Instant) throws(SyscallError) -> Turn {
        while true {
            if deadline <= .now() { return .due }
            var entries = [
                pollfd(fd: isOpen ? output.number : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasEnded ? -1 : watch.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errorsNumber, events: Int16(POLLIN), revents: 0),
            ]
            _ = try systemCall(.poll) { poll(&entries, 3, deadline.pollTimeout) }
            if entries[1].revents != 0 {
                hasEnded = true
                writing = nil
                writingErrors = nil
                return .ended
            }
            if entries[0].revents != 0, let part = try written() { return .wrote(part) }
            if entries[2].revents != 0, let part = try complained() { return .complained(part) }
        }
    }

    /// The descriptor of its standard error, where that is read apart and has not ended; else -1.
    private var errorsNumber: Int32 {
        guard hasOpenErrors else { return -1 }
        switch errors {
        case .some(let errors): return errors.number
        case .none: return -1
        }
    }

    /// The next part of what it has written, without waiting: none at the end of its output, nil where nothing is left now.
    package mutating func written() throws(SyscallError) -> [UInt8]? {
        guard isOpen else { return nil }
        let part = try output.part()
        if part?.isEmpty == true { isOpen = false }
        return part
    }

    /// The next part of what it has written to its standard error, as ``written()``; nil where that is not read apart.
    package mutating func complained() throws(SyscallError) -> [UInt8]? {
        guard hasOpenErrors else { return nil }
        let part: [UInt8]?
        switch errors {
        case .some(let errors): part = try errors.part()
        case .none: part = nil
        }
        if part?.isEmpty == true { hasOpenErrors = false }
        return part
    }

    /// Waits until the program ends, and returns how it ended.
    package func ending() throws(SyscallError) -> Ending {
        let number = process
        let code = try systemCall(.waitid) { inbox_await_end(number) }
        return code < 256 ? .exited(code) : .killed(code - 256)
    }

    /// Kills it with all that is in its group.
    package func kill() {
        _ = inbox_kill_group(process)
    }

    /// Kills all that is in a group, while its program's number is not freed.
    package static func kill(group: Int32) {
        _ = inbox_kill_group(group)
    }

    /// Hands over what it may have left in its group, once it has ended or was killed; its number stays taken.
    package consuming func leave() -> LeftGroup {
        var outputs = isOpen ? [OpenFile(output)] : []
        if hasOpenErrors, let errors { outputs.append(OpenFile(errors)) }
        return LeftGroup(number: process, outputs: outputs)
    }
}

/// Rows of C strings for execve(2).
private enum CStrings {
    static func with<Result, Failure: Error>(
        _ strings: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { bytes in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
            for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[bytes.count] = 0
            return copy
        }
        defer { for pointer in pointers { pointer?.deallocate() } }
        pointers.append(nil)
        return try pointers.withUnsafeBufferPointer { (buffer) throws(Failure) in
            // The row ends with a null pointer, so that it has a base address.
            try body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
