import Glibc
import InboxTestSupport
import Testing

/// One way of a document, for the sweeps: what is there, what is dropped, and where it belongs.
///
/// Each row is killed before every change, its calls fail, and its recovery is killed. A new way is one more row of
/// ``FaultRow/all`` or ``FaultRow/across``.
struct FaultRow: Sendable, CustomTestStringConvertible {
    /// A file that is dropped, as a document or in one.
    struct Drop: Sendable {
        /// Beneath the Inbox.
        let source: TestPath
        /// Beneath Documents.
        let destination: TestPath
        /// How many components name the document: less than all of them where it is a package.
        var depth = Int.max
        /// Whether it is a symbolic link, whose content is where it leads to.
        var isLink = false

        /// The document that it belongs to as a file beside it; nil for one that is a document, or in one.
        var main: Document?
        /// The bytes that its content begins with.
        var head: [UInt8] = []

        /// The document, beneath the Inbox and beneath Documents.
        var document: Document {
            if let main { return main }
            func cut(_ path: TestPath) -> TestPath { path.components.prefix(depth).reduce("", /) }
            return Document(source: cut(source), destination: cut(destination), isPackage: depth != .max)
        }

        /// Its content: no two are alike.
        var content: [UInt8] { head + Array("The content of ".utf8) + source.bytes + Array("\n".utf8) }
    }

    /// What arrives and is filed as one.
    struct Document: Hashable, Sendable {
        /// Beneath the Inbox.
        let source: TestPath
        /// Beneath Documents.
        let destination: TestPath
        let isPackage: Bool
    }

    let name: String
    /// Settings beside `Inbox.Settle=0`.
    var settings: [TestPath] = []
    /// Plans that are in force in every run, the undisturbed ones too.
    var standing: String?
    /// Whether the Inbox is on another filesystem than Documents and the state folder.
    var isAcross = false
    /// What is beneath Documents before: each path is its own content.
    var taken: [TestPath] = []
    /// What is dropped.
    var drops: [Drop]
    /// The identifier after which staging folders are named, where the state folder has one before.
    var instance: String?
    /// The members that each record has besides, whether the run or recovery has made it.
    var recorded: [String: String] = [:]
    /// Lines that the history has before.
    var history: [String] = []
    /// What a call may fail with in the sweep of failures (``Sweep/fail(_:)``): a full disk and a denied right, unless
    /// the row says more.
    var errors: [Int32] = [ENOSPC, EACCES]
    /// A check decides first, which writes down what it has accepted: nothing else may be filed.
    var isChecked = false
    /// Whether its recovery has work that no other row's has, and is killed from several kinds of state, not from one.
    var hasOwnRecovery = false

    var testDescription: String { name }

    var documents: Set<Document> { Set(drops.map(\.document)) }

    var isDurable: Bool { !settings.contains("Inbox.Durability=relaxed") }

    /// Whether its documents are claimed before they get their names: they are copied, or no rename spares what exists.
    var isClaimed: Bool { isAcross || standing?.contains("renameat2:*:") == true }

    /// Files beside a document move with it, which recovery may have to end.
    var hasMembers: Bool { drops.contains { $0.main != nil } }

    /// Whether nothing is special about it.
    var isPlainest: Bool { name == "same filesystem" }

    /// Whether nothing is special about it but that it leads to another filesystem.
    var isPlainestAcross: Bool { name == "across" }

    /// Whether another row covers everything before its first copy.
    var differsInCopying: Bool { isAcross && !isPlainestAcross && name != "across, conflict and folders" }

    /// A document that goes from the Inbox's top to Documents under its own name.
    static func drop(_ name: TestPath) -> Drop { Drop(source: name, destination: name) }

    /// The files of a package, which arrives under this name.
    private static func package(_ source: TestPath, as destination: TestPath) -> [Drop] {
        ["TXT.rtf", "a.png", "deeper/b.png"].map {
            Drop(source: source / $0, destination: destination / $0, depth: 1)
        }
    }

    /// A document and the files that belong to it, of which each has a name in the Inbox and at its destination.
    static func unit(
        _ source: TestPath, as destination: TestPath, head: [UInt8] = [], with members: [(TestPath, TestPath)]
    ) -> [Drop] {
        let main = Drop(source: source, destination: destination, head: head)
        // What was put last into a folder in memory is listed first, and a companion is one whose document is known.
        return members.map { Drop(source: $0.0, destination: $0.1, main: main.document) } + [main]
    }

    private static let photo = unit(
        "IMG_1.NEF", as: "IMG_1-1.NEF",
        with: [("IMG_1.xmp", "IMG_1-1.xmp"), ("IMG_1.NEF.sha256", "IMG_1-1.NEF.sha256")])

