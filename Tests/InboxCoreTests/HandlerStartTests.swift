import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

/// Handlers whose programs lie where execve(2) has to wait, as on a server that has ceased to answer.
@Suite("Handlers whose programs do not begin")
struct HandlerStartTests {
    /// A program with a write lease on it: whoever opens or executes it waits until that is given up or the kernel breaks
    /// it, after 45 s.
    private final class HeldProgram {
        private static let takesLease: Int32 = 1024
        private let number: Int32

        init(at path: String) throws {
            // Nobody waits for the signal that reports who wants to have it.
            signal(SIGIO, SIG_IGN)
            number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o700)
            guard write(number, "#!/bin/sh\n", 10) == 10, fcntl(number, Self.takesLease, F_WRLCK) == 0 else {
                throw Failure("no lease of \(path): errno \(errno)")
            }
        }

        deinit { close(number) }
    }

    private let folder: TemporaryFolder
    private let roots = Roots()
    private let handlers: Handlers
    private let program: HeldProgram

    init() throws {
        folder = try TemporaryFolder()
        folder.makeFolder("d")
        program = try HeldProgram(at: folder.path + "/held")
        handlers = try Handlers(in: try FairPool(), on: roots) { _ in }
    }

    /// Files a document whose handler is the program.
    private func file(_ settings: String) throws {
        let run = "Run=\(folder.path)/held\nRunRetries=0\n"
        let configuration = try Configuration.withHandler(in: folder, run + settings)
        handlers.adopt(configuration, RoutingRules(configuration))
        _ = try roots.open(configuration.documents, as: .documents)
        let state = OpenFolder(try folder.open())
        let history = try History(in: state, maxSize: 0)
        let journal = try Journal(in: state)
        try handlers.begin(in: state, history, journal)
        try folder.write("d/a", "a")
        var source = RecordID.Source()
        let record = FiledRecord(
            id: source.next(at: .now()), time: .now(), source: BytePath("/i/a"), destination: folder.bytePath("d/a"),
            type: "public.jpeg", mime: nil, size: 1, documentType: "P", evidence: "content", renamed: false,
            proof: .lease, identity: try folder.status("d/a").identity)
        try RecordLog(journal: journal, history: history).record([record], isDurable: false)
        handlers.filed(record)
    }

    @Test("A program that does not begin is killed at RunTimeout")
    func timeout() throws {
        try file("RunTimeout=100ms\n")
        let isOver = try handlers.proceed(after: .zero) { !handlers.isPending }
        #expect(isOver)
        let history = try folder.read("history.jsonl")
        #expect(history.contains("it was killed at RunTimeout"), "\(history)")
    }

    @Test("A program that does not begin keeps the daemon from ending no longer than any other, and runs again")
    func ending() throws {
        try file("RunTimeout=infinity\n")
        let hasBegun = try handlers.proceed(after: .zero) { try folder.read("journal").contains("\"tried\"") }
        #expect(hasBegun)
        handlers.end()
        let hasEnded = try handlers.proceed(after: .zero) { handlers.hasEnded }
        #expect(hasEnded)
        #expect(try folder.handled().isEmpty)
        #expect(handlers.isPending)
    }
}
