import InboxLinux
import Synchronization

/// Searches proc(5) for the processes that have files open for writing.
///
/// A process shows its descriptors and its memory to its own user and to root: the processes of others are not found.
final class WriterSearch: Sendable {
    private static var descriptors: FileName { FileName("fd").unsafelyUnwrapped }
    private static var map: FileName { FileName("maps").unsafelyUnwrapped }

    private struct State {
        var found: [BytePath: [WritingProcess]] = [:]
        var isAbandoned = false
    }

    private let processes: BytePath
    private let leftOut: Int32?
    private let mostDescriptors: Int
    private let state = Mutex(State())
    private let end: Bell

    private init(_ processes: BytePath, _ leftOut: Int32?, _ mostDescriptors: Int) throws(SyscallError) {
        self.processes = processes
        self.leftOut = leftOut
        self.mostDescriptors = mostDescriptors
        end = try Bell()
    }

    /// The processes that write to each of these files, or to a file in one that is a folder, as far as they are found.
    ///
    /// - Parameters:
    ///   - leftOut: a process that is not asked for.
    ///   - time: how long the search may take. It is made on a thread of its own: to inspect a file of a server that does
    ///     not respond takes forever, and so may reading the memory map of a process that waits for one.
    ///   - mostDescriptors: how many descriptors are inspected.
    ///   - processes: where proc(5) is.
    static func writers(
        of paths: [BytePath], leavingOut leftOut: Int32? = nil, within time: Duration = .seconds(1),
        mostDescriptors: Int = 100_000, in processes: BytePath = BytePath("/proc")
    ) -> [BytePath: [WritingProcess]] {
        guard !paths.isEmpty else { return [:] }
        let end = Instant.now() + time
        do throws(SyscallError) {
            let search = try WriterSearch(processes, leftOut, mostDescriptors)
            try BackgroundThread.start { search.run(paths) }
            search.end.awaitRing(until: end)
            return search.state.withLock { state in
                state.isAbandoned = true
                return state.found
            }
        } catch {
            // Without a descriptor or a thread to spare, nobody is found.
            return [:]
        }
    }

    private var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    private func run(_ paths: [BytePath]) {
        defer { end.ring() }
        var wanted = WrittenFiles()
        for path in paths where !isAbandoned { wanted.add(path) }
        let numbers = processNumbers()
        var descriptorsLeft = mostDescriptors
        for number in numbers where !isAbandoned {
            inspect(number) { (folder) throws(SyscallError) in
                try writtenByDescriptor(folder, path: path(of: number), wanted, &descriptorsLeft)
            }
        }
        for path in state.withLock({ Array($0.found.keys) }) { wanted.remove(path) }
        // A mapping outlives the descriptor that it was made of. There are many more of them, so they come last.
        for number in numbers where !isAbandoned && !wanted.isEmpty {
            inspect(number) { (folder) throws(SyscallError) in try writtenInMemory(folder, wanted) }
        }
    }

    private func path(of number: Int32) -> BytePath { processes.appending(String(number)) }

    /// The numbers of all processes that can be seen.
    private func processNumbers() -> [Int32] {
        var numbers: [Int32] = []
        do throws(SyscallError) {
            var entries = DirectoryEntries(ofOpenedAnew: try Directory.open(path: processes))
            while let entry = try entries.next() {
                let number = Int32(String(decoding: entry.name.bytes, as: UTF8.self))
                if let number, number != leftOut { numbers.append(number) }
            }
        } catch {
            // Without proc(5), or without the rest of it, there are fewer to find.
        }
        return numbers.sorted()
    }

    /// Takes note of the paths that a process writes to.
    private func inspect(
        _ number: Int32, _ written: (borrowing Directory) throws(SyscallError) -> Set<BytePath>
    ) {
        do throws(SyscallError) {
            let folder = try Directory.open(path: path(of: number))
            let paths = try written(folder)
            guard !paths.isEmpty else { return }
            let process = WritingProcess(number: number, folder: folder)
            state.withLock { state in
                for path in paths { state.found[path, default: []].append(process) }
            }
        } catch {
            // It has ended, or it is another user's.
        }
    }

    private func writtenByDescriptor(
        _ folder: borrowing Directory, path: BytePath, _ wanted: WrittenFiles, _ descriptorsLeft: inout Int
    ) throws(SyscallError) -> Set<BytePath> {
        var found: Set<BytePath> = []
        var entries = DirectoryEntries(ofOpenedAnew: try folder.folder(Self.descriptors))
        while let entry = try entries.next(), descriptorsLeft > 0, !isAbandoned {
            descriptorsLeft -= 1
            do throws(SyscallError) {
                // The link's own mode is what the descriptor was opened for: proc_pid_fd(5).
                guard try entries.directory.status(of: entry.name).permissions & 0o200 != 0 else { continue }
                let target = try entries.directory.target(of: entry.name)
                // Sockets and pipes have no path.
                guard target.isAbsolute else { continue }
                // Asking a server that does not respond would hang the search, and hide every process after this one.
                let file = try FileStatus(
                    target: path.appending(Self.descriptors).appending(entry.name), isRemembered: true)
                found.formUnion(wanted.paths(of: file.identity.file, at: target))
            } catch {
                // It has just been closed.
            }
        }
        return found
    }

    /// Bytes of a memory map; more than a process may have by default (65,530 mappings).
    private static let longestMap = 16 << 20

    private func writtenInMemory(
        _ folder: borrowing Directory, _ wanted: WrittenFiles
    ) throws(SyscallError) -> Set<BytePath> {
        guard let text = try folder.file(Self.map).contents(limit: Self.longestMap) else { return [] }
        return text.split(separator: UInt8(ascii: "\n")).reduce(into: []) { found, line in
            if let file = MappedFile(written: line) { found.formUnion(wanted.paths(of: file)) }
        }
    }
}
