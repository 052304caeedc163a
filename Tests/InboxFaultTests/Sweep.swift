import InboxTestSupport
import Synchronization
import Testing

/// Runs a row with a fault at call N for N = 1, 2, … until a run completes untouched.
enum Sweep {
    /// So many runs at a time: some do nothing but wait for a quiet time.
    static let gate = Gate(places: 10)
    private static let width = 8

    /// The number of the first call to strike: the very first on the plainest way, which stands for the others there;
    /// on those the first that looks into the Inbox, or the first of a copy where another row stands for all before it.
    static func first(of row: FaultRow) async throws -> Int {
        if row.isPlainest { return 1 }
        let stage = try FaultStage(row)
        let run = try await stage.run()
        guard run.exit == .status(0) else { throw Failure("an undisturbed run: \(run.exit): \(run.errors)") }
        try stage.expectAllFiled()
        return row.differsInCopying ? run.trace.firstOfCopying : run.trace.firstOnInbox
    }

    /// Plays the numbers from `first` on, several at a time, until `body` answers that its run was untouched.
    /// What fails is told with its number; after some failures the rest is not tried.
    static func numbers(
        from first: Int, through last: Int = .max, _ row: FaultRow, _ what: String,
        _ body: @escaping @Sendable (Int) async throws -> Bool
    ) async throws {
        var next = first
        var failures: [String] = []
        var isDone = false
        while !isDone, next <= last, failures.count < 5 {
            let part = next...min(last, next + width - 1)
            let results = try await withThrowingTaskGroup(of: (Int, Result<Bool, Failure>).self) { group in
                for number in part {
                    group.addTask {
                        try await gate.pass {
                            do { return (number, .success(try await body(number))) } catch {
                                return (number, .failure(Failure("\(error)")))
                            }
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (number, result) in results.sorted(by: { $0.0 < $1.0 }) {
                switch result {
                case .success(let untouched): isDone = isDone || untouched
                case .failure(let failure): failures.append("\(what) at call \(number): \(failure)")
                }
            }
            next = part.upperBound + 1
        }
        guard next > first + 3 else { throw Failure("\(row.name): the sweep struck next to nothing") }
        if !failures.isEmpty { Issue.record("\(row.name): \(failures.joined(separator: "\n"))") }
    }
}
