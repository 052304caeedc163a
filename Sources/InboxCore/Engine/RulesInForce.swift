import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux

/// The configuration in force, and what is made of it.
struct RulesInForce {
    let configuration: Configuration
    /// Where documents go.
    let routing: RoutingRules
    /// Identifies documents, and knows the configuration's own types.
    let detector: Detector
    /// The problems of the detector's database have been reported.
    private var isDetectorReported = false

    /// - Parameter former: the rules before a reload.
    init(_ configuration: Configuration, detector: Detector, after former: RoutingRules? = nil) {
        self.configuration = configuration
        self.detector = detector
        routing = RoutingRules(configuration, after: former)
    }

    /// Returns the parts of the MIME database that could not be read; once, as soon as a document has made the
    /// detector read it.
    mutating func takeDatabaseProblems() -> [DatabaseProblem] {
        guard !isDetectorReported, let problems = detector.databaseProblems else { return [] }
        isDetectorReported = true
        return problems
    }

    /// Documents, and the destinations outside.
    var destinationRoots: [BytePath] { [configuration.documents] + routing.outerRoots }

    /// The Inboxes, Documents and the destinations outside.
    var roots: [BytePath] { configuration.inboxes.map(\.path) + destinationRoots }
}
