import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite(
    "A package or a link that is copied to another filesystem",
    .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct PackageCopyTests {
    private let stage: CopyStage

    init() throws { stage = try CopyStage() }

    private var source: String { "\(stage.source)/note.rtfd" }
    private var copy: String { "\(stage.target)/note.rtfd" }
    private let patience = ComparisonPatience(Abandonment(), isBrief: true)

    /// A package with files in three folders, a link, a hole and an empty folder.
    private func makePackage() throws {
        for folder in ["", "/inner", "/inner/deep", "/empty"] { mkdir(source + folder, 0o755) }
        try stage.write([1, 2, 3], to: "\(source)/TXT.rtf")
        try stage.write([], to: "\(source)/inner/nothing")
        try stage.write([UInt8](repeating: 7, count: 70_000), to: "\(source)/inner/deep/a\u{1}\n.png")
        symlink("../TXT.rtf", "\(source)/inner/link")
        chmod("\(source)/inner/deep", 0o500)
        chmod("\(source)/TXT.rtf", 0o640)
        age("\(source)/inner")
    }

    /// Gives it times of its own.
    private func age(_ path: String) {
        let times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 1), timespec(tv_sec: 1_234_567_890, tv_nsec: 12_345)]
        utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
    }

    private func expectCopy() throws {
        #expect(try stage.read("\(copy)/TXT.rtf") == [1, 2, 3])
        #expect(try stage.read("\(copy)/inner/nothing").isEmpty)
        #expect(try stage.read("\(copy)/inner/deep/a\u{1}\n.png") == [UInt8](repeating: 7, count: 70_000))
        #expect(try stage.names(in: "\(copy)/empty").isEmpty)
        #expect(try stage.names(in: "\(copy)/inner") == ["deep", "link", "nothing"])
        let inner = try Directory.open(path: BytePath("\(copy)/inner"))
        #expect(try inner.target(of: aName("link")) == BytePath("../TXT.rtf"))
        #expect(try stage.status("\(copy)/inner/deep").permissions == 0o500)
        #expect(try stage.status("\(copy)/TXT.rtf").permissions == 0o640)
        #expect(
            try stage.status("\(copy)/inner").identity.modified
                == Timestamp(seconds: 1_234_567_890, nanoseconds: 12_345))
    }

    @Test("A package comes with all that is in it, and its source is gone", .enabled(if: geteuid() == 0, "needs root"))
    func whole() throws {
        try makePackage()
        let report = try stage.copy("note.rtfd")
        #expect(report.results.map(\.result.word) == ["filed"])
        guard case .filed(let record, let lost) = report.results[0].result else { return }
        #expect(record.size == 70_003)
        #expect(lost.isEmpty)
        try expectCopy()
        #expect(try stage.names(in: stage.source).isEmpty)
        #expect(try stage.names(in: stage.target) == ["note.rtfd"])
        #expect(stage.journal.interrupted.isEmpty)
        #expect(try stage.records.count == 1)
    }

    @Test("A package keeps few files open, however many a process may have", arguments: [8, 1024, 131_072])
    func kept(_ allowed: Int) {
        #expect(KeptFiles.most(of: allowed) == min(1024, allowed))
    }

    @Test("A package whose name is taken gets the next one, and what has that name is not merged with it")
    func conflict() throws {
        mkdir(copy, 0o755)
        try stage.write([9], to: "\(copy)/TXT.rtf")
        mkdir(source, 0o755)
        try stage.write([1], to: "\(source)/TXT.rtf")
        #expect(try stage.copy("note.rtfd").results.map(\.result.word) == ["filed"])
        #expect(try stage.names(in: stage.target) == ["note-1.rtfd", "note.rtfd"])
        #expect(try stage.read("\(copy)/TXT.rtf") == [9])
        #expect(try stage.read("\(stage.target)/note-1.rtfd/TXT.rtf") == [1])
    }

    @Test("A package in which somebody writes is not copied")
    func writer() throws {
        mkdir(source, 0o755)
        try stage.write([1], to: "\(source)/TXT.rtf")
        let request = try stage.request("note.rtfd")
        let writer = open("\(source)/TXT.rtf", O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        #expect(try stage.copy([request]).results.map(\.result.word) == ["writer"])
        #expect(try stage.names(in: stage.target).isEmpty)
        #expect(try stage.names(in: source) == ["TXT.rtf"])
    }

    @Test("A package that has changed since it was looked through is left alone, and nothing of a copy remains")
    func changed() throws {
        mkdir(source, 0o755)
        try stage.write([1], to: "\(source)/TXT.rtf")
        let request = try stage.request("note.rtfd")
        try stage.write([1], to: "\(source)/late")
        #expect(try stage.copy([request]).results.map(\.result.word) == ["changed"])
        #expect(try stage.names(in: stage.target).isEmpty)
        #expect(try stage.names(in: source) == ["TXT.rtf", "late"])
    }

    @Test("A package with a FIFO in it is held, and the FIFO is not waited for")
    func special() throws {
        mkdir(source, 0o755)
        try stage.write([1], to: "\(source)/TXT.rtf")
        mkfifo("\(source)/pipe", 0o600)
        #expect(try stage.copy("note.rtfd").results.map(\.result.word) == ["held: special"])
        #expect(try stage.names(in: stage.target).isEmpty)
        #expect(try stage.names(in: source) == ["TXT.rtf", "pipe"])
    }

    @Test(
        "A package with something that cannot be removed is held before it is copied",
        .enabled(if: Immutability.obstacle == nil, "\(Immutability.obstacle ?? "")"))
    func fixed() throws {
        mkdir("\(stage.source)/new", 0o755)
        mkdir("\(stage.source)/new/note.rtfd", 0o755)
        let path = "\(stage.source)/new/note.rtfd/TXT.rtf"
        try stage.write([1], to: path)
        #expect(Immutability.set(path, true))
        defer { _ = Immutability.set(path, false) }
        let request = try stage.request("note.rtfd", in: ["new"])
        #expect(try stage.copy([request]).results.map(\.result.word) == ["held: permission"])
        #expect(try stage.names(in: stage.target).isEmpty)
    }

    @Test("Only what was copied and is unchanged is removed")
    func removal() throws {
        mkdir(source, 0o755)
        mkdir("\(stage.source)/private", 0o755)
        try stage.write([1], to: "\(stage.source)/private/letter")
        var manifest = PackageManifest(kept: KeptFiles(most: 0))
        for name in ["same", "edited", "touched"] {
            try stage.write(Array(name.utf8), to: "\(source)/\(name)")
            manifest.copied.note(try stage.status("\(source)/\(name)"))
        }
        let since = try stage.status("\(source)/edited").changed
        // A clock tick of the filesystem later.
        while try stage.status("\(source)/edited").changed <= since {
            try stage.write(Array("EDITED".utf8), to: "\(source)/edited")
            chmod("\(source)/touched", 0o600)
        }
        try stage.write([1], to: "\(source)/added")
        // What is in a folder that is moved into the package keeps its change times.
        rename("\(stage.source)/private", "\(source)/private")
        let around = OpenFolder(try Directory.open(path: BytePath(stage.source)))
        var removal = PackageRemoval(manifest, leases: .required, patience)
        #expect(try !removal.remove(aName("note.rtfd"), in: around))
        #expect(try stage.names(in: source) == ["added", "edited", "private", "touched"])
        #expect(try stage.names(in: "\(source)/private") == ["letter"])
    }

    @Test("Where there are no leases, what has the content of the copy is removed after an interruption")
    func comparedWithoutLeases() throws {
        for folder in [source, copy] {
            mkdir(folder, 0o755)
            try stage.write([1], to: "\(folder)/same")
        }
        let around = OpenFolder(try Directory.open(path: BytePath(stage.source)))
        var removal = PackageRemoval(
            PackageManifest(kept: KeptFiles(most: 0)),
            comparedTo: OpenFolder(try Directory.open(path: BytePath(copy))), leases: .none, patience)
        #expect(try removal.remove(aName("note.rtfd"), in: around))
        #expect(try stage.names(in: stage.source).isEmpty)
    }

    @Test("A package with files of 2^63 - 1 bytes is held where the destination takes no such files, else filed")
    func enormous() throws {
        mkdir(source, 0o755)
        for name in ["a", "b", "c"] {
            try stage.write([1], to: "\(source)/\(name)")
            #expect(truncate("\(source)/\(name)", off_t.max) == 0)
        }
        let probe = "\(stage.target)/probe"
        try stage.write([], to: probe)
        let isPossible = truncate(probe, off_t.max) == 0
        unlink(probe)
        #expect(try stage.copy("note.rtfd").results.map(\.result.word) == [isPossible ? "filed" : "held: too-large"])
        #expect(try stage.names(in: stage.target) == (isPossible ? ["note.rtfd"] : []))
        #expect(try stage.names(in: isPossible ? copy : source) == ["a", "b", "c"])
        if isPossible { #expect(try stage.status("\(copy)/c").size == UInt64(off_t.max)) }
    }

    @Test("A link is copied as a link, with its times, and conflicts are numbered")
    func link() throws {
        symlink("/nowhere/\u{e9}", "\(stage.source)/a.txt")
        age("\(stage.source)/a.txt")
        symlink("there", "\(stage.target)/a.txt")
        #expect(try stage.copy("a.txt").results.map(\.result.word) == ["filed"])
        let folder = try Directory.open(path: BytePath(stage.target))
        #expect(try folder.target(of: aName("a.txt")) == BytePath("there"))
        #expect(try folder.target(of: aName("a-1.txt")) == BytePath("/nowhere/\u{e9}"))
        #expect(
            try folder.status(of: aName("a-1.txt")).identity.modified
                == Timestamp(seconds: 1_234_567_890, nanoseconds: 12_345))
        #expect(try stage.names(in: stage.source).isEmpty)
    }
}
