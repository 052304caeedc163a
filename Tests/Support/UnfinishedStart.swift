import Glibc

/// A child that has not become its program yet: until execve(2) it lives in this process's memory, as posix_spawn(3) has it,
/// and so its stack begins where that of this process does.
enum UnfinishedStart {
    /// Whether there is one now. The kernel may leave a child out while another one ends: proc_pid_children(5).
    static var isUnderWay: Bool {
        // The first thread of a test program ends early, and /proc/self/stat knows no stack from then on.
        guard let own = stack(of: "thread-self") else { return false }
        return children.contains { stack(of: $0) == own } || children.contains { stack(of: $0) == own }
    }

    private static var children: [Substring] {
        let tasks = (try? Disk.names(in: "/proc/self/task")) ?? []
        return tasks.flatMap { Disk.text(TestPath("/proc/self/task/\($0)/children")).split(separator: " ") }
    }

    /// The field `startstack` of proc_pid_stat(5), which is the 26th after the name of the program. It is 0 for one that has
    /// ended.
    private static func stack(of process: Substring) -> Substring? {
        let fields = Disk.text(TestPath("/proc/\(process)/stat")).split(separator: ")").last?.split(separator: " ")
        return fields.flatMap { $0.count > 25 && $0[25] != "0" ? $0[25] : nil }
    }
}
