import InboxLinux

/// Which names are left alone: the glob list of `Ignore`, and hidden names.
public struct Ignoring: Sendable {
    private let globs: [Glob]
    private let hidden: Bool

    /// The rule of these settings.
    public init(_ settings: InboxSettings) {
        globs = settings.ignore.map(Glob.init)
        hidden = settings.ignoreHidden
    }

    /// Whether the name is left alone.
    public func ignores(_ name: FileName) -> Bool {
        if hidden, name.isHidden { return true }
        let bytes = name.bytes
        return globs.contains { $0.matches(bytes) }
    }

    /// The names under which a download of `name` may be under way beside it.
    static func partialNames(of name: FileName) -> [FileName] {
        [".part", ".crdownload"].compactMap { FileName(Array(name.bytes) + Array($0.utf8)) }
    }
}
