import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite("Handlers")
struct HandlerTests {
    private static let document = HandledDocument(
        id: "0123456789abcdef", path: BytePath(bytes: Array("/d/a ".utf8) + [0xE9]).unsafelyUnwrapped,
        source: BytePath("/d/Inbox/a"),
        type: "public.jpeg", mime: nil, size: 7, documentType: "My Photos",
        annotations: ["source": "scan\\ner\n", "Page_1": "", "half": "a\0b"])

    @Test("Each placeholder becomes what it says in its own argument, byte for byte, and no shell sees it")
    func arguments() throws {
        let command = try CommandTemplate(
            Array(
                "/bin/x {path} -o={name} {folder} {type} [{mime}] {size} {id} {documentType} {source} {} '' $HOME".utf8)
        )
        let plan = ProgramPlan(command, Self.document) { _ in nil }
        let path = Array("/d/a ".utf8) + [0xE9]
        let expected: [[UInt8]] =
            [Array("/bin/x".utf8), path, Array("-o=a ".utf8) + [0xE9]]
            + ["/d", "public.jpeg", "[]", "7", "0123456789abcdef", "My Photos", "/d/Inbox/a", "{}", "", "$HOME"].map {
                Array($0.utf8)
            }
        #expect(plan.arguments == expected)
    }

