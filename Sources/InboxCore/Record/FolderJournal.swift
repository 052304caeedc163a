import FoundationEssentials
import InboxLinux

/// `journal-folders`: the hidden name of a folder that is being made. There is no such file while none is.
///
/// It is not synced, since a tree of folders would wait for each: a power loss may leave an empty hidden folder behind,
/// and nothing else.
final class FolderJournal {
    private struct Line: Decodable {
        let folder: String
        let name: String
    }

    private let state: OpenFolder
    /// Whether the file tells of what an earlier interruption has left and could not be removed yet.
    private var hasOlder = false

    private static var name: FileName { FileName("journal-folders").unsafelyUnwrapped }

    init(in state: OpenFolder) {
        self.state = state
    }

    /// A folder is about to be made under this hidden name.
    func begin(_ hidden: FileName, in path: BytePath) throws(SyscallError) {
        var line = JSONLine()
        line.add("folder", path.escapedText)
        line.add("name", hidden.escapedText)
        let file = try state.directory.appendingFile(Self.name)
        // Behind a line that a crash has torn it would be none.
        try file.write([UInt8(ascii: "\n")] + line.finished)
    }

    /// It has its own name, or there is none.
    func end() throws(SyscallError) {
        if !hasOlder { try remove() }
    }

    private func remove() throws(SyscallError) {
        try state.directory.removeFile(Self.name)
    }

    /// Removes what an interruption has left under hidden names. What cannot be looked at now is left to the next start.
    func recover() throws(SyscallError) {
        let bytes: [UInt8]
        do throws(SyscallError) {
            bytes = try state.directory.file(Self.name).contents(limit: 1 << 20)
        } catch  where error.errno.isAbsent {
            return
        }
        let decoder = JSONDecoder()
        var isDone = true
        for text in bytes.split(separator: UInt8(ascii: "\n")) {
            // A line that cannot be read is one that was torn, before anything was made.
            do { isDone = Self.remove(try decoder.decode(Line.self, from: Data(text))) && isDone } catch { continue }
        }
        hasOlder = !isDone
        if isDone { try remove() }
    }

    /// Whether nothing stands under the hidden name any more, or what stands there is not ours.
    private static func remove(_ line: Line) -> Bool {
        guard let path = EscapedBytes.bytes(line.folder),
            let name = EscapedBytes.bytes(line.name).flatMap({ FileName($0) }), CopyTarget.isTemporary(name)
        else { return true }
        do throws(SyscallError) {
            let folder = try Directory.open(path: path)
            do throws(SyscallError) { try folder.removeFolder(name) } catch {
                guard error.errno.isAbsent || error.errno == .notEmpty else { throw error }
            }
            return true
        } catch {
            return false
        }
    }
}
