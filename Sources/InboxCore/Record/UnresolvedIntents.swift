import FoundationEssentials
import InboxLinux

/// `journal-unresolved`: intents of which it cannot be told yet what came of them. There is no such file while there
/// are none.
///
/// Two kinds: a document that had perhaps moved when the daemon was interrupted, and whose destination cannot be looked
/// at since; and one that has moved and is recorded, though the disk failed to say that it keeps the move. What became
/// of the latter shows only when the machine has started anew, since until then the kernel tells of its memory.
final class UnresolvedIntents {
    /// An intent, and what it waits for.
    struct Entry {
        let intent: Intent
        /// The boot in which its folder's sync failed; nil for one whose record is due.
        let boot: String?
        /// Why it could not be told, in words.
        private(set) var reason: String?

        init(_ intent: Intent, boot: String? = nil) {
            self.intent = intent
            self.boot = boot
        }

        /// Whether only another start of the machine can tell.
        var isOfThisBoot: Bool { boot.map { $0 == UnresolvedIntents.currentBoot } ?? false }

        func because(_ reason: String) -> Entry {
            var entry = self
            entry.reason = reason
            return entry
        }
    }

    /// More are not kept: on a disk whose every sync fails there would be no end of them.
    static let most = 4096

    /// Which start of the machine this is: random(4), `boot_id`. Where that cannot be read no two are told apart.
    static let currentBoot: String = {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: Array("/proc/sys/kernel/random/boot_id".utf8))
            return String(decoding: try file.contents(limit: 64).filter { $0 > 0x20 }, as: UTF8.self)
        } catch {
            return "unknown"
        }
    }()

    private let folder: OpenFolder
    /// Those that stand in the file, oldest first.
    private(set) var entries: [Entry] = []

    private static var name: FileName { FileName("journal-unresolved").unsafelyUnwrapped }

    /// Reads what an earlier run has left.
    init(in state: OpenFolder) throws(SyscallError) {
        folder = state
        do throws(SyscallError) {
            entries = Self.entries(of: try state.directory.file(Self.name).contents(limit: 64 << 20))
        } catch  where error.errno.isAbsent {
            // There are none.
        }
    }

    /// Those whose record is due.
    var due: [Entry] { entries.filter { $0.boot == nil } }

    /// Keeps these, and no others.
    func keep(_ wanted: [Entry]) throws(SyscallError) {
        let kept = Array(wanted.prefix(Self.most))
        if kept.isEmpty {
            if !entries.isEmpty { try folder.directory.removeFile(Self.name) }
            entries = []
            return
        }
        let before = Dictionary(entries.map { ($0.intent.id, $0.boot) }) { $1 }
        let after = Set(kept.map(\.intent.id))
        let isNew = entries.isEmpty
        var lines: [UInt8] = []
        for entry in kept where before[entry.intent.id] != .some(entry.boot) { lines += Self.line(entry) }
        for id in before.keys where !after.contains(id) { lines += Self.line(resolving: id) }
        if !lines.isEmpty {
            let file = try folder.directory.appendingFile(Self.name)
            // A line that a crash has torn must not take the next one with it.
            try file.write([UInt8(ascii: "\n")] + lines)
            try file.syncData()
            if isNew { try folder.directory.sync() }
        }
        entries = kept
    }

    /// Keeps these too.
    func add(_ more: [Entry]) throws(SyscallError) {
        if !more.isEmpty { try keep(entries + more) }
    }

    /// The document is in hand again, under another id: whatever came of the first try, it is no longer to be found.
    func forget(_ identities: [FileIdentity]) throws(SyscallError) {
        guard !entries.isEmpty else { return }
        let rest = entries.filter { entry in !identities.contains { $0.file.isFile(entry.intent.identity.file) } }
        if rest.count < entries.count { try keep(rest) }
    }

    private static func line(_ entry: Entry) -> [UInt8] {
        var line = entry.intent.fields
        if let boot = entry.boot { line.add("boot", boot) }
        return line.finished
    }

    private static func line(resolving id: String) -> [UInt8] {
        var line = JSONLine()
        line.add("resolved", id)
        return line.finished
    }

    private struct Boot: Decodable {
        let boot: String?
    }

    private struct Resolved: Decodable {
        let resolved: String
    }

    private static func entries(of bytes: [UInt8]) -> [Entry] {
        let decoder = JSONDecoder()
        var order: [String] = []
        var found: [String: Entry] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // A line that cannot be read is one that was torn: it tells of nothing.
            do {
                let intent = try decoder.decode(Intent.self, from: Data(line))
                let entry = Entry(intent, boot: try decoder.decode(Boot.self, from: Data(line)).boot)
                if found.updateValue(entry, forKey: intent.id) == nil { order.append(intent.id) }
            } catch {
                do { found[try decoder.decode(Resolved.self, from: Data(line)).resolved] = nil } catch { continue }
            }
        }
        return order.compactMap { found[$0] }
    }
}

extension FileKey {
    /// Whether both are keys of one file, whatever its device is numbered.
    func isFile(_ other: FileKey) -> Bool { inode == other.inode && birth == other.birth }
}
