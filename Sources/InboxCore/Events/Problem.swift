import InboxLinux

/// Something that is wrong with the daemon's surroundings, in words.
package struct Problem: Sendable {
    /// The subject of a problem: paths that not everybody may know.
    struct Subject: Sendable {
        let path: BytePath
        /// The other paths that the text mentions.
        var others: [BytePath] = []
        /// The problem in words, to which a path around the subject is appended.
        let gist: String
    }

    /// The words, with the whole path of what it is about.
    package let text: String
    private let subject: Subject?
    /// Which problem it is, whatever its words are; nil where that does not matter.
    let key: Problems.Subject?

    /// A problem.
    /// - Parameters:
    ///   - subject: what it is about, where the status does not show that to everybody.
    ///   - key: which problem it is.
    init(_ text: String, about subject: Subject? = nil, as key: Problems.Subject? = nil) {
        self.text = text
        self.subject = subject
        self.key = key
    }

    /// The words for somebody who may not know every path: of one that is not known to him as a whole only that much is
    /// shown.
    /// - Parameters:
    ///   - known: the beginning of a path that he may know.
    ///   - hint: a clause on the rest of the path, which follows a comma.
    package func text(
        known: (BytePath) -> BytePath, otherwise hint: String = "whose path is not shown to you"
    ) -> String {
        guard let subject else { return text }
        let shown = known(subject.path)
        let isKnown = shown == subject.path && subject.others.allSatisfy { known($0) == $0 }
        return isKnown ? text : "\(subject.gist) in \(shown), \(hint)"
    }

    /// The number of bytes of text that the problem keeps.
    var weight: Int {
        let paths = subject.map { [$0.path] + $0.others } ?? []
        return text.utf8.count + paths.reduce(0) { $0 + $1.bytes.count }
    }
}
