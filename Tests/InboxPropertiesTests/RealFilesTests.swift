import Glibc
import InboxTestSupport
import Testing

/// Real files, whose dates other programs find too. `INBOX_TESTS_FILES` names a folder of others.
@Suite("Dates of real files")
struct RealFilesTests {
    private static let programs = ["exiftool", "pdfinfo", "ffprobe", "ffmpeg", "python3"]
    /// Where packages have documents, photos and mails.
    private static let folders: [TestPath] = [
        "/usr/share/gocode/src/github.com/rwcarlsen/goexif", "/usr/share/gocode/src/github.com/jhillyerd/enmime",
        "/usr/lib/python3.11/test/test_email", "/usr/share/doc/texlive-doc/latex/base",
    ]
    private static let chosen = getenv("INBOX_TESTS_FILES").map { String(cString: $0) }

    private static let missing: [String] = {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let absent = programs.filter { program in
            !path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
        }
        return absent + (chosen == nil ? folders.filter { Disk.kind($0) == nil }.map(\.description) : [])
    }()

    @Test(
        "Of 300 real files at least, 99 % have the date that exiftool, pdfinfo, ffprobe or Python's email finds",
        .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)),
        .enabled(if: missing.isEmpty, "\(missing.joined(separator: ", ")) is not installed"))
    func dates() async throws {
        let folder = try TestRun.current.makeFolder()
        let script = BuiltPrograms.packageRoot / "Tests/References/dates.py"
        let arguments = [script, try BuiltPrograms.named("inboxctl")] + (Self.chosen.map { [TestPath($0)] } ?? [])
        let inherited = ["PATH", "HOME", "VIRTUAL_ENV"].compactMap { (name: String) in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let program = try Program(
            "python3", arguments, environment: inherited + ["TMPDIR=\(folder)"], output: folder / "output",
            errors: folder / "errors")
        let exit = try await program.ended(within: .seconds(1800))
        let words = Disk.text(folder / "output")
        print(words)
        #expect(exit == .status(0), "\(words.suffix(20_000))\n\(Disk.text(folder / "errors"))")
        try Disk.removeTree(folder)
    }
}
