import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxDaemon

/// A pipe whose other end the test reads when it wants to.
private final class Pipe {
    let reader: Int32
    private let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        reader = ends[0]
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        writer = ends[1]
    }

    deinit { close(reader) }

    /// A log that owns the writing end: called once.
    func log() -> Log { Log(level: .info, stream: FileDescriptor(owning: writer), journal: nil) }

    /// Everything that is in the pipe now.
    func contents() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = read(reader, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("The log", .timeLimit(.minutes(5)))
struct LogTests {
    @Test("A pipe that nobody reads stops nothing, and the next reader learns how many lines were dropped")
    func stoppedPipe() throws {
        let pipe = try Pipe()
        let log = pipe.log()
        let line = String(repeating: "x", count: 99)
        for _ in 0..<2000 { log.write(.info, line) }
        let first = pipe.contents()
        let taken = first.split(separator: "\n").count
        #expect(taken > 100 && taken < 2000)
        log.write(.info, "after")
        let rest = pipe.contents().split(separator: "\n").map(String.init)
        #expect(rest.count == 2)
        #expect(rest.first == "inboxd: warning: dropped \(2000 - taken) lines of the log, which nobody was reading")
        #expect(rest.last == "inboxd: after")
    }

    @Test("After a line that was taken in part the next one begins on a line of its own")
    func partOfALine() throws {
        let pipe = try Pipe()
        let log = pipe.log()
        // Longer than the pipe: a piece of it is taken.
        log.write(.info, String(repeating: "y", count: 300_000))
        let part = pipe.contents()
        #expect(!part.isEmpty && !part.hasSuffix("\n"))
        log.write(.info, "after")
        let rest = pipe.contents()
        #expect(rest.hasPrefix("\ninboxd: warning: dropped 1 line of the log"))
        #expect(rest.hasSuffix("\ninboxd: after\n"))
    }

    @Test("A closed pipe is no reason to end")
    func closedPipe() throws {
        let former = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, former) }
        let log: Log
        do {
            let pipe = try Pipe()
            log = pipe.log()
        }
        log.write(.error, "into nothing")
    }

    @Test("Of a handler that never ran, since its document is gone, the log does not say that it has handled it")
    func gone() {
        let news = HandlerNews(
            id: "1", path: BytePath("/d/a"), outcome: .gone, tries: 1, detail: "the document is gone")
        let text = LogEntry(.handled(news, program: BytePath("/bin/sh"))).text
        #expect(String(decoding: text, as: UTF8.self) == "the handler of /d/a does not run: the document is gone")
    }

    @Test("Why a daemon did not start reaches the journal as errors, a line each, under the message of failed starts")
    func failedStart() throws {
        let journal = try ServiceManager()
        let log = Log(
            level: .error, stream: FileDescriptor(owning: open("/dev/null", O_WRONLY | O_CLOEXEC)),
            journal: SocketAddress(BytePath(journal.path)))
        #expect(log.report(failedStart: "a:3: unknown key \"Setle\"\nb: cannot be read"))
        let messages = journal.messages()
        #expect(messages.count == 2)
        for (message, line) in zip(messages, ["a:3: unknown key \"Setle\"", "b: cannot be read"]) {
            #expect(message.hasPrefix("MESSAGE=\(line)\nPRIORITY=3\n"))
            #expect(message.contains("\nMESSAGE_ID=\(MessageID.startFailed.rawValue)\n"))
        }
        #expect(try !Pipe().log().report(failedStart: "standard error is no journal's"))
    }

    @Test("A value with a newline reaches the journal by its length, so that it cannot begin another field")
    func hostileValue() {
        let entry = LogEntry(.held, .warning, "text", [("INBOX_SOURCE", Array("a\nMESSAGE=forged".utf8))])
        let bytes = Log.datagram(entry)
        let expected = Array("INBOX_SOURCE\n".utf8) + [16, 0, 0, 0, 0, 0, 0, 0] + Array("a\nMESSAGE=forged\n".utf8)
        #expect(bytes.suffix(expected.count).elementsEqual(expected))
        #expect(bytes.starts(with: Array("MESSAGE=text\nPRIORITY=4\n".utf8)))
    }
}
