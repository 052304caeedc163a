import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

@Suite("What handlers have left in their groups")
struct LeftGroupsTests {
    /// What is left by a script that has ended.
    private static func group(of script: String) throws -> LeftGroup {
        let input = try FileDescriptor.reading(path: BytePath("/dev/null"))
        var program = try StartedProgram(
            BytePath("/bin/sh"), ["/bin/sh", "-c", script].map { Array($0.utf8) },
            environment: [Array("PATH=/usr/bin:/bin".utf8)], input: input)
        while true {
            switch try program.wait(until: .now() + Deadline.usual * 5) {
            case .wrote, .complained: continue
            case .ended: return program.leave()
            case .due: throw Failure("the script does not end")
            }
        }
    }

    /// Waits until no process of the group is left; it may have been killed a moment ago.
    private static func expectEnd(of group: Int32) async throws {
        try await eventually { LeftGroup.living(among: [group]).isEmpty ? nil : "a process of the group is left" }
    }

    @Test("One whose time is up is killed, also while it writes without an end, and the others are followed on")
    func timeUp() async throws {
        let left = try LeftGroups()
        let scripts = ["yes & exit 0", "sleep 1000 & exit 0", "exit 0", "sleep 0.2 & exit 0"]
        let groups = try scripts.map(Self.group)
        for (group, isEndless) in zip(groups, [true, true, false, false]) {
            left.insert(group, until: isEndless ? .now() : .never)
        }
        left.follow()
        for group in groups { try await Self.expectEnd(of: group.number) }
    }

    @Test("Those that come while the others are inspected are not taken for ended")
    func added() async throws {
        let left = try LeftGroups()
        let groups = try (1...50).map { _ in try Self.group(of: "sleep 1000 & exit 0") }
        let ended = try (2...50).map { _ in try Self.group(of: "exit 0") }
        left.insert(groups[0], until: .never)
        try BackgroundThread.start { left.follow() }
        for (group, other) in zip(groups.dropFirst(), ended) {
            left.insert(group, until: .never)
            left.insert(other, until: .never)
            sched_yield()
        }
        try await eventually { ended.contains { kill($0.number, 0) == 0 } ? "not all are inspected" : nil }
        let living = LeftGroup.living(among: Set(groups.map(\.number)))
        #expect(living.count == groups.count)
        left.end()
    }

    @Test("All are killed at the end, and so is whatever ends afterwards")
    func end() async throws {
        let left = try LeftGroups()
        let groups = try (1...3).map { _ in try Self.group(of: "sleep 1000 & exit 0") }
        for group in groups[..<2] { left.insert(group, until: .never) }
        #expect(LeftGroup.living(among: Set(groups.map(\.number))).count == 3)
        left.end()
        left.insert(groups[2], until: .never)
        for group in groups { try await Self.expectEnd(of: group.number) }
        left.follow()
    }
}
