/// The rooms of the house and what each may import: one table, from the architecture.
enum Layering {
    /// Rooms from the ground up; a room may import only what its row names.
    static let table: [(room: String, mayImport: Set<String>)] = [
        ("CInboxLinux", []),
        ("CUniformTypeData", []),
        ("InboxLinux", ["CInboxLinux", "Glibc"]),
        ("UniformTypeIdentifiers", ["CUniformTypeData", "FoundationEssentials"]),
        ("InboxDetection", ["CUniformTypeData", "UniformTypeIdentifiers", "InboxLinux"]),
        ("InboxProperties", ["UniformTypeIdentifiers", "InboxDetection", "InboxLinux"]),
        ("InboxVarlink", ["InboxLinux", "FoundationEssentials"]),
        ("InboxConfiguration", ["UniformTypeIdentifiers", "InboxLinux"]),
        (
            "InboxFiling",
            [
                "UniformTypeIdentifiers", "InboxDetection", "InboxProperties", "InboxConfiguration", "InboxLinux",
                "FoundationEssentials",
            ]
        ),
        (
            "InboxCore",
            [
                "UniformTypeIdentifiers", "InboxDetection", "InboxProperties", "InboxConfiguration", "InboxFiling",
                "InboxVarlink",
                "InboxLinux", "FoundationEssentials",
            ]
        ),
        (
            "InboxDaemon",
            [
                "UniformTypeIdentifiers", "InboxDetection", "InboxProperties", "InboxConfiguration", "InboxFiling",
                "InboxCore", "InboxVarlink", "InboxLinux", "FoundationEssentials",
            ]
        ),
        // The programs may import everything, but only inboxd is a daemon.
        (
            "inboxd",
            [
                "UniformTypeIdentifiers", "InboxDetection", "InboxConfiguration", "InboxFiling", "InboxCore",
                "InboxVarlink", "InboxDaemon", "InboxLinux", "FoundationEssentials",
            ]
        ),
        (
            "inboxctl",
            [
                "UniformTypeIdentifiers", "InboxDetection", "InboxProperties", "InboxConfiguration", "InboxFiling",
                "InboxVarlink", "InboxLinux", "FoundationEssentials",
            ]
        ),
        // Its floor is the bare system calls that the daemon has to make as well; the daemon is a child of its own.
        (
            "inbox-bench",
            [
                "UniformTypeIdentifiers", "InboxDetection", "InboxConfiguration", "InboxFiling", "InboxVarlink",
                "InboxLinux", "Glibc",
            ]
        ),
    ]

    /// The standard library's own module of locks and atomics: every Swift program has it, and it reaches nothing.
    static let everywhere: Set = ["Synchronization"]

    /// The imports of a source that its room may not have, in words.
    static func violations(in source: String, path: String) -> [String] {
        let parts = path.split(separator: "/")
        guard parts.first == "Sources", parts.count >= 3, let row = table.first(where: { $0.room == parts[1] }) else {
            return ["\(path) lies in no room of the table"]
        }
        return SwiftText(source).imports.filter { !row.mayImport.union(everywhere).contains($0) }.map { module in
            "\(path): \(row.room) may not import \(module)"
        }
    }
}
