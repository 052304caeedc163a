import InboxLinux

/// Something that is wrong with the daemon's surroundings, in words.
package struct Problem: Sendable {
    /// What it is about, in words that not everybody may read.
    struct Place: Sendable {
        let path: BytePath
        /// What is wrong, in words that a path around it follows.
        let gist: String
    }

    /// The words, with the whole path of what it is about.
    package let text: String
    private let place: Place?

    /// A problem.
    /// - Parameter place: what it is about, where the status does not show that to everybody.
    init(_ text: String, about place: Place? = nil) {
        self.text = text
        self.place = place
    }

    /// The words for somebody who may not know every path: of one that is not known to him as a whole only that much is
    /// shown.
    /// - Parameter known: the beginning of a path that he may know.
    package func text(known: (BytePath) -> BytePath) -> String {
        guard let place else { return text }
        let shown = known(place.path)
        return shown == place.path ? text : "\(place.gist) in \(shown), whose path is not shown to you"
    }

    /// How many bytes of text it keeps.
    var weight: Int { text.utf8.count + (place?.path.bytes.count ?? 0) }
}
