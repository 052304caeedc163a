import Glibc
import InboxDetection
import InboxLinux

/// Telling what a warm file is: open, fstat, pread and decide, with the MIME database of this machine.
struct DetectionSubject: Subject {
    let name = "detection"

    /// What an inbox sees, each with enough behind its signature to fill a head.
    private static let samples: [(name: String, head: [UInt8])] = [
        ("report.pdf", Array("%PDF-1.7\n".utf8)),
        ("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8)),
        ("scan.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)),
        ("film.mp4", [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0isom".utf8)),
        ("song.mp3", Array("ID3\u{3}\0\0\0\0\0\0".utf8)),
        ("page.html", Array("<!DOCTYPE html><html><head><title>x</title></head>".utf8)),
        ("data.json", Array("{\"name\": \"value\", \"list\": [1, 2, 3], \"more\": \"".utf8)),
        ("notes.txt", Array("Words upon words, and then some more of them.\n".utf8)),
        ("table.csv", Array("a,b,c\n1,2,3\n4,5,6\n".utf8)),
        ("archive.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        ("letter.rtf", Array("{\\rtf1\\ansi".utf8)),
        ("IMG_0001", [0xFF, 0xD8, 0xFF, 0xE1, 0, 16] + Array("Exif\0\0".utf8)),
    ]

    func measure() -> [Measurement] {
        let path = "/tmp/inbox-bench-\(getpid())"
        guard mkdir(path, 0o700) == 0 else { return [] }
        defer { removeAll(path) }
        do {
            return try measure(path)
        } catch {
            print("detection: \(error)")
            return []
        }
    }

    private func measure(_ path: String) throws -> [Measurement] {
        let folder = try Directory.open(path: Array(path.utf8))
        let names = Self.samples.compactMap { FileName($0.name) }
        let contents = Self.samples.map { content($0.head) }
        for (name, content) in zip(names, contents) { try folder.appendingFile(name).write(content) }
        let detector = Detector(places: MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil))
        var all: [Double] = []
        var floors: [Double] = []
        var decisions: [Double] = []
        for _ in 0..<300 {
            for (name, content) in zip(names, contents) {
                all.append(once { whole(folder, name, detector) })
                floors.append(once { floor(folder, name) })
                decisions.append(
                    once { content.withUnsafeBytes { detector.detect(name, content: $0).mismatch ? 1 : 0 } })
            }
        }
        let readOnly = median(floors)
        var measurements = [
            Measurement(
                what: "open, fstat, pread and decide, median", value: median(all), floorName: "the calls alone",
                floor: readOnly, limit: 15_000),
            Measurement(
                what: "deciding, median", value: median(decisions), floorName: "the calls alone", floor: readOnly,
                limit: 2_000),
        ]
        if let rival = fileCommand(path) {
            measurements.append(
                Measurement(
                    what: "file(1), a file of many", value: rival, floorName: "the calls alone", floor: readOnly,
                    limit: nil))
        }
        return measurements
    }

    private func content(_ head: [UInt8]) -> [UInt8] {
        let filler: [UInt8] =
            head.allSatisfy { $0 < 0x80 && $0 >= 9 } ? Array("more words of text \n".utf8) : [0, 1, 0x9C, 7]
        return head + (0..<8192).map { filler[$0 % filler.count] }
    }

    private func whole(_ folder: borrowing Directory, _ name: FileName, _ detector: Detector) -> Int {
        do {
            let file = try folder.file(name)
            let size = try file.status().size
            return Int(size) + (detector.detect(name, reading: file).mismatch ? 1 : 0)
        } catch {
            return 0
        }
    }

    private func floor(_ folder: borrowing Directory, _ name: FileName) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            do {
                let file = try folder.file(name)
                let size = try file.status().size
                return Int(size) + (try file.read(into: buffer, at: 0))
            } catch {
                return 0
            }
        }
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Nanoseconds a file that `file --mime-type` takes over a list of 600; nil where it is not installed.
    private func fileCommand(_ path: String) -> Double? {
        let list = (0..<50).flatMap { _ in Self.samples.map { "\(path)/\($0.name)" } }.joined(separator: " ")
        guard system("command -v file >/dev/null") == 0 else { return nil }
        return once { Int(system("file --mime-type \(list) >/dev/null")) } / Double(50 * Self.samples.count)
    }

    private func removeAll(_ path: String) {
        for sample in Self.samples { unlink("\(path)/\(sample.name)") }
        rmdir(path)
    }
}
