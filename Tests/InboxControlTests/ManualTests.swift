import Glibc
import InboxConfiguration
import InboxLinux
import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import class InboxTestSupport.Program
import struct InboxTestSupport.TestPath

@testable import inboxctl

@Suite("The man page")
struct ManualTests {
    private func page(_ name: String = "inboxctl/inboxctl.1") throws -> String {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
        let file = try FileDescriptor.reading(path: BytePath("\(folder)/Sources/\(name)"))
        return String(decoding: try file.contents(limit: 1 << 20) ?? [], as: UTF8.self)
    }

    @Test("It describes every verb and every option, and of no other verb")
    func complete() throws {
        let page = try page()
        for verb in Verb.all {
            #expect(page.contains(".Ss \(verb.name)\n"), "\(verb.name) is missing")
            for option in verb.options + .common {
                #expect(page.contains("Fl Fl \(option.name)"), "--\(option.name) is missing")
            }
        }
        let verbs = Set(Verb.all.map(\.name)).union(["waiting", "held", "ignored"])
        for line in page.split(separator: "\n") where line.hasPrefix(".It Cm ") {
            #expect(verbs.contains(String(line.split(separator: " ")[2])), "\(line) is no verb")
        }
    }

    @Test("Both programs' pages list every exit status")
    func exitStatus() throws {
        let pages = [try page(), try page("inboxd/inboxd.8")]
        for page in pages {
            let statuses = try #require(page.split(separator: ".Sh EXIT STATUS\n").last)
                .split(separator: "\n").prefix { !$0.hasPrefix(".Sh") }
                .filter { $0.hasPrefix(".It ") }.map { String($0.dropFirst(4)) }
            #expect(statuses == ExitStatus.allCases.map { "\($0.rawValue)" })
        }
    }

    @Test(
        "No line of a page is longer than a terminal is wide",
        arguments: [
            "inboxctl/inboxctl.1", "inboxd/inboxd.8", "inboxd/inboxd.conf.5", "InboxVarlink/io.inboxd.Inbox.7",
        ])
    func lengths(name: String) throws {
        let long = try page(name).split(separator: "\n").filter { $0.utf8.count > 80 }
        #expect(long.isEmpty)
    }

    private static let mandoc: String? = (["/usr/bin/mandoc", "/usr/local/bin/mandoc"] as [String])
        .first { access($0, X_OK) == 0 }

    @Test(
        "mandoc finds nothing wrong with it, nor with the page of the interface",
        .enabled(if: mandoc != nil, "mandoc is not installed"),
        arguments: ["Sources/inboxctl/inboxctl.1", "Sources/InboxVarlink/io.inboxd.Inbox.7"])
    func lint(page: String) async throws {
        let scratch = try ScratchFolder()
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
        let run = try Program(
            TestPath(try #require(Self.mandoc)), ["-T", "lint", TestPath("\(folder)/\(page)")], environment: [],
            output: TestPath(scratch["output"]), errors: TestPath(scratch["errors"]))
        _ = try await run.ended()
        let words = try FileDescriptor.reading(path: BytePath(scratch["output"])).contents(limit: 1 << 20) ?? []
        // The pages of this project are not installed where it is tested.
        let own = ["inboxctl 1", "inboxd 8", "inboxd.conf 5", "io.inboxd.Inbox 7"]
        let findings = String(decoding: words, as: UTF8.self).split(separator: "\n").filter { line in
            line.contains(page) && !own.contains { line.contains("referenced manual not found: Xr \($0)") }
        }
        #expect(findings.isEmpty)
    }
}
