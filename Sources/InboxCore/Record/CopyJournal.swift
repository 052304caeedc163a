import FoundationEssentials
import InboxLinux
import Synchronization

/// `journal-copies`: the intents of the copies that are under way; empty when none is.
///
/// A file of its own beside the `journal` of the batches, which begin and end while a copy goes on.
final class CopyJournal: Sendable {
    /// Lines that no longer belong to what is under way, and stay until recovery has ended what they tell of.
    private struct Kept {
        /// They end here.
        var end: Int64 = 0
        /// Those of the job that is under way are to stay too.
        var isAsked = false
    }

    private let file: OpenFile
    private let kept = Mutex(Kept())

    static var name: FileName { FileName("journal-copies").unsafelyUnwrapped }

    init(in state: OpenFolder) throws(SyscallError) {
        file = OpenFile(try state.directory.appendingFile(Self.name))
    }

    /// Writes lines down, and makes sure that they are on the disk where that is asked for.
    func add(_ intents: [CopyIntent], isDurable: Bool) throws(SyscallError) {
        try file.descriptor.write(Array(intents.map(\.line).joined()))
        if isDurable { try file.descriptor.syncData() }
    }

    /// What a daemon that did not end well left behind: the last line of each copy, in the order of their first ones.
    ///
    /// A torn line tells of nothing that was begun, since a line is whole before what it tells of.
    func leftOver() throws(SyscallError) -> [CopyIntent] {
        let bytes = try file.descriptor.contents(limit: 64 << 20)
        let decoder = JSONDecoder()
        var order: [String] = []
        var found: [String: CopyIntent] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            do {
                let intent = try decoder.decode(CopyIntent.self, from: Data(line))
                if found.updateValue(intent, forKey: intent.intent.id) == nil { order.append(intent.intent.id) }
            } catch {
                // It was torn.
            }
        }
        return order.compactMap { found[$0] }
    }

    /// When a line was last added.
    func lastWritten() throws(SyscallError) -> Timestamp { try file.descriptor.status().identity.modified }

    /// Something of a copy could not be taken away: the lines of its job stay, so that recovery finds it.
    func keep() { kept.withLock { $0.isAsked = true } }

    /// Whether lines stand there that recovery has to look at when nothing is under way.
    var hasKept: Bool { kept.withLock { $0.end > 0 } }

    /// Nothing is under way any more.
    func clear() throws(SyscallError) {
        let now = kept.withLock { $0 }
        if now.isAsked { return try keepAll() }
        try file.descriptor.truncate(to: now.end)
    }

    /// Recovery has looked at all of it; `isOpen` tells whether something is left to do.
    func settle(isOpen: Bool) throws(SyscallError) {
        if isOpen { return try keepAll() }
        try file.descriptor.truncate(to: 0)
        kept.withLock { $0 = Kept() }
    }

    private func keepAll() throws(SyscallError) {
        let size = Int64(clamping: try file.descriptor.status().size)
        kept.withLock { $0 = Kept(end: size) }
    }
}
