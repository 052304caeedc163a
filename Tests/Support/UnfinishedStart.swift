import Glibc

/// A child that has not become its program yet: until execve(2) has closed what is to be closed, it has every descriptor that
/// was open here.
enum UnfinishedStart {
    /// Whether there is one now. The kernel may leave a child out while another one ends: proc_pid_children(5).
    static var isUnderWay: Bool {
        // The first thread of a test program ends early, and /proc/self/stat knows no stack from then on.
        guard let own = StartedStack(of: "thread-self") else { return false }
        return hasUnfinished(own) || hasUnfinished(own)
    }

    private static func hasUnfinished(_ own: StartedStack) -> Bool {
        let tasks = (try? Disk.names(in: "/proc/self/task")) ?? []
        let children = tasks.flatMap {
            Disk.text(TestPath("/proc/self/task/\($0)/children")).split(separator: " ")
        }
        return children.contains { child in
            guard let stack = StartedStack(of: child) else { return false }
            // It lives in this process's memory, as posix_spawn(3) has it, or has a memory of its own in which its program
            // is not yet. Nobody is shown the stack of a program that runs as another user.
            return stack.start == own.start || (stack.start == "0" && StartedStack.isOwn(child))
        }
    }
}

/// Where the stack of a process begins.
private struct StartedStack {
    /// The field `startstack` of proc_pid_stat(5), the 26th after the name of the program; 0 while there is none.
    let start: Substring

    /// Nil for one that has ended, or that has no memory any more: the field `vsize`, the 21st, says so.
    init?(of process: Substring) {
        let fields = Disk.text(TestPath("/proc/\(process)/stat")).split(separator: ")").last?.split(separator: " ")
        guard let fields, fields.count > 25, !["Z", "X"].contains(fields[0]), fields[20] != "0" else { return nil }
        start = fields[25]
    }

    /// Whether a process runs as the user of this one.
    static func isOwn(_ process: Substring) -> Bool {
        let line = Disk.text(TestPath("/proc/\(process)/status")).split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().allSatisfy { $0 == "\(getuid())" } == true
    }
}
