import FoundationEssentials
import InboxLinux
import Synchronization

/// `journal-copies`: the intents of the copies that are under way; empty when none is.
///
/// A file of its own beside the `journal` of the batches, which begin and end while a copy goes on.
final class CopyJournal: Sendable {
    private let file: OpenFile
    private let isTangled = Mutex(false)

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

    /// Something of a copy could not be taken away: the lines stay, so that the next start finds it.
    func keep() { isTangled.withLock { $0 = true } }

    /// Nothing is under way any more.
    func clear() throws(SyscallError) {
        if !isTangled.withLock({ $0 }) { try file.descriptor.truncate(to: 0) }
    }
}
