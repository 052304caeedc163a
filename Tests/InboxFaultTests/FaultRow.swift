import InboxTestSupport
import Testing

/// One way of a document, for the sweeps: what stands there, what is dropped, and where it belongs.
///
/// A later path is one more row of ``FaultRow/all``.
struct FaultRow: Sendable, CustomTestStringConvertible {
    /// A file that is dropped, as a document or in one.
    struct Drop: Sendable {
        /// Beneath the Inbox.
        let source: BytePath
        /// Beneath Documents.
        let destination: BytePath
        /// How many components name the document: less than all of them where it is a package.
        var depth = Int.max
        /// Whether it is a symbolic link, whose content is where it leads to.
        var isLink = false

        /// The document, beneath the Inbox and beneath Documents.
        var document: Document {
            func cut(_ path: BytePath) -> BytePath { path.components.prefix(depth).reduce("", /) }
            return Document(source: cut(source), destination: cut(destination), isPackage: depth != .max)
        }

        /// Its content: no two are alike.
        var content: [UInt8] { Array("The content of ".utf8) + source.bytes + Array("\n".utf8) }
    }

    /// What arrives and is filed as one.
    struct Document: Hashable, Sendable {
        /// Beneath the Inbox.
        let source: BytePath
        /// Beneath Documents.
        let destination: BytePath
        let isPackage: Bool
    }

    let name: String
    /// Settings beside `Inbox.Settle=0`.
    var settings: [BytePath] = []
    /// Plans that are in force in every run, the undisturbed ones too.
    var standing: String?
    /// Whether the Inbox is on another filesystem than Documents and the state folder.
    var isAcross = false
    /// What stands beneath Documents before: each path is its own content.
    var taken: [BytePath] = []
    /// What is dropped.
    var drops: [Drop]
    /// Lines that stand in the history before.
    var history: [String] = []

    var testDescription: String { name }

    var documents: Set<Document> { Set(drops.map(\.document)) }

    var isDurable: Bool { !settings.contains("Inbox.Durability=relaxed") }

    /// Whether nothing is special about it.
    var isPlainest: Bool { name == "same filesystem" }

    /// Whether another row stands for everything before its first copy.
    var differsInCopying: Bool { isAcross && name != "across" && name != "across, conflict and folders" }

    /// A document that goes from the Inbox's top to Documents under its own name.
    static func drop(_ name: BytePath) -> Drop { Drop(source: name, destination: name) }

    /// The files of a package, which arrives under this name.
    private static func package(_ source: BytePath, as destination: BytePath) -> [Drop] {
        ["TXT.rtf", "a.png", "deeper/b.png"].map {
            Drop(source: source / $0, destination: destination / $0, depth: 1)
        }
    }

    /// The rows that stay on one filesystem.
    static let all: [FaultRow] = [
        FaultRow(name: "same filesystem", drops: [drop("letter.txt")]),
        FaultRow(
            name: "conflict", taken: ["letter.txt", "letter-1.txt"],
            drops: [Drop(source: "letter.txt", destination: "letter-2.txt")]),
        FaultRow(
            name: "folder", taken: ["a/old.txt"],
            drops: [drop("a/letter.txt"), drop("a/b/letter.txt"), drop("c/d/e.txt")]),
        FaultRow(name: "batch", drops: (1...7).map { drop(BytePath("\($0).txt")) } + [drop("caf\u{e9}\n.txt")]),
        FaultRow(
            name: "no RENAME_NOREPLACE", standing: "renameat2:*:22", drops: [drop("letter.txt"), drop("a/b.txt")]),
        FaultRow(
            name: "conflict without RENAME_NOREPLACE", standing: "renameat2:*:22", taken: ["letter.txt"],
            drops: [Drop(source: "letter.txt", destination: "letter-1.txt")]),
        FaultRow(
            name: "relaxed", settings: ["Inbox.Durability=relaxed"], drops: [drop("letter.txt"), drop("a/b.txt")]),
        FaultRow(
            name: "rotation", settings: ["History.MaxSize=1"], drops: [drop("letter.txt"), drop("b.txt")],
            history: [#"{"id":"0000000000000001","time":"2026-01-01T00:00:00.000Z","event":"undone"}"#]),
        FaultRow(
            name: "package", taken: ["note.rtfd/old"],
            drops: package("note.rtfd", as: "note-1.rtfd") + package("b.rtfd", as: "b.rtfd")),
        FaultRow(
            name: "package without RENAME_NOREPLACE", standing: "renameat2:*:22", taken: ["note.rtfd/old"],
            drops: package("note.rtfd", as: "note-1.rtfd")),
    ]

    /// The rows that lead to another filesystem.
    ///
    /// Cloning and copying inside the kernel fail between these two by themselves, but not with every error that other
    /// kernels and filesystems give.
    static let across: [FaultRow] = [
        FaultRow(name: "across", isAcross: true, drops: [drop("letter.txt")]),
        FaultRow(
            name: "across, conflict and folders", isAcross: true, taken: ["letter.txt", "a/old.txt"],
            drops: [
                Drop(source: "letter.txt", destination: "letter-1.txt"), drop("a/letter.txt"), drop("c/d/e.txt"),
            ]),
        FaultRow(
            name: "across, batch", isAcross: true,
            drops: (1...8).map { drop(BytePath("\($0).txt")) } + [drop("caf\u{e9}\n.txt")]),
        FaultRow(
            name: "across without O_TMPFILE", standing: "openat(O_TMPFILE):*:95", isAcross: true,
            taken: ["letter.txt"], drops: [Drop(source: "letter.txt", destination: "letter-1.txt"), drop("a/b.txt")]),
        FaultRow(
            name: "across without RENAME_NOREPLACE", standing: "renameat2:*:22", isAcross: true,
            drops: [drop("letter.txt"), drop("a/b.txt")]),
        FaultRow(
            name: "across without anything new",
            standing: "openat(O_TMPFILE):*:21;renameat2:*:38;ioctl(FICLONE):*:25;copy_file_range:*:38;"
                + "fallocate:*:95;lseek@/letter:*:22",
            isAcross: true, taken: ["letter.txt"], drops: [Drop(source: "letter.txt", destination: "letter-1.txt")]),
        FaultRow(
            name: "across, package", isAcross: true, taken: ["note.rtfd/old"],
            drops: package("note.rtfd", as: "note-1.rtfd")),
        FaultRow(
            name: "across, package without RENAME_NOREPLACE", standing: "renameat2:*:22", isAcross: true,
            taken: ["note.rtfd/old"], drops: package("note.rtfd", as: "note-1.rtfd")),
        FaultRow(
            name: "across, link", settings: ["Inbox.Symlinks=move"], isAcross: true, taken: ["letter"],
            drops: [Drop(source: "letter", destination: "letter-1", isLink: true), drop("a/b.txt")]),
        FaultRow(
            name: "across, relaxed", settings: ["Inbox.Durability=relaxed"], isAcross: true,
            drops: [drop("letter.txt"), drop("a/b.txt")]),
    ]

    /// The row of that name, for tests that need one alone.
    static func named(_ name: String) throws -> FaultRow {
        guard let row = (all + across).first(where: { $0.name == name }) else {
            throw Failure("no row is named \(name)")
        }
        return row
    }
}
