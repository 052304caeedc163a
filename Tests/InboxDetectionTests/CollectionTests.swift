import Glibc
import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// The collection that the README compares detectors by: every sample of these tests, without a name, under an honest
/// name, and under one that lies.
///
/// `INBOXD_COLLECTION=DIR` writes it to DIR (`content/`, `named/`, `lying/`, and the right answers in `list.tsv`), asks
/// `file`, `gio` and `magika` as far as they are in the `PATH`, and prints the table.
@Suite("The collection of the README")
struct CollectionTests {
    /// One way to present the samples.
    private struct Row {
        let title: String
        let folder: String
        let files: [(name: String?, sample: Sample)]
    }

    private let detector = Detector(places: .none)

    private var rows: [Row] {
        // The others name formats by MIME types alone.
        let samples = SampleTests.samples.filter { $0.mime != nil }
        return [
            Row(title: "formats, without a name", folder: "content", files: samples.map { (nil, $0) }),
            Row(title: "formats, under an honest name", folder: "named", files: samples.map { ($0.name, $0) }),
            Row(
                title: "formats, under a name that lies", folder: "lying",
                files: samples.filter { !Self.isText($0) }.map { ("sample." + Self.lie($0), $0) }),
        ]
    }

    /// Text may be anything; only what has a signature can show that its name lies.
    private static func isText(_ sample: Sample) -> Bool {
        guard let mime = sample.mime else { return false }
        return FormatTable.builtIn.format(mime: mime).map { FormatTable.builtIn[$0].isText } ?? mime.hasPrefix("text/")
    }

    private static func lie(_ sample: Sample) -> String {
        sample.mime?.hasPrefix("image/") ?? false ? "pdf" : "png"
    }

    /// Whether an answer names the type of the sample or a special case of it, by whichever of its names.
    private func isRight(_ answer: String?, _ sample: Sample, _ names: Detector) -> Bool {
        guard let answer, let mime = sample.mime else { return false }
        if answer == mime { return true }
        guard let own = names.type(mime: mime), let other = names.type(mime: answer) else { return false }
        return other.type.conforms(to: own.type)
    }

    /// For the names of other detectors: aliases are resolved by the MIME database where it is installed.
    private static let standard = Detector(places: .standard)

    private func ours(_ row: Row) -> Int {
        row.files.count { name, sample in
            let found = sample.bytes.withUnsafeBytes { detector.detect(name.flatMap { FileName($0) }, content: $0) }
            return isRight(found.mime, sample, detector)
        }
    }

    @Test("The README says of the collection what this program finds in it")
    func readme() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let bytes = try #require(readFile("/\(root)/Sources/UniformTypeIdentifiers/README.md"))
        let readme = String(decoding: bytes, as: UTF8.self)
        for row in rows {
            let line = "| \(row.files.count) \(row.title) | \(ours(row)) |"
            // By a name, so that a failure does not print the whole page.
            let isThere = readme.contains(line)
            #expect(isThere, "the README has no line that begins \(line)")
        }
    }

    @Test(
        "The collection is written and other detectors are asked",
        .enabled(if: getenv("INBOXD_COLLECTION") != nil, "INBOXD_COLLECTION does not name a folder"))
    func comparison() throws {
        let folder = try #require(getenv("INBOXD_COLLECTION").map { String(cString: $0) })
        var list = ""
        print("| | inboxctl | file | gio | magika |")
        for row in rows {
            var paths: [String] = []
            for (index, file) in row.files.enumerated() {
                let place = "\(folder)/\(row.folder)/\(index)"
                let path = file.name.map { "\(place)/\($0)" } ?? place
                shell("mkdir -p \(file.name == nil ? "\(folder)/\(row.folder)" : place)")
                try write(file.sample.bytes, to: path)
                list += "\(path)\t\(file.sample.mime ?? "-")\n"
                paths.append(path)
            }
            let others = [
                shell("file -b --mime-type", paths),
                shell("gio info -a standard::content-type", paths).filter { $0.contains("standard::content-type: ") }
                    .map { String($0.split(separator: " ").last ?? "") },
                shell("magika --format '%m' 2>/dev/null", paths),
            ]
            let counts = others.map { answers in
                answers.count == row.files.count
                    ? "\(zip(answers, row.files).count { isRight($0, $1.sample, Self.standard) })" : "–"
            }
            print("| \(row.files.count) \(row.title) | \(ours(row)) | \(counts.joined(separator: " | ")) |")
        }
        try write(Array(list.utf8), to: folder + "/list.tsv")
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// The lines that a command prints when it is given the paths, 50 at a time.
    @discardableResult
    private func shell(_ command: String, _ paths: [String] = []) -> [String] {
        var lines: [String] = []
        for start in stride(from: 0, to: max(1, paths.count), by: 50) {
            let part = paths[start..<min(start + 50, paths.count)].map { "'\($0)'" }.joined(separator: " ")
            guard let pipe = popen("\(command) \(part)", "r") else { return [] }
            defer { pclose(pipe) }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
            lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        return lines
    }
}
