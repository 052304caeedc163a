import Synchronization

/// The mark of rules that are in force, as far as checks are concerned: a reload that adds, changes or removes one ends
/// them, for jobs that are under way as well.
package final class RulesValidity: Sendable {
    private let isEnded = Atomic<Bool>(false)

    /// Rules that are in force.
    init() {}

    /// Documents that were prepared by them must not get their names.
    package var isOver: Bool { isEnded.load(ordering: .acquiring) }

    /// Ends them, for good.
    package func end() { isEnded.store(true, ordering: .releasing) }
}
