import Glibc
import InboxConfiguration
import InboxLinux
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Paths as people type them")
struct TypedPathTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func resolved(_ typed: String) -> String? {
        TypedPath(BytePath(typed), workingDirectory: BytePath(scratch.path)).resolved?.displayText
    }

    @Test("Folders are resolved, and the last component is what was typed")
    func resolves() {
        mkdir(scratch["real"], 0o700)
        symlink("real", scratch["link"])
        scratch.file("file", "x")
        for (typed, expected) in [
            ("file", scratch["file"]), ("./file", scratch["file"]), ("real/../file", scratch["file"]),
            ("link/gone", scratch["real/gone"]), ("link", scratch["link"]), ("link/", scratch["real"]),
            ("link/.", scratch["real"]), ("link/..", scratch.path), (".", scratch.path),
            ("..", BytePath(scratch.path).parent?.displayText ?? ""), ("/", "/"),
            ("gone/a/b", scratch["gone/a/b"]), ("link/gone/a", scratch["real/gone/a"]), ("gone/./a", scratch["gone/a"]),
            (scratch["link/a"], scratch["real/a"]), ("//", "/"), ("link//a", scratch["real/a"]),
        ] {
            #expect(resolved(typed) == expected, "\(typed)")
        }
        #expect(resolved("gone/../file") == nil)
    }

    @Test("Names are bytes")
    func bytes() throws {
        let name = try #require(BytePath(bytes: Array("caf".utf8) + [0xE9]))
        let path = TypedPath(name, workingDirectory: BytePath(scratch.path))
        #expect(path.resolved == BytePath(scratch.path).appending(name))
    }

    @Test("A path in a root gets the name that the daemon has for the root, the innermost where there are several")
    func roots() {
        let roots = [("/home/a/Documents", "/data/a"), ("/home/a/Documents/Inbox", "/data/a/Inbox"), ("/", "/nowhere")]
            .map { (name: BytePath($0.0), real: BytePath($0.1)) }
        func named(_ path: String) -> String? {
            let typed = TypedPath(BytePath(path), workingDirectory: BytePath("")) { path throws(SyscallError) in path }
            return typed.named(by: roots)?.displayText
        }
        #expect(named("/data/a/x.pdf") == "/home/a/Documents/x.pdf")
        #expect(named("/data/a/Inbox/x.pdf") == "/home/a/Documents/Inbox/x.pdf")
        #expect(named("/data/a/Inbox") == "/home/a/Documents/Inbox")
        #expect(named("/data/ab") == "/data/ab")
    }

    /// A daemon whose Documents is the scratch folder's `Documents`.
    private func daemon(_ explained: [String]) throws -> StandIn {
        mkdir(scratch["Documents"], 0o700)
        var report = StatusReport.quiet
        report.documents = scratch["Documents"]
        report.inboxes = []
        var answers: [String: ExplanationReport] = [:]
        for path in explained {
            answers[path] = ExplanationReport(
                path: path, type: "com.adobe.pdf", mime: "application/pdf", evidence: "content", mismatch: false,
                unread: false, conformsTo: ["public.data", "public.item"], destination: nil, arrival: nil)
        }
        return try StandIn(FixedInbox(report: report, explained: answers))
    }

    @Test("Through a link to Documents a path is explained and tried again")
    func throughLink() throws {
        let daemon = try daemon([scratch["Documents/a.pdf"]])
        symlink("Documents", scratch["docs"])
        let environment = ["INBOXD_SOCKET": daemon.path]
        for typed in ["docs/a.pdf", "Documents/../docs/./a.pdf", "Documents/a.pdf"] {
            let explained = inboxctl(["explain", scratch[typed]], environment: environment)
            #expect(explained.status == 0 && explained.output.contains("com.adobe.pdf"), "\(typed)")
            let retried = inboxctl(["retry", scratch[typed]], environment: environment)
            let words = "tried again: \(scratch["Documents/a.pdf"]), 1 arrival\n"
            #expect(retried == Run(status: 0, output: words, errors: ""))
        }
        unlink(scratch["docs"])
        #expect(try daemon.stop())
    }

    @Test("Where nothing waits or is held, nothing was tried again, and retry says so")
    func nothingToRetry() throws {
        let path = scratch["Documents/filed"]
        let daemon = try daemon([path])
        let retried = inboxctl(["retry", path], environment: ["INBOXD_SOCKET": daemon.path])
        let words = "nothing waits or is held at \(path)\n"
        #expect(retried == Run(status: 1, output: words, errors: ""))
        #expect(try daemon.stop())
    }

    @Test("Several paths, of which one is bad, are all answered, and the status is 1")
    func several() throws {
        let good = [scratch["Documents/a"], scratch["Documents/b"]]
        let daemon = try daemon(good)
        let environment = ["INBOXD_SOCKET": daemon.path]
        let words = [good[0], scratch["Documents/bad"], "", scratch["gone/../x"], good[1]]
        let explained = inboxctl(["explain"] + words, environment: environment)
        #expect(explained.status == 1)
        #expect(explained.output.split(separator: "\n").filter { $0.contains("path: ") }.count == 2)
        #expect(explained.errors.split(separator: "\n").count == 3)
        let retried = inboxctl(["retry", "--json"] + words, environment: environment)
        #expect(retried.status == 1)
        #expect(retried.output == good.map { "{\"arrivals\":1,\"path\":\"\($0)\",\"paused\":false}\n" }.joined())
        #expect(retried.errors.split(separator: "\n").count == 3)
        #expect(try daemon.stop())
    }

    @Test("A path that is typed as inboxctl prints it is found, unless there is one of those very bytes")
    func printed() throws {
        let (byte, backslash) = (scratch["Documents/caf\\xe9"], scratch["Documents/caf\\\\xe9"])
        for (paths, meant) in [([byte], byte), ([backslash], backslash), ([byte, backslash], backslash)] {
            let daemon = try daemon(paths)
            let environment = ["INBOXD_SOCKET": daemon.path]
            let explained = inboxctl(["explain", scratch["Documents/caf\\xe9"]], environment: environment)
            #expect(explained.status == 0 && explained.output.contains("path: \(meant)\n"), "\(explained)")
            let retried = inboxctl(["retry", scratch["Documents/caf\\xe9"]], environment: environment)
            #expect(retried == Run(status: 0, output: "tried again: \(meant), 1 arrival\n", errors: ""))
            #expect(try daemon.stop())
        }
    }

    @Test("The same without a daemon, of a document that has gone")
    func printedPast() throws {
        let members = #""id":"1","time":"2026-01-01T00:00:00.000Z","event":"filed","type":"public.data""#
        let places = #""source":"/in/caf\\xe9","destination":"/docs/caf\\xe9""#
        mkdir(scratch["state"], 0o700)
        scratch.file("state/history.jsonl", "{\(members),\(places)}\n")
        let run = inboxctl(["explain", "--state", scratch["state"], "/in/caf\\xe9"])
        #expect(run.status == 0 && run.output.contains("went to: /docs/caf\\xe9"), "\(run)")
    }

    @Test("A file that is none of the daemon's is typed without it")
    func foreign() throws {
        let daemon = try daemon([])
        scratch.file("x.pdf", "%PDF-1.4\n")
        let environment = ["INBOXD_SOCKET": daemon.path]
        let run = inboxctl(["explain", scratch["x.pdf"]], environment: environment)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.contains("       type: com.adobe.pdf\n"))
        #expect(run.output.contains("  not filed: \(scratch["x.pdf"]): it lies neither in an Inbox nor in"))
        // Documents itself is never filed either.
        let folder = inboxctl(["explain", scratch["Documents"]], environment: environment)
        #expect(folder.status == 0 && folder.output.contains("       type: public.folder\n"), "\(folder)")
        #expect(inboxctl(["explain", scratch["Documents/gone"]], environment: environment).status == 1)
        let json = inboxctl(["explain", "--json", scratch["x.pdf"]], environment: environment)
        let object = try JSONValue(parsing: json.output.utf8)
        #expect(object["type"]?.string == "com.adobe.pdf")
        #expect(object["refused"]?.string?.contains("it lies neither in an Inbox nor in") == true)
        #expect(inboxctl(["explain", scratch["gone"]], environment: environment).status == 1)
        #expect(try daemon.stop())
    }

    @Test("Where no daemon is there, one line says so, however many paths were given")
    func nobody() {
        let run = inboxctl(["explain", "--socket=/tmp/no-such-socket", "a", "b"])
        #expect(run.status == 1 && run.errors.split(separator: "\n").count == 1)
    }
}
