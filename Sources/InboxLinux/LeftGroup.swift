import CInboxLinux
import Glibc

/// The process group of a program that has ended, and what the program may have left in it. The number of the program is
/// not freed, so that nothing else can have the number of the group.
package struct LeftGroup: Sendable {
    /// The number of the group, and of the program that has ended.
    package let number: Int32
    /// The files that its processes write into; none once they cannot.
    private var outputs: [OpenFile]

    init(number: Int32, outputs: [OpenFile]) {
        self.number = number
        self.outputs = outputs
    }

    /// Kills all that is in it.
    package func kill() { StartedProgram.kill(group: number) }

    /// Frees the number. Nothing may be done with the group afterwards.
    package func free() { _ = inbox_reap(number) }

    /// Reads a part of what its processes have written and drops that, so that they do not block.
    /// - Returns: whether there was any.
    package mutating func dropOutput() -> Bool {
        var hasWritten = false
        outputs = outputs.filter { output in
            do throws(SyscallError) {
                guard let part = try output.descriptor.part() else { return true }
                if !part.isEmpty { hasWritten = true }
                return !part.isEmpty
            } catch {
                // Whoever writes into it gets an error too, instead of waiting for ever.
                return false
            }
        }
        return hasWritten
    }

    /// The numbers of those groups that have a process, other than the program that has ended: one pass over proc(5) for
    /// all of them. Where that cannot be read, all of them have.
    package static func living(among groups: Set<Int32>) -> Set<Int32> {
        var living: Set<Int32> = []
        do throws(SyscallError) {
            var entries = try DirectoryEntries(of: try Directory.open(path: BytePath("/proc")))
            while living.count < groups.count, let entry = try entries.next() {
                guard let process = Int32(String(decoding: entry.name.bytes, as: UTF8.self)) else { continue }
                let group = getpgid(process)
                guard group != process, groups.contains(group), !living.contains(group), !hasEnded(process) else {
                    continue
                }
                living.insert(group)
            }
            return living
        } catch {
            return groups
        }
    }

    /// Returns whether a process is a zombie or gone: proc(5), `/proc/PID/stat`.
    private static func hasEnded(_ process: Int32) -> Bool {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: BytePath("/proc/\(process)/stat"))
            // The name in parentheses may have anything in it; the state follows it.
            guard let text = try file.contents(limit: 4096), let end = text.lastIndex(of: UInt8(ascii: ")")) else {
                return true
            }
            return text[(end + 1)...].first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "Z")
        } catch {
            return true
        }
    }

    /// Sleeps until the bell rings, one of these groups has written something, or this instant: poll(2).
    package static func awaitOutput(of groups: some Sequence<LeftGroup>, or bell: borrowing Bell, until end: Instant) {
        var entries = [pollfd(fd: bell.descriptor.number, events: Int16(POLLIN), revents: 0)]
        for output in groups.flatMap(\.outputs) {
            entries.append(pollfd(fd: output.descriptor.number, events: Int16(POLLIN), revents: 0))
        }
        poll(&entries, nfds_t(entries.count), end.pollTimeout)
    }
}

extension FileDescriptor {
    /// The next part of what was written into a pipe whose end for reading does not block; none at its end, nil where
    /// nothing is there now.
    func part() throws(SyscallError) -> [UInt8]? {
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        do throws(SyscallError) {
            let count = try systemCall(.read) {
                part.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
            }
            return Array(part[..<count])
        } catch  where error.errno == .again {
            return nil
        }
    }
}
