import InboxConfiguration
import InboxLinux

// Why something stays in an Inbox that nothing is done with.
extension Arrival {
    /// The reason why the arrival is ignored; nil if it is not, or is no longer once the new settings have been
    /// applied to it.
    package var ignoredBecause: Ignoring.Reason? {
        guard state == .ignored else { return nil }
        return folder.hasMarker(name) ? .marker : folder.ignoringReason(for: name)
    }

    /// The reason why the arrival is ignored and what ends that, in words; nil if it is not.
    package var ignoredWords: String? {
        if ignoredBecause == .marker {
            return "\(Ignoring.Reason.marker.words): it is removed once all that it releases is filed"
        }
        let stays = folder.parent == nil ? "it stays" : "it stays, and its folder with it,"
        return ignoredBecause.map { "\($0.words): \(stays) until it is renamed or removed" }
    }
}

extension Folder {
    /// Since when nothing has happened in it.
    package var touched: Instant { past.touched }

    /// When it is removed if it stays empty and others leave it alone; nil where it stays, or waits for the rest of its tree.
    package var removal: Instant? {
        guard past.wasFilled, !stays, inbox.settings.removeEmptyFolders else { return nil }
        return past.touched + inbox.settings.folderSettle
    }

    /// It stays although it is emptied: somebody has made it for what is yet to come, or a filesystem is mounted here.
    var stays: Bool { past.isStanding || isMountTop }

    /// It goes with the tree that it is in, which nobody has made for what is yet to come.
    private var goesWithTree: Bool {
        inbox.settings.removeEmptyFolders && !past.wasFilled && !isMountTop
            && outermost.map { $0.past.hasFiled && !$0.past.isStanding } == true
    }

    /// The reason, in words, why the folder stays although it is empty, or the time at which it is removed.
    package var emptyBecause: String {
        if isMountTop { return "an empty filesystem, which is mounted here: it stays until it is unmounted" }
        let settle = TimeSpan.text(inbox.settings.folderSettle)
        if past.isStanding {
            return "an empty folder: it was there for \(settle) before its first document, so it stays for the next one"
        }
        if goesWithTree {
            let course =
                inbox.settings.folders == .flatten
                ? "removed" : "made where the others of its tree have gone, and removed here,"
            return "an empty folder: it is \(course) once nothing else is left in its tree and others leave that alone "
                + "for \(settle)"
        }
        return removal != nil
            ? "an empty folder: what was in it is filed, and it is removed once others leave it alone for \(settle)"
            : past.wasFilled
                ? "an empty folder: what was in it is filed, and it stays (RemoveEmptyFolders=no)"
                : "an empty folder: nothing of it was filed since inboxd was started, so it stays until somebody fills it or "
                    + "removes it"
    }
}
