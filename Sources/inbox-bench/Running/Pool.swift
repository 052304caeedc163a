/// The same documents, filed again and again: what one run has filed is what the next one finds in its Inbox.
struct Pool {
    let medium: Medium
    let count: Int
    /// Where they are between two runs.
    let folder: String
    private let root: String
    private let bench: Bench

    /// Makes so many documents.
    init(_ count: Int, on medium: Medium, _ bench: Bench, of kinds: [Documents.Kind] = Documents.kinds) throws {
        self.medium = medium
        self.count = count
        self.bench = bench
        // A block each, and as much again for names and records.
        root = try WorkFolders.shared.make(on: medium, room: count * 8192, files: count + 100)
        folder = root + "/pool"
        try makeFolder(folder)
        try Documents.make(count, in: folder, kinds)
    }

    /// Removes them.
    func remove() throws { try WorkFolders.shared.remove(root) }

    /// Moves them all to another folder, by a loop or a program of this process.
    ///
    /// - Parameter file: moves them, and returns how many it moved, which has to be all of them.
    /// - Returns: nanoseconds a document.
    func move(by file: (_ from: String, _ to: String) throws -> Void) throws -> Double {
        let target = root + "/target"
        try makeFolder(target)
        settle()
        let spent = try once {
            try file(folder, target)
            return count
        }
        try demand(count, in: target)
        try WorkFolders.shared.remove(folder)
        try inbox_bench.move(target, to: folder)
        return spent / Double(count)
    }

    /// Has the daemon file them all, from the start of its process to its end.
    ///
    /// - Parameters:
    ///   - configuration: the text of the configuration's file.
    ///   - place: where below Documents they all have to go.
    /// - Returns: nanoseconds a document.
    func fileByDaemon(
        _ settings: [String] = [], configuration: String = "", to place: String = ""
    ) throws -> Double {
        try elapsedByDaemon(settings, configuration: configuration, to: place) / Double(count)
    }

    /// As ``fileByDaemon(_:configuration:to:)``, for all of them together.
    func elapsedByDaemon(
        _ settings: [String] = [], configuration: String = "", to place: String = ""
    ) throws -> Double {
        let run = root + "/run"
        try makeFolder(run)
        let stage = try DaemonStage(
            in: run, makesInbox: false, settings: settings, configuration: configuration, bench.programs)
        try inbox_bench.move(folder, to: stage.inbox)
        settle()
        let ending = try stage.once()
        try WorkFolders.shared.remove(stage.inbox)
        let filed = stage.documents + place
        try demand(count, in: filed)
        try inbox_bench.move(filed, to: folder)
        try WorkFolders.shared.remove(run)
        return ending.elapsed
    }

    /// On a disk, what was written before is not to be written while the clock runs.
    private func settle() {
        if medium != .tmpfs { syncAll() }
    }

    private func demand(_ count: Int, in folder: String) throws {
        let found = try Documents.count(in: folder)
        guard found == count else { throw BenchmarkFailure("\(found) of \(count) documents are in \(folder)") }
    }
}
