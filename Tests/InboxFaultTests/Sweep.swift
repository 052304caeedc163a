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
    /// Of the calls that change nothing, one in so many fails on a row that has much in common with others. The seed
    /// decides which.
    private static let share = 16

    /// The number of the first call to strike: the very first on the plainest way, which covers the others there;
    /// on those the first that looks into the Inbox, or the first of a copy where another row covers all before it.
    private static func first(of row: FaultRow) async throws -> Int {
        if row.isPlainest { return 1 }
        let trace = try await undisturbed(row)
        return row.differsInCopying ? trace.firstOfCopying : trace.firstOnInbox
    }

    /// The calls before which a kill leaves another state than before the call before; those of these numbers alone.
    static func kills(of row: FaultRow, in range: ClosedRange<Int> = 1...Int.max) async throws -> [Target] {
        let (trace, first) = (try await undisturbed(row), try await first(of: row))
        return trace.targets(
            (first...trace.calls.count).filter { range.contains($0) && trace.calls[$0 - 1].isChange })
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

    /// Plays these targets, several at a time; `body` answers whether its run was untouched. What fails is reported with
    /// its target; after some failures the rest is not tried.
    static func play(
        _ all: [Target], _ row: FaultRow, _ what: String, _ body: @escaping @Sendable (Target) async throws -> Bool
    ) async throws {
        guard all.count > 3 else { throw Failure("\(row.name): the sweep has next to nothing to strike") }
        var rest = Extent.some(part, of: all, for: "\(row.name), \(what)")[...]
        let count = rest.count
        var failures: [String] = []
        var struck = 0
        while !rest.isEmpty, failures.count < 5 {
            for (target, result) in try await play(Array(rest.prefix(width)), body) {
                switch result {
                case .success(let isUntouched): struck += isUntouched ? 0 : 1
                case .failure(let failure): failures.append("\(what) at call \(target): \(failure)")
                }
            }
            rest = rest.dropFirst(width)
        }
        guard failures.isEmpty else {
            Issue.record("\(row.name), INBOX_TESTS_SEED=\(Extent.seed): \(failures.joined(separator: "\n"))")
            return
        }
        // Where all is filed in fewer batches than in the undisturbed run there are fewer calls. Of a few targets most
        // may then lie beyond the last call; of all of them only some do.
        guard count > part ? struck * 2 > count : struck > 0 else {
            throw Failure("\(row.name): \(struck) of \(count) struck anything")
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

    private static let traces = Mutex<[String: CallTrace]>([:])

    /// The calls of a run without a fault beside the row's standing ones: it has to file everything.
    static func undisturbed(_ row: FaultRow) async throws -> CallTrace {
        let key = "\(row.name); \(row.standing ?? "")"
        if let known = traces.withLock({ $0[key] }) { return known }
        let stage = try FaultStage(row)
        let run = try await stage.run()
        guard run.exit == .status(0) else { throw Failure("an undisturbed run: \(run.exit): \(run.errors)") }
        try stage.expectAllFiled()
        traces.withLock { $0[key] = run.trace }
        return run.trace
    }
}