    @Test("The environment has the document's facts and only those variables of the daemon that a program needs")
    func environment() throws {
        let plan = ProgramPlan(try CommandTemplate(Array("/bin/x".utf8)), Self.document) { name in
            ["HOME": Array("/home/u".utf8), "NOTIFY_SOCKET": [1], "LISTEN_FDS": [1]][name]
        }
        let variables = plan.environment.map { EscapedBytes.text($0) }
        #expect(
            variables == [
                "HOME=/home/u", "PATH=/usr/local/bin:/usr/bin:/bin", "INBOX_PATH=/d/a \\xe9", "INBOX_NAME=a \\xe9",
                "INBOX_TYPE=public.jpeg",
                "INBOX_CONFORMS_TO=public.image public.data public.content public.item", "INBOX_MIME=", "INBOX_SIZE=7",
                "INBOX_ID=0123456789abcdef", "INBOX_DOCUMENT_TYPE=My Photos", "INBOX_SOURCE=/d/Inbox/a",
                "INBOX_ANNOTATION_Page_1=", "INBOX_ANNOTATION_source=scan\\\\ner\n",
            ])
    }

    @Test("Output becomes lines, long ones are cut, and after a thousand there are no more")
    func output() {
        var output = ProgramOutput()
        #expect(output.take(Array("one\ntw".utf8)) == [Array("one".utf8)])
        #expect(output.take(Array("o\n\nrest".utf8)) == [Array("two".utf8), []])
        #expect(output.finish() == Array("rest".utf8))
        #expect(output.finish() == nil)
        var long = ProgramOutput()
        let line = [UInt8](repeating: 0x61, count: 5000)
        #expect(long.take(line + [0x0A]) == [Array(line[..<ProgramOutput.longestLine])])
        var flood = ProgramOutput()
        let lines = flood.take([UInt8](repeating: 0x0A, count: ProgramOutput.mostLines + 5))
        #expect(lines.count == ProgramOutput.mostLines)
        #expect(flood.dropped == 5)
    }

    @Test("A queue gives due retries first, then documents in their order, however many there were")
    func queue() {
        func task(_ number: Int, next: Int64 = 0) -> HandlerQueue.Task {
            HandlerQueue.Task(
                document: HandledDocument(
                    id: "\(number)", path: BytePath("/d"), source: BytePath("/i"), type: "t.t", mime: nil, size: 0,
                    documentType: "T"), tries: next > 0 ? 1 : 0, next: Instant(nanoseconds: next))
        }
        var queue = HandlerQueue()
        for number in 0..<5000 { queue.append(task(number)) }
        let now = Instant(nanoseconds: 100)
        for number in 0..<4000 { #expect(queue.take(at: now)?.document.id == "\(number)") }
        queue.delay(task(7000, next: 200))
        queue.delay(task(7001, next: 90))
        #expect(queue.count == 1002 && queue.ids.count == 1002)
        #expect(queue.nextDeadline == Instant(nanoseconds: 90))
        #expect(queue.take(at: now)?.document.id == "7001")
        #expect(queue.take(at: now)?.document.id == "4000")
        while queue.hasReady { _ = queue.take(at: now) }
        #expect(queue.take(at: now)?.document.id == nil)
        #expect(queue.take(at: Instant(nanoseconds: 200))?.document.id == "7000")
        #expect(queue.count == 0 && queue.nextDeadline == .never)
    }

    @Test("One document of each owner is taken in turn, also of those that wait for another try")
    func owners() {
        func task(_ id: String, of owner: UInt32, next: Int64 = 0) -> HandlerQueue.Task {
            HandlerQueue.Task(
                document: HandledDocument(
                    id: id, path: BytePath("/d"), source: BytePath("/i"), type: "t.t", mime: nil, size: 0,
                    documentType: "T", owner: owner), next: Instant(nanoseconds: next))
        }
        var queue = HandlerQueue()
        for number in 1...1000 { queue.append(task("a\(number)", of: 1)) }
        for number in 1...2 { queue.delay(task("a again \(number)", of: 1, next: 50)) }
        for number in 1...2 { queue.append(task("b\(number)", of: 2)) }
        let taken = (1...6).compactMap { _ in queue.take(at: Instant(nanoseconds: 100))?.document.id }
        #expect(taken == ["a again 1", "b1", "a again 2", "b2", "a1", "a2"])
    }

    @Test("While filing is paused nothing begins, and beyond the limit documents wait in the journal alone")
    func limit() throws {
        let folder = try TemporaryFolder()
        let configuration = try Configuration.withHandler(in: folder)
        let handlers = try Handlers(in: try FairPool(), mostWaiting: 3) { _ in }
        handlers.adopt(configuration, RoutingRules(configuration))
        let state = OpenFolder(try folder.open())
        let history = try History(in: state, maxSize: 0)
        let journal = try Journal(in: state)
        try handlers.begin(in: state, history, journal)
        var source = RecordID.Source()
        for number in 0..<5 {
            let record = FiledRecord(
                id: source.next(at: .now()), time: .now(), source: BytePath("/i/\(number)"),
                destination: configuration.documents.appending("\(number)"), type: "public.jpeg", mime: nil, size: 1,
                documentType: "P", evidence: "content", renamed: false, proof: .lease)
            try RecordLog(journal: journal, history: history).record([record], isDurable: false)
            handlers.filed(record)
        }
        handlers.proceed(at: .current(), isPaused: true)
        #expect(handlers.hasEnded, "one runs")
        #expect(handlers.isPending && !handlers.isIdle)
        // The documents are gone, so that each ends at once.
        let end = Instant.now() + Deadline.usual * 5
        while !handlers.isIdle || handlers.isPending, Instant.now() < end {
            handlers.proceed(at: .current(), isPaused: false)
            try handlers.pool.takeFinished()
            handlers.takeFinished(at: .current())
            usleep(1000)
        }
        let records = try folder.read("history.jsonl").split(separator: "\n").filter { $0.contains("\"handler\"") }
        #expect(records.count == 5)
    }

    private static func outputToItsEnd(of program: inout StartedProgram) throws -> [UInt8] {
        var output: [UInt8] = []
        let deadline = Instant.now() + Deadline.usual * 5
        while true {
            switch try program.wait(until: deadline) {
            case .wrote(let bytes):
                if bytes.isEmpty { return output }
                output += bytes
            case .ended, .complained: continue
            case .due:
                Issue.record("its output does not end")
                return output
            }
        }
    }

    @Test("A program starts without descriptors, capabilities and blocked signals, and its group dies with it")
    func program() throws {
        let folder = try TemporaryFolder()
        let state = OpenFolder(try Directory.open(path: BytePath(folder.path)))
        let name = try #require(FileName("in"))
        try state.directory.appendingFile(name).write(Array("input".utf8))
        let input = try state.directory.file(name)
        let script = "cat; ls /proc/self/fd | wc -l; grep -h -e ^Cap -e ^SigBlk -e ^NoNewPrivs /proc/self/status"
        var program = try StartedProgram(
            BytePath("/bin/sh"), ["/bin/sh", "-c", script].map { Array($0.utf8) },
            environment: [Array("PATH=/usr/bin:/bin".utf8)], input: input)
        let output = try Self.outputToItsEnd(of: &program)
        let ending = try program.ending()
        #expect(ending == .exited(0))
        #expect(LeftGroup.living(among: [program.process]).isEmpty)
        program.leave().free()
        let words = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        // Three, and the one by which ls reads the folder.
        #expect(words.prefix(1) == ["input4"], "\(words)")
        let none = "0000000000000000"
        for name in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:", "SigBlk:"] {
            let place = try #require(words.firstIndex(of: name))
            #expect(words[place + 1] == none, "\(name)")
        }
        #expect(words.suffix(2) == ["NoNewPrivs:", "1"] || words.contains("NoNewPrivs:"))
    }

    @Test("A program that cannot be started is an error with the reason, and leaves nothing behind")
    func noProgram() throws {
        let input = try FileDescriptor.reading(path: BytePath("/dev/null"))
        do throws(SyscallError) {
            let program = try StartedProgram(
                BytePath("/no/such/program"), [Array("x".utf8)], environment: [], input: input)
            program.kill()
            program.leave().free()
            Issue.record("it started")
        } catch {
            #expect(error.errno == .noEntry)
        }
    }

    @Test("What a program has started in its group is found, and killed with it")
    func companions() throws {
        let input = try FileDescriptor.reading(path: BytePath("/dev/null"))
        var program = try StartedProgram(
            BytePath("/bin/sh"), ["/bin/sh", "-c", "sleep 1000 & echo on"].map { Array($0.utf8) },
            environment: [], input: input)
        var turn = try program.wait(until: .now() + Deadline.usual * 5)
        if case .ended = turn { turn = try program.wait(until: .now() + Deadline.usual * 5) }
        guard case .wrote = turn else { throw Failure("it wrote nothing") }
        let ending = try program.ending()
        #expect(ending == .exited(0))
        let group = program.process
        #expect(LeftGroup.living(among: [group]) == [group])
        program.kill()
        // The pipe ends when the last process that has it is gone.
        _ = try Self.outputToItsEnd(of: &program)
        // A process closes what it has open before it ends.
        let end = Instant.now() + Deadline.usual
        while !LeftGroup.living(among: [group]).isEmpty, .now() < end { sched_yield() }
        #expect(LeftGroup.living(among: [group]).isEmpty)
        program.leave().free()
    }

    @Test("Output that waits to be read hides neither the end of a program nor that its time is up")
    func unreadOutput() throws {
        let input = try FileDescriptor.reading(path: BytePath("/dev/null"))
        var program = try StartedProgram(
            BytePath("/bin/sh"), ["/bin/sh", "-c", "echo on"].map { Array($0.utf8) }, environment: [], input: input)
        let ending = try program.ending()
        #expect(ending == .exited(0))
        guard case .due = try program.wait(until: .now()) else { throw Failure("its time is not up") }
        guard case .ended = try program.wait(until: .never) else { throw Failure("it has not ended") }
        // A program that another test starts has the pipe too, until execve(2) has closed it there.
        #expect(try Self.outputToItsEnd(of: &program) == Array("on\n".utf8))
        program.leave().free()
    }
}
