/// What the daemon says of itself, through `inboxctl`, each answer held to the contract's form.
extension Stage {
    /// One line of `inboxctl list --json`.
    package struct Listed: CustomStringConvertible {
        package let path: TestPath
        package let state: String
        package let reason: String

        package var description: String { "\(path) \(state) \(reason)" }
    }

    /// The numbers of guarantee 6, in the order of its equation.
    package static let balanced = ["filed", "duplicates", "rejected", "ignored", "waiting", "held", "withdrawn"]

    /// The status; an answer that lacks a member, or whose counters do not balance, fails at once.
    package func status() async throws -> JSONValue {
        let run = try await control(["status", "--json"])
        // A daemon with a problem makes the exit status 1, and answers all the same.
        guard run.errors.isEmpty else { throw Failure("inboxctl status: \(run.exit): \(run.errors)") }
        let status = try JSONValue.parse(run.output)
        for member in ["version", "pid", "since", "paused", "state", "problems", "documents", "inboxes", "counters"] {
            guard status[member] != nil else { throw Failure("the status lacks \(member): \(run.output)") }
        }
        let counters = try Stage.counters(of: status)
        let sum = Stage.balanced.reduce(0) { $0 + (counters[$1] ?? 0) }
        guard counters["seen"] == sum else { throw Failure("the counters do not balance: \(counters)") }
        return status
    }

    package static func counters(of status: JSONValue) throws -> [String: Int] {
        var counters: [String: Int] = [:]
        for name in ["seen"] + balanced + ["bytesFiled", "overflows", "rescans"] {
            guard let count = status["counters"]?[name]?.integer, count >= 0 else {
                throw Failure("the status lacks the counter \(name): \(status["counters"] ?? .null)")
            }
            counters[name] = count
        }
        return counters
    }

    package func counters() async throws -> [String: Int] {
        try await Stage.counters(of: status())
    }

    /// Waits until the counters named have these values.
    package func expectCounters(_ expected: [String: Int], within limit: Duration = Deadline.usual) async throws {
        try await eventually(within: limit, every: .milliseconds(100)) {
            let counters = try await counters()
            return expected.allSatisfy { counters[$0.key] == $0.value } ? nil : "the counters are \(counters)"
        }
    }

    package func list() async throws -> [Listed] {
        let run = try await control(["list", "--json"])
        guard run.exit == .status(0) else { throw Failure("inboxctl list: \(run.exit): \(run.errors)") }
        return try JSONValue.parseLines(run.output).map { line in
            guard let path = line["path"]?.string, let state = line["state"]?.string, line["since"]?.string != nil,
                ["waiting", "held", "ignored"].contains(state)
            else { throw Failure("not an arrival: \(line)") }
            return Listed(
                path: TestPath(pathBytes(fromJSON: path)), state: state, reason: line["reason"]?.string ?? "")
        }
    }

    /// Waits until the arrival is listed in this state, for one of these reasons (none: for any).
    package func expectListed(_ name: TestPath, state: String, reasons: [String]) async throws {
        try await eventually(every: .milliseconds(50)) {
            let listed = try await list()
            guard let arrival = listed.first(where: { $0.path.ends(with: name) }) else {
                return "\(name) is not listed; these are: \(listed)"
            }
            let fits = arrival.state == state && (reasons.isEmpty || reasons.contains(arrival.reason))
            return fits ? nil : "\(name) is listed as \(arrival)"
        }
    }

    /// Waits until no arrival of that name is listed.
    package func expectUnlisted(_ name: TestPath) async throws {
        try await eventually(every: .milliseconds(50)) {
            try await list().first { $0.path.ends(with: name) }.map { "\($0) is still listed" }
        }
    }

    /// Waits until a problem of the status has these words; with none, until there is no problem.
    package func expectProblem(_ words: String?) async throws {
        try await eventually(every: .milliseconds(50)) {
            let status = try await status()
            let (state, problems) = (status["state"]?.string ?? "", "\(status["problems"] ?? .null)")
            guard let words else { return state == "watching" ? nil : "it is \(state): \(problems)" }
            return state == "degraded" && problems.contains(words) ? nil : "it is \(state): \(problems)"
        }
    }
}
