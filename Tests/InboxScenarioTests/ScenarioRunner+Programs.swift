import Glibc
import InboxTestSupport

/// Starting and ending programs, what they said, and the time that passes.
extension ScenarioRunner {
    /// Whether the verb was one of these.
    func runPrograms(_ verb: String, _ arguments: [TestPath]) async throws -> Bool {
        switch verb {
        // Who may play the scenario was settled before it began.
        case "needs":
            switch try take(1, arguments)[0] {
            case "unprivileged": break
            case "other-filesystem": other = try OtherFilesystem()
            default: throw Failure("needs unprivileged or other-filesystem")
            }
        case "programs":
            stage.variables.append("PATH=\(path(try take(1, arguments)[0])):/usr/bin:/bin")
        case "config": stage.settings.append(try take(1, arguments)[0])
        case "start": try await stage.start(arguments)
        case "stop":
            let exit = try await stage.end(SIGTERM)
            guard exit == .status(0) else { throw Failure("the daemon ended with \(exit)") }
        case "interrupt":
            let exit = try await stage.end(SIGINT)
            guard exit == .status(0) else { throw Failure("the daemon ended with \(exit)") }
        case "kill": _ = try await stage.end(SIGKILL)
        case "hup": stage.daemon?.signal(SIGHUP)
        case "once": try await stage.runDaemon(["--once"] + arguments)
        case "inboxd": try await stage.runDaemon(arguments)
        case "inboxd-alone": try await stage.runDaemonAlone(arguments)
        case "inboxctl": try await stage.runControl(arguments)
        case "status-exit":
            try await stage.runControl(["status"])
            try expectExit(take(1, arguments)[0])
        case "cp":
            let words = arguments.map { $0.bytes.first == UInt8(ascii: "-") ? $0 : path($0) }
            let run = try await stage.run("cp", words)
            guard run.exit == .status(0) else { throw Failure("cp: \(run.exit): \(run.errors)") }
        case "exit": try expectExit(take(1, arguments)[0])
        case "stdout", "stderr", "output": try expectWords(verb, arguments)
        case "log": try await expectLog(take(2, arguments))
        // Time is part of the story here (a scanner between two pages); nobody waits for the daemon with it.
        case "sleep": try pause(duration(take(1, arguments)[0]))
        case "mark": mark = ContinuousClock().now
        case "elapsed-at-least":
            let least = try duration(take(1, arguments)[0])
            let elapsed = ContinuousClock().now - mark
            guard elapsed >= least else { throw Failure("only \(elapsed) have passed") }
        default: return false
        }
        return true
    }

    /// `contains TEXT` is waited for; `lacks TEXT` is about what was said so far.
    private func expectLog(_ words: [TestPath]) async throws {
        let wanted = String(decoding: words[1].bytes, as: UTF8.self)
        let log = stage.daemonLog
        switch words[0] {
        case "contains":
            try await eventually { Disk.text(log).contains(wanted) ? nil : "the daemon did not say \(words[1])" }
        case "lacks":
            guard !Disk.text(log).contains(wanted) else { throw Failure("the daemon said \(words[1])") }
        default: throw Failure("log contains or lacks")
        }
    }

    private func lastRun() throws -> Stage.Run {
        guard let run = stage.lastRun else { throw Failure("no program has been run") }
        return run
    }

    /// One of several exit statuses: `64`, `64|78`.
    private func expectExit(_ word: TestPath) throws {
        let run = try lastRun()
        let allowed = word.description.split(separator: "|").compactMap { Int32($0) }
        guard allowed.contains(where: { run.exit == .status($0) }) else {
            throw Failure("\(run.exit) instead of \(word)\nstdout: \(run.output)\nstderr: \(run.errors)")
        }
    }

    /// `contains TEXT`, `lacks TEXT`, `lines N`.
    private func expectWords(_ stream: String, _ arguments: [TestPath]) throws {
        let words = try take(2, arguments)
        let run = try lastRun()
        let text: String
        switch stream {
        case "stdout": text = run.output
        case "stderr": text = run.errors
        default: text = run.output + run.errors
        }
        let wanted = String(decoding: words[1].bytes, as: UTF8.self)
        let fits: Bool
        switch words[0] {
        case "contains": fits = text.contains(wanted)
        case "lacks": fits = !text.contains(wanted)
        case "lines": fits = try text.split(separator: "\n").count == number(words[1])
        default: throw Failure("\(stream) contains, lacks or lines")
        }
        guard fits else { throw Failure("\(stream) is: \(text)") }
    }
}
