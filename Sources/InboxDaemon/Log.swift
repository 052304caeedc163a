import InboxCore
import InboxLinux

/// How grave a line is: the priorities of syslog(3).
public enum LogLevel: Int, Comparable, CaseIterable, Sendable {
    /// Something failed that someone must mend.
    case error = 3
    /// Something is wrong, or a document is held.
    case warning = 4
    /// Worth to be seen by who looks for it.
    case notice = 5
    /// One line a filed document.
    case info = 6
    /// For who looks into the daemon itself.
    case debug = 7

    /// `error`, `warning`, `notice`, `info` or `debug`.
    public var name: String { "\(self)" }

    /// The level of this name.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// Graver first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// One line of the log, and its fields for the journal.
struct LogEntry {
    let level: LogLevel
    /// Printable: no name reaches it unescaped.
    let text: String
    /// Names of the journal's fields and their exact bytes.
    var fields: [(name: String, value: [UInt8])] = []
}

/// Writes lines to standard error; under systemd natively to the journal, with fields.
public final class Log {
    private let journal: [UInt8]?
    private let stream: FileDescriptor
    /// The least grave level that is written.
    public var level: LogLevel

    /// A log on standard error, or on the journal where standard error is its stream: systemd.exec(5), `JOURNAL_STREAM`.
    public init(level: LogLevel) throws(SyscallError) {
        self.level = level
        stream = try FileDescriptor.standardError()
        let told = Process.environment("JOURNAL_STREAM").map { String(decoding: $0, as: UTF8.self) }
        let own = try stream.journalStreamName()
        journal = told == own ? Array("/run/systemd/journal/socket".utf8) : nil
    }

    /// Writes a line, unless its level is not wanted.
    func write(_ entry: LogEntry) {
        guard entry.level <= level else { return }
        if let journal {
            do throws(SyscallError) {
                try Datagram.send(Self.datagram(entry), toSocketAt: journal)
                return
            } catch {
                // journald restarts at times: the stream it left on standard error takes the line.
            }
        }
        let prefix = entry.level <= .warning ? "inboxd: \(entry.level.name): " : "inboxd: "
        do throws(SyscallError) { try stream.write(Array("\(prefix)\(entry.text)\n".utf8)) } catch {
            // There is nowhere left to tell of it.
        }
    }

    /// Writes a line at `notice`.
    public func note(_ text: String) { write(.notice, text) }

    /// Writes a line at `warning`.
    public func report(_ text: String) { write(.warning, text) }

    /// Writes a line without fields.
    func write(_ level: LogLevel, _ text: String) { write(LogEntry(level: level, text: text)) }

    /// systemd's native journal protocol: `NAME=value`, or where the value holds a newline the name, a newline, the
    /// length in 8 bytes (little-endian), the value and a newline.
    static func datagram(_ entry: LogEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        let common: [(name: String, value: [UInt8])] = [
            ("MESSAGE", Array(entry.text.utf8)), ("PRIORITY", Array("\(entry.level.rawValue)".utf8)),
            ("SYSLOG_IDENTIFIER", Array("inboxd".utf8)),
        ]
        for (name, value) in common + entry.fields {
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