    private static let database = unit(
        "app.db", as: "app-2.db", head: Array("SQLite format 3\u{0}".utf8) + Array(repeating: 0x78, count: 100),
        with: [("app.db-wal", "app-2.db-wal"), ("app.db-shm", "app-2.db-shm")])

    /// Whose staging folder cannot be made in Documents: somebody else's file has its name (``refusing``).
    private static let refused = "0123456789abcdef"
    private static let refusing = TestPath(".inboxd-\(refused)")

    private static let olderRecord = #"{"id":"0000000000000001","time":"2026-01-01T00:00:00.000Z","event":"undone"}"#

    /// The rows that stay on one filesystem.
    static let all: [FaultRow] = [
        FaultRow(
            name: "same filesystem", drops: [drop("letter.txt")],
            // One of each kind that the code distinguishes: passing ones (a full disk, a failing one, no descriptor), a
            // denied one, an unsupported one, and a name that is not there.
            errors: [ENOSPC, EIO, EMFILE, EACCES, EINVAL, ENOENT], hasOwnRecovery: true),
        FaultRow(
            name: "conflict", taken: ["letter.txt", "letter-1.txt"],
            drops: [Drop(source: "letter.txt", destination: "letter-2.txt")]),
        FaultRow(
            name: "folder", taken: ["a/old.txt"],
            drops: [drop("a/letter.txt"), drop("a/b/letter.txt"), drop("c/d/e.txt")]),
        FaultRow(
            name: "made names",
            settings: [
                "DocumentType A.Name={date} {name}", "DocumentType A.Dates=name", "DocumentType A.Destination={year}",
            ],
            taken: ["2011/2011-03-04 a 2011-03-04.txt"],
            drops: [
                Drop(source: "a 2011-03-04.txt", destination: "2011/2011-03-04 a 2011-03-04-1.txt"),
                Drop(source: "b 20120506.txt", destination: "2012/2012-05-06 b 20120506.txt"),
            ], recorded: ["documentType": "A", "dateFrom": "name"], hasOwnRecovery: true),
        FaultRow(
            name: "batch", drops: (1...8).map { drop(TestPath("\($0).txt")) } + [drop("caf\u{e9}\n.txt")],
            hasOwnRecovery: true),
        FaultRow(
            name: "no RENAME_NOREPLACE", standing: "renameat2:*:22", drops: [drop("letter.txt"), drop("a/b.txt")],
            hasOwnRecovery: true),
        FaultRow(
            name: "conflict without RENAME_NOREPLACE", standing: "renameat2:*:22", taken: ["letter.txt"],
            drops: [Drop(source: "letter.txt", destination: "letter-1.txt")]),
        FaultRow(
            name: "staging refused", standing: "renameat2:*:22", taken: [refusing, "letter.txt"],
            drops: [Drop(source: "letter.txt", destination: "letter-1.txt")], instance: refused,
            hasOwnRecovery: true),
        FaultRow(
            name: "relaxed", settings: ["Inbox.Durability=relaxed"], drops: [drop("letter.txt"), drop("a/b.txt")]),
        FaultRow(
            name: "rotation", settings: ["History.MaxSize=1"], drops: [drop("letter.txt"), drop("b.txt")],
            history: [olderRecord], hasOwnRecovery: true),
        FaultRow(
            name: "rotation without RENAME_NOREPLACE", settings: ["History.MaxSize=1"], standing: "renameat2:*:22",
            drops: [drop("letter.txt")], history: [olderRecord]),
        FaultRow(
            name: "package", taken: ["note.rtfd/old"],
            drops: package("note.rtfd", as: "note-1.rtfd") + package("b.rtfd", as: "b.rtfd"), hasOwnRecovery: true),
        FaultRow(
            name: "package without RENAME_NOREPLACE", standing: "renameat2:*:22", taken: ["note.rtfd/old"],
            drops: package("note.rtfd", as: "note-1.rtfd"), hasOwnRecovery: true),
        FaultRow(
            name: "link", settings: ["Inbox.Symlinks=move"], taken: ["letter"],
            drops: [Drop(source: "letter", destination: "letter-1", isLink: true), drop("a/b.txt")],
            hasOwnRecovery: true),
        FaultRow(
            name: "database with its logs", taken: ["app.db", "app-1.db-wal"], drops: database, hasOwnRecovery: true),
        FaultRow(
            // Companions are those that arrive within the quiet time.
            name: "photo with companions", settings: ["Inbox.Settle=300ms"], taken: ["IMG_1.NEF"], drops: photo,
            hasOwnRecovery: true),
        FaultRow(
            name: "photo with companions without RENAME_NOREPLACE", settings: ["Inbox.Settle=300ms"],
            standing: "renameat2:*:22", taken: ["IMG_1.NEF"], drops: photo, errors: [ENOSPC], hasOwnRecovery: true),
        FaultRow(
            name: "checked",
            settings: [checking(telling: "date=2020-02-03", "title=From check")] + [
                "DocumentType A.Name={date} {title} {name}", "DocumentType A.Destination={year}",
            ],
            drops: [
                Drop(source: "letter.txt", destination: "2020/2020-02-03 From check letter.txt"),
                Drop(source: "a/b.txt", destination: "2020/a/2020-02-03 From check b.txt"),
            ], recorded: ["date": "2020-02-03", "dateFrom": "check", "title": "From check"], isChecked: true),
        FaultRow(
            name: "checked package", settings: [checking()], drops: package("b.rtfd", as: "b.rtfd"), errors: [EIO],
            isChecked: true),
    ]

