/// The times that documents took from their last change until they were filed and recorded, counted in classes as in
/// an OpenMetrics histogram.
package struct FilingDelays: Sendable {
    /// Seconds: the upper bounds of the classes; a last class has no bound.
    package static let bounds = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600]

    /// The number of documents in each class, the class without a bound last.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// Seconds: all delays together.
    package private(set) var sum = 0.0

    /// Nothing counted.
    package init() {}

    /// The number of documents.
    package var count: Int { counts.reduce(0, +) }

    /// Counts a document.
    mutating func add(_ delay: Duration) {
        let parts = delay.components
        let seconds = max(0, Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
        sum += seconds
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }
}
