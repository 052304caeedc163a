import Glibc
import InboxLinux
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("The history without a daemon")
struct HistoryFallbackTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// The person's own history, with one record.
    private func writeOwn() {
        mkdir(scratch["inboxd"], 0o700)
        scratch.file("inboxd/history.jsonl", "{\"id\":\"1\",\"time\":\"2026-11-20T22:51:07Z\",\"event\":\"filed\"}\n")
    }

    private func removeOwn() {
        unlink(scratch["inboxd/history.jsonl"])
        rmdir(scratch["inboxd"])
    }

    private func run(_ words: [String], _ environment: [String: String] = [:]) -> Run {
        let places = ["XDG_STATE_HOME": scratch.path, "XDG_RUNTIME_DIR": scratch["no-runtime"]]
        return inboxctl(["history"] + words, environment: places.merging(environment) { $1 })
    }

    @Test("Where the daemon that was named does not answer, standard error says whose history is read instead")
    func named() {
        writeOwn()
        let socket = "/tmp/no-such-socket"
        for run in [run(["--socket", socket]), run(["--json"], ["INBOXD_SOCKET": socket])] {
            #expect(run.status == 0 && run.output.contains("1"), "\(run)")
            #expect(run.errors.hasPrefix("inboxctl: no daemon answers at \(socket) (no such socket): "), "\(run)")
            #expect(run.errors.hasSuffix("; this is the history in \(scratch["inboxd"])\n"), "\(run)")
        }
        let usual = run([])
        #expect(usual.status == 0 && usual.output.contains("1") && usual.errors.isEmpty, "\(usual)")
        let chosen = run(["--socket", socket, "--state", scratch["inboxd"]])
        #expect(chosen.status == 0 && chosen.output.contains("1") && chosen.errors.isEmpty, "\(chosen)")
        removeOwn()
    }

    @Test("Where there is no history either, the reason why that daemon does not answer is what is said")
    func nothing() {
        let named = run(["--socket=/tmp/no-such-socket"])
        #expect(named.status == 1 && named.output.isEmpty)
        #expect(named.errors.hasPrefix("inboxctl: no daemon answers at /tmp/no-such-socket (no such socket): "))
        #expect(run(["--instance=no-such"]).errors == "inboxctl: there is no history in /var/lib/inboxd-no-such\n")
    }

    @Test(
        "Who may not ask the daemon that runs is told so, and not only that its history is private",
        .enabled(if: geteuid() != 0, "root may open every socket"))
    func denied() throws {
        let daemon = try StandIn(FixedInbox(report: .quiet))
        chmod(daemon.path, 0)
        let run = run([], ["XDG_RUNTIME_DIR": scratch["no-runtime"], "INBOXD_SOCKET": daemon.path])
        #expect(run.status == 1 && run.errors.contains("(permission denied): its mode is 00, "), "\(run)")
        #expect(try daemon.stop())
    }
}
