/// One thing that is measured; a file each.
protocol Subject: Sendable {
    /// The name on the command line.
    var name: String { get }

    /// A short description of what the subject measures, for the usage text.
    var what: String { get }

    /// Measures, floor included.
    func measure(_ bench: Bench) throws -> Findings
}

/// The environment in which a subject measures.
struct Bench {
    /// A small part of the work will do.
    let isQuick: Bool
    let programs: Programs

    /// Returns the amount of something to do.
    func extent(_ full: Int, quick: Int) -> Int { isQuick ? quick : full }

    /// Does a round of measuring again and again: the subject and its floor by turns, so that whatever else the machine
    /// does meanwhile disturbs both alike.
    ///
    /// - Parameters:
    ///   - most: as many rounds at most; one, if they are quick.
    ///   - time: no round begins that would probably end later. The first one always does.
    func rounds(_ most: Int, within time: Duration, _ body: (_ round: Int) throws -> Void) rethrows {
        let clock = ContinuousClock()
        let start = clock.now
        for round in 0..<(isQuick ? 1 : most) {
            let spent = start.duration(to: clock.now)
            if round > 0, spent + spent / round > time { return }
            try body(round)
        }
    }
}

/// The reason why something cannot be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
