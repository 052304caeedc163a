import InboxLinux

/// The way of a document to its place, which says what a run has to do for it. It is chosen once its destination is known,
/// and anew when a filesystem turns out to lack what the way needs.
enum FilingWay: Hashable, Sendable, CaseIterable {
    /// One rename under the lease, from the Inbox to its place.
    case rename
    /// A claim, and a rename from the staging folder to its place.
    case claimedRename
    /// A claim, and a copy without a name, which is linked when it is whole.
    case unnamedCopy
    /// A claim, and a copy in the staging folder beside the destination, which is renamed when it is whole.
    case stagedCopy
    /// A claim, and a copy under its own name from the start.
    case directCopy
    /// A claim, and nothing else: an identical file is at its place.
    case discard

    /// One step of a run between preparing a document and the end of its entry.
    enum Step: Hashable, Sendable {
        /// The source is renamed into a staging folder, from which nobody else can take it.
        case stage
        /// Content and attributes are copied, and reach the disk.
        case copy
        /// The document gets its name, which never replaces another.
        case publish
        /// The history gets its record.
        case record
        /// The source is removed, if it is still what was copied.
        case clean
    }

    /// The steps, in their order.
    var steps: [Step] {
        switch self {
        case .rename: [.publish, .record]
        case .claimedRename: [.stage, .publish, .record]
        case .unnamedCopy, .stagedCopy: [.stage, .copy, .publish, .record, .clean]
        // Its name exists before its content does.
        case .directCopy: [.stage, .publish, .copy, .record, .clean]
        case .discard: [.stage, .record, .clean]
        }
    }

    /// The document reaches its place as another file than it was.
    var copies: Bool { steps.contains(.copy) }

    /// The known facts about a document, its source and its destination.
    struct Facts: Hashable, Sendable {
        /// The kind of the document: a file, a package or a symbolic link.
        var kind: FileStatus.Kind
        /// Its content may be read; of no concern for anything but a file.
        var isReadable = true
        /// The folders that it is in and goes to are on one device and mount, as far as the kernel says.
        var isOnOneMount: Bool
        /// One rename is not enough: another machine may file the document too, a person puts it back, or the kernel has
        /// refused the rename.
        var isClaimed: Bool
        /// An identical file is at its place.
        var hasTwin = false
        /// The methods that the destination's filesystem is known to lack.
        var lacking: Set<NamingCapabilities.Method> = []
    }

    /// Chooses the way; nil where a file would have to be copied that may not be read.
    init?(_ facts: Facts) {
        let movesHidden = facts.kind == .directory || !facts.lacking.contains(.hidden)
        if facts.hasTwin {
            self = .discard
        } else if facts.isOnOneMount, !facts.isClaimed {
            self = .rename
        } else if facts.isOnOneMount, movesHidden, !facts.lacking.contains(.moved) {
            self = .claimedRename
        } else if facts.kind != .regular {
            self = .stagedCopy
        } else if !facts.isReadable {
            return nil
        } else if !facts.lacking.contains(.unnamed) {
            self = .unnamedCopy
        } else {
            self = facts.lacking.contains(.hidden) ? .directCopy : .stagedCopy
        }
    }
}
