import Glibc
import InboxLinux
import InboxTestSupport

@testable import InboxCore

extension Handlers {
    /// Goes on until this holds, for five minutes at most; whether it does.
    /// - Parameter offset: how far the clock of the handlers is ahead.
    func proceed(after offset: Duration, until isDone: () throws -> Bool) throws -> Bool {
        let end = Instant.now() + Deadline.usual * 5
        while Instant.now() < end {
            let moment = Moment(now: .now() + offset, wall: .now())
            proceed(at: moment, isPaused: false)
            try pool.takeFinished()
            takeFinished(at: moment)
            if try isDone() { return true }
            usleep(1000)
        }
        return false
    }
}

extension TemporaryFolder {
    /// The documents of `/i` whose handlers have ended by the history in the folder, in that order.
    func handled() throws -> [(name: String, outcome: String)] {
        func value(_ line: Substring, after key: String) -> String {
            String(line.split(separator: key).last?.prefix { $0 != "\"" } ?? "")
        }
        return try read("history.jsonl").split(separator: "\n").filter { $0.contains("\"event\":\"handler\"") }
            .map { (value($0, after: "\"source\":\"/i/"), value($0, after: "\"outcome\":\"")) }
    }
}
