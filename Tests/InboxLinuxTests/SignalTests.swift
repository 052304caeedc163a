import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct SignalTests {
    @Test("The daemon's signals are read in place of ending the process, and SIGPIPE ends nothing")
    func read() async {
        await #expect(processExitsWith: .success) {
            let reader = try SignalReader()
            #expect(try reader.next() == nil)
            // To this very thread: the others of a test process have blocked nothing.
            for number in [SIGHUP, SIGTERM, SIGPIPE] { pthread_kill(pthread_self(), number) }
            var seen: [SignalReader.Signal] = []
            while let signal = try reader.next() { seen.append(signal) }
            #expect(seen == [.reload, .terminate])
            pthread_kill(pthread_self(), SIGINT)
            #expect(try reader.next() == .terminate)
            #expect(try reader.next() == nil)
        }
    }

    @Test("How a program ended is known, though this process was started with SIGCHLD ignored")
    func children() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            _ = try SignalReader()
            let input = try FileDescriptor.reading(path: BytePath("/dev/null"))
            let program = try StartedProgram(
                BytePath("/bin/sh"), ["/bin/sh", "-c", "exit 3"].map { Array($0.utf8) }, environment: [], input: input)
            let ending = try program.ending()
            program.leave().free()
            #expect(ending == .exited(3))
        }
    }
}

@Suite struct FaultPlanTests {
    @Test("A plan in words is a call, a count and what happens")
    func words() throws {
        let plan = try #require(FaultPlan(text: "renameat2:3:28"))
        #expect(plan.only == .renameat2 && plan.occasion == .nth(3))
        guard case .fail(.noSpace) = plan.action else {
            Issue.record("\(plan.action)")
            return
        }
        let any = try #require(FaultPlan(text: "*:12:KILL"))
        #expect(any.only == nil && any.occasion == .nth(12))
        guard case .kill = any.action else {
            Issue.record("\(any.action)")
            return
        }
        #expect(FaultPlan(text: "pwrite@/a:*:WAIT=/tmp/x")?.action == .wait("/tmp/x"))
        let others = ["*:x:5", "*:1:EIO", "*:1:5:6", "*:1:WAIT=", "*:1:WAIT=x"]
        for text in ["", "renameat2", "renameat2:1", "nothing:1:5"] + others {
            #expect(FaultPlan(text: text) == nil, "\(text)")
        }
    }

    @Test("The Nth call fails and no other; the calls are counted")
    func fail() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write("a")
            let opened = try folder.open()
            FaultPlan.arm(FaultPlan(nth: 2, action: .fail(.noSpace), only: .statx))
            let failures = (0..<4).map { _ in failureOf { _ = try opened.status(of: aName("a")) } }
            // Another call is not counted.
            let other = failureOf { try opened.rename(aName("a"), to: opened, as: aName("b")) }
            #expect(FaultPlan.disarm() == 4)
            #expect(failures == [nil, .noSpace, nil, nil])
            #expect(other == nil)
            #expect(FaultPlan.disarm() == 0)
            FaultPlan.arm(FaultPlan(nth: 1, action: .fail(.inputOutput), thread: -1))
            #expect(failureOf { _ = try opened.status(of: aName("b")) } == nil)
            #expect(FaultPlan.disarm() == 0)
        }
    }

    @Test("The Nth call kills in place of the call")
    func kill() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let folder = try Directory.open(path: BytePath(path))
            FaultPlan.arm(FaultPlan(nth: 3, action: .kill, only: .mkdirat))
            for made in ["one", "two", "three", "four"] { try folder.makeFolder(aName(made), mode: 0o700) }
        }
        let opened = try folder.open()
        let made = ["one", "two", "three", "four"].filter { made in
            failureOf { _ = try opened.folder(aName(made)) } == nil
        }
        #expect(made == ["one", "two"])
    }
}
