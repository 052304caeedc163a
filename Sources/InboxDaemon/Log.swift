import InboxLinux

/// The severity of a line: the priorities of syslog(3).
package enum LogLevel: Int, Comparable, CaseIterable, Sendable {
    /// Something failed that someone must mend.
    case error = 3
    /// Something is wrong, or a document is held.
    case warning = 4
    /// Worth seeing for a person who investigates.
    case notice = 5
    /// One line a filed document.
    case info = 6
    /// For debugging the daemon itself.
    case debug = 7

    /// `error`, `warning`, `notice`, `info` or `debug`.
    package var name: String { "\(self)" }

    /// The level of this name.
    package init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// Graver first.
    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// One line of the log, and its fields for the journal.
struct LogEntry {
    let level: LogLevel
    /// Printable: no name reaches it unescaped.
    let text: [UInt8]
    /// Makes the names of the journal's fields and their exact bytes, which only the journal gets.
    let fields: () -> [(name: String, value: [UInt8])]

    init(
        level: LogLevel, text: [UInt8], fields: @autoclosure @escaping () -> [(name: String, value: [UInt8])] = []
    ) {
        self.level = level
        self.text = text
        self.fields = fields
    }

    init(
        level: LogLevel, text: String, fields: @autoclosure @escaping () -> [(name: String, value: [UInt8])] = []
    ) {
        self.init(level: level, text: Array(text.utf8), fields: fields())
    }
}

/// Writes lines to standard error; under systemd natively to the journal, with fields.
///
/// It never waits: a line that standard error or the journal does not take at once is dropped and counted, and the next
/// line that is taken is preceded by the count. The event loop would otherwise stop with its log.
package final class Log {
    /// Bytes: with more gathered, they are written.
    private static let mostGathered = 32 * 1024

    private let journal: SocketAddress?
    private let stream: FileDescriptor
    /// Lines that are not written yet.
    private var gathered: [UInt8] = []
    /// Lines that were not taken since the last report.
    private var dropped = 0
    /// The last line was taken only in part, so that the next one has to begin on a new line.
    private var isMidLine = false
    /// Lines of the level `info` wait for ``flush()`` on standard error. Writing each by itself would cost a good
    /// part of what filing a document costs.
    var isGathering = false
    /// The least grave level that is written.
    package var level: LogLevel

    /// A log on standard error, or on the journal where standard error is its stream: systemd.exec(5), `JOURNAL_STREAM`.
    package convenience init(level: LogLevel) throws(SyscallError) {
        let stream = try FileDescriptor.standardError()
        let given = Process.environment("JOURNAL_STREAM").map { String(decoding: $0, as: UTF8.self) }
        let own = try stream.journalStreamName()
        let journal = given == own ? SocketAddress(BytePath("/run/systemd/journal/socket")) : nil
        self.init(level: level, stream: stream, journal: journal)
    }

    /// A log on a stream, or on the journal's socket as long as that can be reached.
    init(level: LogLevel, stream: consuming FileDescriptor, journal: SocketAddress?) {
        self.level = level
        self.stream = stream
        self.journal = journal
    }

    /// Writes a line, unless its level is not wanted.
    func write(_ entry: LogEntry) {
        guard entry.level <= level else { return }
        if journal != nil {
            guard reportDropped(), attempt(entry) else {
                dropped += 1
                return
            }
        } else {
            append(entry, to: &gathered)
            // A line such as a refusal must be in the log by the time the client has the reply.
            if !isGathering || entry.level < .info || gathered.count >= Self.mostGathered { flush() }
        }
    }

    /// Writes the lines that were gathered.
    func flush() {
        guard !gathered.isEmpty else { return }
        let reported = reportDropped()
        let written = reported ? attempt(gathered) : 0
        dropped += gathered[written...].count { $0 == UInt8(ascii: "\n") }
        gathered.removeAll(keepingCapacity: true)
    }

    /// Writes a line at `notice` before the work begins.
    package func note(_ text: String) { write(.notice, text) }

    /// Writes a line that is a result of the program, at `warning` whatever level is wanted, and after the work: it waits for
    /// a slow reader.
    package func report(_ text: String) {
        let entry = LogEntry(level: .warning, text: text)
        if reportDropped(), sendToJournal(entry) { return }
        do throws(SyscallError) { try stream.write((isMidLine ? [UInt8(ascii: "\n")] : []) + line(entry)) } catch {
            // Standard error is closed: the exit status says that something is left.
        }
    }

    /// Writes natively why the daemon did not start; false where standard error is not the journal's, or it is not
    /// taken.
    package func report(failedStart text: String) -> Bool {
        text.split(separator: "\n").allSatisfy { sendToJournal(LogEntry(.startFailed, .error, String($0))) }
    }

    /// Writes a line without fields.
    func write(_ level: LogLevel, _ text: String) { write(LogEntry(level: level, text: text)) }

    /// Reports the dropped lines if there are any; false where that is not taken either.
    private func reportDropped() -> Bool {
        guard dropped > 0 else { return true }
        let lines = dropped == 1 ? "1 line" : "\(dropped) lines"
        guard attempt(LogEntry(.linesDropped, .warning, "dropped \(lines) of the log, which nobody was reading")) else {
            return false
        }
        dropped = 0
        return true
    }

    /// Writes a line now; false where it is not taken.
    private func attempt(_ entry: LogEntry) -> Bool {
        if sendToJournal(entry) { return true }
        let line = line(entry)
        return attempt(line) == line.count
    }

    /// Writes lines to standard error now; returns how many of their bytes are taken.
    private func attempt(_ lines: [UInt8]) -> Int {
        do throws(SyscallError) {
            let start = isMidLine ? 1 : 0
            let count = try stream.writeWithoutWaiting(isMidLine ? [UInt8(ascii: "\n")] + lines : lines)
            guard count > 0 else { return 0 }
            let taken = count - start
            isMidLine = taken > 0 && lines[taken - 1] != UInt8(ascii: "\n")
            return taken
        } catch {
            // Standard error is closed: there is nowhere left to report that.
            return lines.count
        }
    }

    private func sendToJournal(_ entry: LogEntry) -> Bool {
        guard let journal else { return false }
        do throws(SyscallError) {
            try Datagram.send(Self.datagram(entry), to: journal)
            return true
        } catch {
            // journald is being restarted, or its queue is full: the stream on standard error may still take the line.
            return false
        }
    }

    private func line(_ entry: LogEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        append(entry, to: &bytes)
        return bytes
    }

    private func append(_ entry: LogEntry, to lines: inout [UInt8]) {
        lines += "inboxd: ".utf8
        if entry.level <= .warning { lines += "\(entry.level.name): ".utf8 }
        lines += entry.text
        lines.append(UInt8(ascii: "\n"))
    }

    /// systemd's native journal protocol: `NAME=value`, or where the value holds a newline the name, a newline, the
    /// length in 8 bytes (little-endian), the value and a newline.
    static func datagram(_ entry: LogEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        let common: [(name: String, value: [UInt8])] = [
            ("MESSAGE", entry.text), ("PRIORITY", Array("\(entry.level.rawValue)".utf8)),
            ("SYSLOG_IDENTIFIER", Array("inboxd".utf8)),
        ]
        for (name, value) in common + entry.fields() {
            bytes += name.utf8
            if value.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