    /// A check that accepts everything, tells facts, and writes down which documents of which sizes it has seen.
    private static func checking(telling facts: String...) -> TestPath {
        let words = facts.map { "echo \"\($0)\"; " }.joined()
        return TestPath("Inbox.Check=/bin/sh -c '\(words)echo \"$INBOX_NAME $INBOX_SIZE\" >>\"$HOME/checked\"'")
    }

    /// The rows that lead to another filesystem.
    ///
    /// Cloning and copying inside the kernel fail between these two by themselves, but not with every error that other
    /// kernels and filesystems give.
    static let across: [FaultRow] = [
        FaultRow(
            name: "across", isAcross: true, drops: [drop("letter.txt")],
            // Beside those of one filesystem a full quota, since every copy takes room.
            errors: [ENOSPC, EDQUOT, EIO, EMFILE, EACCES, EINVAL]),
        FaultRow(
            name: "across, conflict and folders", isAcross: true, taken: ["letter.txt", "a/old.txt"],
            drops: [
                Drop(source: "letter.txt", destination: "letter-1.txt"), drop("a/letter.txt"), drop("c/d/e.txt"),
            ], hasOwnRecovery: true),
        FaultRow(
            name: "across, batch", isAcross: true,
            drops: (1...8).map { drop(TestPath("\($0).txt")) } + [drop("caf\u{e9}\n.txt")], errors: [EIO]),
        FaultRow(
            name: "across without O_TMPFILE", standing: "openat(O_TMPFILE):*:95", isAcross: true,
            taken: ["letter.txt"], drops: [Drop(source: "letter.txt", destination: "letter-1.txt"), drop("a/b.txt")],
            hasOwnRecovery: true),
        FaultRow(
            name: "across, staging refused", standing: "openat(O_TMPFILE):*:95", isAcross: true, taken: [refusing],
            drops: [drop("letter.txt")], instance: refused, hasOwnRecovery: true),
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
            drops: package("note.rtfd", as: "note-1.rtfd"), errors: [ENOSPC], hasOwnRecovery: true),
        FaultRow(
            name: "across, package without RENAME_NOREPLACE", standing: "renameat2:*:22", isAcross: true,
            taken: ["note.rtfd/old"], drops: package("note.rtfd", as: "note-1.rtfd"), errors: [ENOSPC]),
        FaultRow(
            name: "across, link", settings: ["Inbox.Symlinks=move"], isAcross: true, taken: ["letter"],
            drops: [Drop(source: "letter", destination: "letter-1", isLink: true), drop("a/b.txt")],
            hasOwnRecovery: true),
        FaultRow(
            name: "across, relaxed", settings: ["Inbox.Durability=relaxed"], isAcross: true,
            drops: [drop("letter.txt"), drop("a/b.txt")], hasOwnRecovery: true),
        FaultRow(
            // Another daemon that comes first returns them one by one: its quiet time brings them together again.
            name: "across, database with its logs", settings: ["Inbox.Settle=300ms"], isAcross: true,
            taken: ["app.db", "app-1.db-wal"], drops: database, hasOwnRecovery: true),
        FaultRow(
            name: "across, photo with companions", settings: ["Inbox.Settle=300ms"],
            standing: "openat(O_TMPFILE):*:95", isAcross: true, taken: ["IMG_1.NEF"], drops: photo, errors: [ENOSPC],
            hasOwnRecovery: true),
        FaultRow(
            name: "across, checked", settings: [checking()], isAcross: true, drops: [drop("letter.txt")], errors: [EIO],
            isChecked: true),
    ]

    /// The row of that name, for tests that need one alone.
    static func named(_ name: String) throws -> FaultRow {
        guard let row = (all + across).first(where: { $0.name == name }) else {
            throw Failure("no row is named \(name)")
        }
        return row
    }
}
