import InboxLinux

/// Which names are left alone: the glob list of `Ignore`, and hidden names in the Inbox itself.
package struct Ignoring: Sendable {
    /// The patterns with an ending, by its last byte in lower case: of some thirty, one or two concern a name.
    private let byLastByte: [[Glob]]
    /// Those of which the end may be anything, by their first byte in lower case.
    private let byFirstByte: [[Glob]]
    /// Those of which the beginning may be anything as well.
    private let others: [Glob]
    /// Those that begin with `!`: what they match is not left alone.
    private let exceptions: [Glob]
    private let hidden: Bool

    /// The rule of these settings.
    package init(_ settings: InboxSettings) {
        let list = GlobList(settings.ignore)
        var byLastByte = [[Glob]](repeating: [], count: 256)
        var byFirstByte = byLastByte
        var others: [Glob] = []
        for glob in list.accepting {
            if let byte = glob.lastByte {
                byLastByte[Int(byte)].append(glob)
            } else if let byte = glob.firstByte {
                byFirstByte[Int(byte)].append(glob)
            } else {
                others.append(glob)
            }
        }
        self.byLastByte = byLastByte
        self.byFirstByte = byFirstByte
        self.others = others
        exceptions = list.excluding
        hidden = settings.ignoreHidden
    }

    /// Returns whether the name is ignored.
    /// - Parameter isInside: whether it lies in a folder of the Inbox, where hidden names are filed, though last.
    package func ignores(_ name: FileName, isInside: Bool) -> Bool {
        if hidden, !isInside, name.isHidden { return true }
        return matching(name) != nil
    }

    /// The first pattern of the list that leaves a name alone; nil where none does.
    private func matching(_ name: FileName) -> Glob? {
        let bytes = name.bytes
        guard let last = bytes.last else { return nil }
        let folded = FoldedName(bytes)
        // A character that is no ASCII may equal one that is, such as the Kelvin sign.
        let isPlain = last < 0x80 && name.firstByte < 0x80
        let found =
            isPlain
            ? Self.first(of: byLastByte[Int(Glob.lowered(last))], matching: folded)
                ?? Self.first(of: byFirstByte[Int(Glob.lowered(name.firstByte))], matching: folded)
            : (byLastByte.joined().first { $0.matches(folded) } ?? byFirstByte.joined().first { $0.matches(folded) })
        guard let found = found ?? Self.first(of: others, matching: folded) else { return nil }
        return exceptions.contains { $0.matches(folded) } ? nil : found
    }

    /// Returns the first pattern that matches a name. By its place each is lent: a loop over the patterns would copy them.
    private static func first(of globs: [Glob], matching name: FoldedName) -> Glob? {
        globs.indices.first { globs[$0].matches(name) }.map { globs[$0] }
    }

    /// The reason why a name is ignored.
    package enum Reason: Hashable, Sendable {
        /// It is hidden.
        case hidden
        /// This pattern of the list matches it.
        case pattern([UInt8])
        /// It is for the repair of the disk whose top this is.
        case repairs
        /// It is the marker of documents that it has not released yet.
        case marker

        /// The reason in one word.
        package var word: String {
            switch self {
            case .hidden: "hidden"
            case .pattern: "pattern"
            case .repairs: "repairs"
            case .marker: "marker"
            }
        }

        /// The reason in words.
        package var words: String {
            switch self {
            case .hidden: "its name is hidden (IgnoreHidden=yes)"
            case .pattern(let pattern): "its name matches \(EscapedBytes.printable(pattern)) of Ignore="
            case .repairs: "it is where the repair of a disk puts what it finds"
            case .marker: "it is a marker (Ready=)"
            }
        }
    }

    /// Returns why a name is ignored; nil if it is not.
    package func reason(for name: FileName, isInside: Bool) -> Reason? {
        if hidden, !isInside, name.isHidden { return .hidden }
        return matching(name).map { .pattern($0.pattern) }
    }

    /// Returns whether a name is filed last if it lies in a folder of the Inbox.
    package func delays(_ name: FileName) -> Bool { hidden && name.isHidden }
}
