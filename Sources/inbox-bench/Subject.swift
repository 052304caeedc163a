/// One thing that is measured; a file each.
protocol Subject {
    /// What the command line calls it.
    var name: String { get }

    /// Measures, floor included.
    func measure() -> [Measurement]
}

/// A measured value beside its floor: what the same work costs at the very least, measured in the same run.
struct Measurement: CustomStringConvertible {
    let what: String
    /// Nanoseconds.
    let value: Double
    /// What the floor is.
    let floorName: String
    /// Nanoseconds.
    let floor: Double
    /// Nanoseconds that the value must stay under, or nil.
    let limit: Double?

    var isOverLimit: Bool { limit.map { value >= $0 } ?? false }

    var description: String {
        let ratio = floor > 0 ? "\(rounded(value / floor)) x" : "-"
        let bound = limit.map { "; limit \(time($0)): \(isOverLimit ? "EXCEEDED" : "kept")" } ?? ""
        return "\(what): \(time(value)) = \(ratio) \(floorName) (\(time(floor)))\(bound)"
    }

    private func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<10_000: "\(rounded(nanoseconds)) ns"
        case ..<10_000_000: "\(rounded(nanoseconds / 1_000)) us"
        default: "\(rounded(nanoseconds / 1_000_000)) ms"
        }
    }

    /// Two digits behind the point below 10, one below 100, else none.
    private func rounded(_ value: Double) -> String {
        let digits: Double = value < 10 ? 100 : value < 100 ? 10 : 1
        let scaled = (value * digits).rounded() / digits
        return digits == 1 ? "\(Int(scaled))" : "\(scaled)"
    }
}
