import InboxTestSupport
import Synchronization
import Testing

/// Runs a row with a fault at call N, for the calls that show something new; without `INBOX_TESTS=full`, for some of
/// these.
///
/// A kill leaves what the calls before it have changed: one before each call that changes something meets every state
/// that there is. A call that fails is another matter: any of them may.
enum Sweep {
    /// So many runs at a time: some do nothing but wait for a quiet time.
    static let gate = Gate(places: 10)
    private static let width = 32
    /// How many targets of a sweep are a part of it.
    private static let part = 3
    /// How often a target that struck nothing is played again.
    private static let retries = 2
    /// Of so many targets one may strike nothing in all its runs.
    private static let mostMissed = 20
    /// Of the calls that change nothing, one in so many fails on a row that has much in common with others. The seed
    /// decides which.
    static let share = 16

    /// The number of the first call to strike: the very first on the plainest way, which covers the others there;
    /// on those the first that looks into the Inbox, or the first of a copy where another row covers all before it.
    private static func first(of row: FaultRow) async throws -> Int {
        if row.isPlainest { return 1 }
        let trace = try await undisturbed(row)
        return row.differsInCopying ? trace.firstOfCopying : trace.firstOnInbox
    }

    /// The calls before which a kill leaves another state than before the call before.
    static func kills(of row: FaultRow) async throws -> [Target] {
        let (trace, first) = (try await undisturbed(row), try await first(of: row))
        return trace.targets((first...trace.calls.count).filter { trace.calls[$0 - 1].isChange })
    }

    /// The same where the state folder is lost with the kill: what was written there since the call before is no
    /// difference.
    static func killsBesideState(of row: FaultRow) async throws -> [Target] {
        let (trace, first) = (try await undisturbed(row), try await first(of: row))
        let changes = (first...trace.calls.count).filter { trace.calls[$0 - 1].isChange }
        let differing = zip(changes, changes.dropFirst()).filter { before, _ in
            ["/Documents/", "/Inbox/"].contains { trace.calls[before - 1].mentions($0) }
        }
        return trace.targets(changes.prefix(1) + differing.map { $0.1 })
    }

    /// The calls that are to fail: on the two plainest rows all of them.
    static func failures(of row: FaultRow) async throws -> [Target] {
        let (trace, first) = (try await undisturbed(row), try await first(of: row))
        let turn = Int(Extent.seed % UInt64(share))
        return trace.targets(
            (first...trace.calls.count).filter {
                row.isPlainest || row.isPlainestAcross || trace.calls[$0 - 1].isChange || $0 % share == turn
            })
    }

    /// Plays these targets, several at a time; `body` answers whether its run was untouched, and is called again for a
    /// target that struck nothing. What fails is reported with its target; after some failures the rest is not tried.
    ///
    /// - Parameter least: how many targets there have to be.
    static func play(
        _ all: [Target], _ row: FaultRow, _ what: String, least: Int = 4,
        _ body: @escaping @Sendable (Target) async throws -> Bool
    ) async throws {
        guard all.count >= least else { throw Failure("\(row.name): the sweep has next to nothing to strike") }
        var rest = Extent.some(part, of: all, for: "\(row.name), \(what)")[...]
        let count = rest.count
        var failures: [String] = []
        var missed: [Target] = []
        for _ in 0...retries {
            missed = []
            while !rest.isEmpty, failures.count < 5 {
                for (target, result) in try await play(Array(rest.prefix(width)), body) {
                    switch result {
                    case .success(let isUntouched): if isUntouched { missed.append(target) }
                    case .failure(let failure): failures.append("\(what) at call \(target): \(failure)")
                    }
                }
                rest = rest.dropFirst(width)
            }
            guard failures.isEmpty else { break }
            // Whether two documents go in one batch or in two differs from run to run, and with it which calls there are.
            rest = missed[...]
        }
        guard failures.isEmpty else {
            Issue.record("\(row.name), INBOX_TESTS_SEED=\(Extent.seed): \(failures.joined(separator: "\n"))")
            return
        }
        // Threads call side by side, so that a run may have a call less than the undisturbed one, such as an
        // epoll_wait(2).
        guard missed.count <= max(1, count / mostMissed) else {
            throw Failure("\(row.name), \(what): \(missed.count) of \(count) struck nothing: \(missed)")
        }
    }

    /// Plays these side by side; `body` reports what fails.
    static func each<Element: Sendable>(
        _ all: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in all { group.addTask { try await gate.pass { try await body(one) } } }
            try await group.waitForAll()
        }
    }

    /// Plays these targets side by side; the results in their order.
    private static func play(
        _ targets: [Target], _ body: @escaping @Sendable (Target) async throws -> Bool
    ) async throws -> [(Target, Result<Bool, Failure>)] {
        try await withThrowingTaskGroup(of: (Int, Result<Bool, Failure>).self) { group in
            for (place, target) in targets.enumerated() {
                group.addTask {
                    try await gate.pass {
                        do { return (place, .success(try await body(target))) } catch {
                            return (place, .failure(Failure("\(error)")))
                        }
                    }
                }
            }
            let results = try await group.reduce(into: []) { $0.append($1) }
            return results.sorted { $0.0 < $1.0 }.map { (targets[$0.0], $0.1) }
        }
    }

    // MARK: Undisturbed runs

    private static let traces = Mutex<[String: Task<CallTrace, any Error>]>([:])

    /// The calls of a run without a fault beside the row's standing ones: it has to file everything.
    ///
    /// Of six runs side by side it is the one with the fewest calls: one that files in two batches what another files in one
    /// has calls that the other lacks, and on an idle machine nearly all of them do.
    static func undisturbed(_ row: FaultRow) async throws -> CallTrace {
        let key = "\(row.name); \(row.settings); \(row.standing ?? "")"
        let task = traces.withLock { traces in
            if let known = traces[key] { return known }
            let task = Task {
                try await withThrowingTaskGroup(of: CallTrace.self) { runs in
                    for _ in 0..<6 { runs.addTask { try await gate.pass { try await filing(row) } } }
                    var fewest: CallTrace?
                    for try await run in runs where run.calls.count < fewest?.calls.count ?? .max { fewest = run }
                    return try #require(fewest)
                }
            }
            traces[key] = task
            return task
        }
        return try await task.value
    }

    private static func filing(_ row: FaultRow) async throws -> CallTrace {
        let stage = try FaultStage(row)
        let run = try await stage.run()
        guard run.exit == .status(0) else { throw Failure("an undisturbed run: \(run.exit): \(run.errors)") }
        try stage.expectAllFiled()
        return run.trace
    }
}
