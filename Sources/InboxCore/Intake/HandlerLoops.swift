import InboxFiling
import InboxLinux

/// The documents of the last ten minutes that have handlers, by their names in the Inbox: a handler that delivers what it has
/// made of a document gives that a name made of the document's, such as `a-ocr.txt` of `a.txt`, and may get it again.
///
/// Nothing tells which process has created a file. A name that has grown eight times, each time after the one before was
/// filed, is made by no person.
struct HandlerLoops {
    /// The number of times that a name may have grown.
    static let most = 8
    /// 10 min: for so long a name counts.
    static let span = Duration.seconds(600)
    /// Names: when there are more, the old ones are forgotten, or all.
    private static let mostNames = 4_096

    /// When each name was filed, and those that it has grown from, the last of them first.
    private var known: [[UInt8]: [Instant]] = [:]

    /// The reason why a document is held, and the remedy, in words.
    static let words =
        "a handler seems to deliver into the Inbox what it has made of a document that a handler has delivered, and so on "
        + "\(most) times: have it deliver elsewhere, or under a name that its document type does not take"

    /// A document that has a handler was filed, which had this name in the Inbox.
    mutating func note(_ name: FileName, at now: Instant) {
        if known.count >= Self.mostNames {
            known = known.filter { $0.value[0] + Self.span > now }
            if known.count >= Self.mostNames { known = [:] }
        }
        known[Self.stem(of: name)] = [now] + former(of: name, at: now).prefix(Self.most)
    }

    /// Returns whether a name has grown so often that it shows a loop.
    func holds(_ name: FileName, at now: Instant) -> Bool {
        !known.isEmpty && former(of: name, at: now).count >= Self.most
    }

    /// When the names were filed, in the last ten minutes, that a name has grown from: it begins or ends with each.
    private func former(of name: FileName, at now: Instant) -> ArraySlice<Instant> {
        let stem = Self.stem(of: name)
        var longest: ArraySlice<Instant> = []
        for count in 1..<max(1, stem.count) {
            for part in [stem.prefix(count), stem.suffix(count)] {
                guard let found = known[Array(part)]?.prefix(while: { $0 + Self.span > now }) else { continue }
                if found.count > longest.count { longest = found }
            }
        }
        return longest
    }

    private static func stem(of name: FileName) -> [UInt8] {
        let ending = NumberedName.pathExtension(of: name)
        return Array(ending.isEmpty ? name.bytes : name.bytes.dropLast(ending.count + 1))
    }
}
