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

    init(_ configuration: Configuration, detector: Detector) {
        self.configuration = configuration
        self.detector = detector
        routing = RoutingRules(configuration)
    }

    /// Documents, and the destinations outside.
    var destinationRoots: [BytePath] { [configuration.documents] + routing.outerRoots }

    /// The Inboxes, Documents and the destinations outside.
    var roots: [BytePath] { configuration.inboxes.map(\.path) + destinationRoots }
}
