import InboxDetection
import InboxLinux

/// Telling what a warm file is: open, fstat, pread and decide, with the MIME database of this machine.
struct DetectionSubject: Subject {
    let name = "detection"
    let what = "telling what a warm file is, with the MIME database of this machine"

    /// The documents that an inbox sees, each with enough after its signature to fill a head.
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

    func measure(_ bench: Bench) throws -> Findings {
        let path = try WorkFolders.shared.make(on: .tmpfs)
        let folder = try Directory.open(path: BytePath(path))
        let names = Self.samples.compactMap { FileName($0.name) }
        let contents = Self.samples.map { content($0.head) }
        for (name, content) in zip(names, contents) { try folder.appendingFile(name).write(content) }
        let detector = Detector(places: MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil))
        var (all, floors, decisions): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<bench.extent(300, quick: 20) {
            for (name, content) in zip(names, contents) {
                all.append(once { whole(folder, name, detector) })
                floors.append(once { floor(folder, name) })
                decisions.append(
                    once { content.withUnsafeBytes { detector.detect(name, content: $0).mismatch ? 1 : 0 } })
            }
        }
        var findings = Findings()
        guard let whole = Samples(all), let bare = Samples(floors), let deciding = Samples(decisions) else {
            return findings
        }
        let alone = (name: "open, fstat and pread alone", samples: Samples(bare.median))
        findings.measurements = [
            Measurement(
                "open, fstat, pread and decide", Samples(whole.median), floor: alone, goal: .figure(15_000)),
            Measurement("deciding", Samples(deciding.median), floor: alone, goal: .figure(2_000)),
        ]
        if bench.programs.has("file") {
            let list = (0..<50).flatMap { _ in Self.samples.map { "\(path)/\($0.name)" } }
            let spent = try Child.run(["file", "--mime-type"] + list).elapsed / Double(list.count)
            findings.measurements.append(
                Measurement("file, one of 600 in one run", Samples(spent), floor: alone, isPeer: true))
        } else {
            findings.notes.append("missing: file")
        }
        try WorkFolders.shared.remove(path)
        return findings
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
}
