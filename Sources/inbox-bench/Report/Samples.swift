/// The results of the rounds of one measurement: never empty, in the order of the rounds.
struct Samples {
    let values: [Double]

    /// Nil where there are none.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        self.values = values
    }

    /// A single value.
    init(_ value: Double) { values = [value] }

    var median: Double { percentile(50) }
    var lowest: Double { values.reduce(.infinity, min) }
    var highest: Double { values.reduce(-.infinity, max) }

    /// The value that so many percent do not exceed: the nearest rank.
    func percentile(_ percent: Int) -> Double {
        let rank = (values.count * percent + 99) / 100
        return values.sorted()[min(max(rank, 1), values.count) - 1]
    }

    /// The half width of all values, in percent of the median; nil for a single one.
    var spread: Double? {
        guard values.count > 1, median > 0 else { return nil }
        return (highest - lowest) / 2 / median * 100
    }

    /// The ratios, round by round; of the medians where the rounds do not belong together. Nil where it is divided by 0.
    func divided(by other: Samples) -> Samples? {
        guard other.lowest > 0 else { return nil }
        guard values.count == other.values.count else { return Samples(median / other.median) }
        return Samples(zip(values, other.values).map { $0 / $1 })
    }
}

extension Samples {
    /// A percentile of each round's samples.
    static func percentiles(_ percent: Int, _ rounds: [[Double]]) -> Samples? {
        Samples(rounds.compactMap { Samples($0)?.percentile(percent) })
    }
}
