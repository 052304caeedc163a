import Glibc
import InboxCore
import InboxDetection
import InboxLinux

/// From a folder that was moved into the Inbox to the records of all its documents. The floor is what no daemon can do
/// without: each file opened, asked for its status, read for 4 KiB and renamed.
struct FilingSubject: Subject {
    let name = "filing"
    private let count = 20_000

    func measure() -> [Measurement] {
        ["relaxed", "full"].compactMap { durability in
            do {
                return try measure(durability)
            } catch {
                print("filing: cannot be measured: \(error)")
                return nil
            }
        }
    }

    private func measure(_ durability: String) throws -> Measurement {
        let base = try makeFolder()
        defer { remove(base) }
        let floor = try floor(base)
        let work = try work(base, durability)
        try rename(base + "/floor", base + "/Documents/Inbox/all")
        let value = once {
            work.begin(at: .current())
            while work.intake.accounting.filed < count {
                do {
                    try work.proceed(at: .current())
                    try work.takeFinished(at: .current())
                } catch {
                    print("filing: \(error)")
                    return 0
                }
                work.intake.rest()
            }
            return count
        }
        return Measurement(
            what: "a document, durability \(durability)", value: value / Double(count),
            floorName: "open, fstat, read, rename", floor: floor / Double(count), limit: nil)
    }

    private func floor(_ base: String) throws -> Double {
        let from = try Directory.open(path: Array((base + "/source").utf8))
        let to = try Directory.open(path: Array((base + "/floor").utf8))
        let names = (0..<count).compactMap { FileName("document-\($0).pdf") }
        for name in names { try from.appendingFile(name, mode: 0o644).write(Array("%PDF-1.4\n\(name)\n".utf8)) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var failure: (any Error)?
        let spent = once {
            do {
                for name in names {
                    let file = try from.file(name)
                    _ = try file.status()
                    _ = try file.read(into: &buffer, at: 0)
                    try from.rename(name, to: to, as: name)
                }
            } catch { failure = error }
            return names.count
        }
        if let failure { throw failure }
        return spent
    }

    private func work(_ base: String, _ durability: String) throws -> InboxWork {
        var options = ConfigurationOptions()
        options.documents = Array((base + "/Documents").utf8)
        options.state = Array((base + "/state").utf8)
        options.assignments = ["Inbox.Settle=0", "Inbox.Durability=\(durability)"].map { Array($0.utf8) }
        let none = ConfigurationFiles(content: Self.absent, names: Self.absent)
        let loaded = ConfigurationLoader.load(options, environment: .ofThisProcess(), files: none)
        guard let configuration = loaded.configuration else { throw BenchmarkFailure(reason: loaded.report) }
        let work = try InboxWork(
            configuration, inotify: try Inotify(), detector: Detector(places: .ofThisProcess), tell: { _ in })
        try work.takeState(at: .current())
        return work
    }

    private static func absent<Content>(_ path: BytePath) throws(ConfigurationReadError) -> Content? { nil }

    private func makeFolder() throws -> String {
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        let base = "\(place)/inbox-bench.\(getpid())"
        for folder in ["", "/source", "/floor", "/Documents", "/Documents/Inbox"] {
            guard mkdir(base + folder, 0o700) == 0 else {
                throw BenchmarkFailure(reason: "cannot make \(base)\(folder)")
            }
        }
        return base
    }

    private func rename(_ from: String, _ to: String) throws {
        guard Glibc.rename(from, to) == 0 else { throw BenchmarkFailure(reason: "cannot rename \(from)") }
    }

    private func remove(_ base: String) {
        do {
            try empty(try Directory.open(path: Array(base.utf8)))
            rmdir(base)
        } catch {
            print("filing: \(base) is left behind: \(error)")
        }
    }

    private func empty(_ folder: borrowing Directory) throws {
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        while let entry = try entries.next() {
            if entry.kind == .directory {
                try empty(try folder.folder(entry.name))
                try folder.removeFolder(entry.name)
            } else {
                try folder.removeFile(entry.name)
            }
        }
    }
}

/// Why something cannot be measured.
struct BenchmarkFailure: Error {
    let reason: String
}
