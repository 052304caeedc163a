import InboxLinux

/// Where a state folder is, by more than its path: daemons in several containers or on several machines may have state
/// folders of one path, on disks of their own.
package struct StatePlace: Sendable {
    /// The path, and the marks of the folder around it, which is there when the state folder is lost.
    package let text: String

    /// The place of the state folder of this path.
    package init(_ path: BytePath) throws(SyscallError) {
        let around = try Directory.open(path: path.parent ?? path).status().identity.file
        let birth = around.birth.map { "\($0.seconds).\($0.nanoseconds)" } ?? "-"
        text = "\(path.escapedText) \(around.inode) \(birth)"
    }
}
