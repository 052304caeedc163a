import InboxLinux

/// Where a state folder is, by more than its path: daemons in several containers or on several machines may have state
/// folders of one path, on disks of their own.
package struct StatePlace: Sendable {
    /// The path, the marks of the folder around it, which is there when the state folder is lost, and the machine's name.
    package let text: String

    /// The place of the state folder of this path.
    package init(_ path: BytePath) {
        text = "\(path.escapedText) \(Self.around(path)) \(Self.host())"
    }

    /// The folder around it, which need not be readable; "-" where nothing is known of it.
    private static func around(_ path: BytePath) -> String {
        do throws(SyscallError) {
            let file = try FileStatus(target: path.parent ?? path).identity.file
            return "\(file.inode) " + (file.birth.map { "\($0.seconds).\($0.nanoseconds)" } ?? "-")
        } catch {
            return "-"
        }
    }

    /// The machine's name, sethostname(2); "-" where it cannot be read. A container has one of its own.
    private static func host() -> String {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: BytePath("/proc/sys/kernel/hostname"))
            return String(decoding: (try file.contents(limit: 256) ?? []).prefix { $0 > 0x20 }, as: UTF8.self)
        } catch {
            return "-"
        }
    }
}
