import InboxLinux

/// Since when files have not changed whose change times lie in the future: on a server with a clock ahead of this one, or
/// since somebody has set the clock back. Such a time says nothing of how long ago the change was, but another one shows a
/// change.
final class FutureTimes {
    /// So many files are known at most: beyond that all are forgotten, and each counts as changed a moment ago.
    private static let most = 1_024

    private var seen: [FileKey: (changed: Timestamp, first: Instant)] = [:]

    /// Since when a file has been quiet that shows this change time now: since it was first seen with one that is made up.
    func quietSince(_ status: FileStatus, at moment: Moment) -> Instant {
        let file = status.identity.file
        guard Settling.isMadeUp(status.changed, at: moment) else {
            if !seen.isEmpty { seen[file] = nil }
            return Settling.quietSince(changed: status.changed, at: moment)
        }
        if let known = seen[file], known.changed == status.changed { return known.first }
        if seen.count >= Self.most { seen = [:] }
        seen[file] = (status.changed, moment.now)
        return moment.now
    }
}
