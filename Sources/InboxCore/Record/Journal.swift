import FoundationEssentials
import InboxLinux

/// `journal`: the intents of the batch that is under way; empty when nothing is.
final class Journal {
    /// The file.
    let file: OpenFile

    static var name: FileName { FileName("journal").unsafelyUnwrapped }

    init(in state: OpenFolder) throws(SyscallError) {
        file = OpenFile(try state.directory.appendingFile(Self.name))
    }

    /// What a daemon that did not end well left behind. A torn or foreign line tells of nothing that was begun, since
    /// the journal is whole before the first rename.
    func leftOver() throws(SyscallError) -> [Intent] {
        let bytes = try file.descriptor.contents(limit: 64 << 20)
        let decoder = JSONDecoder()
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // A line that cannot be read is one that was torn: nil is the answer, not a silenced error.
            do { return try decoder.decode(Intent.self, from: Data(line)) } catch { return nil }
        }
    }

    /// Nothing is under way any more.
    func clear() throws(SyscallError) {
        try file.descriptor.truncate(to: 0)
    }
}
