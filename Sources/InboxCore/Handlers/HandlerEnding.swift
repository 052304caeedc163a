import InboxFiling
import InboxLinux

/// The end of one try of a handler.
enum HandlerEnding: Sendable, Hashable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
    /// It was killed at `RunTimeout`.
    case timedOut
    /// It could not be started, in words.
    case failed(String)
    /// It could not be started because something is short for a while, as it is for others, in words: that was no try.
    case short(String)
    /// The document could not be opened for a while, in words: that was no try.
    case postponed(String)
    /// A folder that the document lies in cannot be reached now, in words: that was no try.
    case unreachable(BytePath, String)
    /// The document is not there any more.
    case gone
    /// Another file has the document's name.
    case replaced
    /// The daemon ends: it runs again at the next start.
    case abandoned

    /// The end of the program.
    init(_ ending: ProgramEnding) {
        self =
            switch ending {
            case .exited(let status): .exited(status)
            case .killed(let signal): .killed(signal)
            case .timedOut: .timedOut
            case .failed(let words): .failed(words)
            case .short(let words): .short(words)
            case .abandoned: .abandoned
            }
    }

    /// No further try is due.
    var isSuccess: Bool { self == .exited(0) || isGone }

    /// There was no document to be handled.
    var isGone: Bool { self == .gone || self == .replaced }

    /// A program has run, and no resource was short for it.
    var hasRun: Bool {
        switch self {
        case .exited, .killed, .timedOut: true
        case .short, .postponed, .unreachable, .abandoned, .failed, .gone, .replaced: false
        }
    }

    /// The ending counts as a try.
    var isTry: Bool {
        switch self {
        case .short, .postponed, .unreachable, .abandoned: false
        case .exited, .killed, .timedOut, .failed, .gone, .replaced: true
        }
    }

    /// For a person.
    var words: String {
        switch self {
        case .exited(0): "done"
        case .exited(let status): "it ended with status \(status)"
        case .killed(let signal): "it died of signal \(signal)"
        case .timedOut: "it was killed at RunTimeout"
        case .failed(let words), .short(let words), .postponed(let words), .unreachable(_, let words): words
        case .gone: "the document is gone"
        case .replaced: "the document is gone: another file has its name"
        case .abandoned: "the daemon ended"
        }
    }
}

/// The history's record of a handler's end.
struct HandlerRecord: Sendable {
    let document: HandledDocument
    let program: BytePath
    let ending: HandlerEnding
    /// The number of tries.
    let tries: Int
    /// The time that the last try took.
    let duration: Duration
    let time: Timestamp

    /// The line of the history.
    var line: [UInt8] {
        var line = JSONLine()
        line.add("id", document.id)
        line.add("time", time)
        line.add("event", "handler")
        line.add("source", document.source)
        line.add("destination", document.path)
        line.add("type", document.type)
        line.add("documentType", document.documentType)
        line.add("run", program)
        line.add("outcome", ending.isSuccess ? (ending.isGone ? "gone" : "done") : "failed")
        switch ending {
        case .exited(let status): line.add("exitStatus", status)
        case .killed(let signal): line.add("signal", signal)
        case .timedOut, .failed, .short, .postponed, .unreachable, .gone, .replaced, .abandoned: break
        }
        line.add("detail", ending == .exited(0) ? nil : ending.words)
        line.add("tries", tries)
        line.add("milliseconds", duration.wholeMilliseconds)
        return line.finished()
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
    }
}
