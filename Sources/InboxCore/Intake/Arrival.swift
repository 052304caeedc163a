import InboxFiling
import InboxLinux

/// A file, link, special file or unwalked folder that was seen in an Inbox, as the book has it at one moment.
package struct Arrival {
    /// Which one.
    package let id: ArrivalID
    /// The folder that it lies in.
    package let folder: Folder
    /// Its name there.
    package let name: FileName
    /// All that is kept of one that is held or ignored.
    let kept: ArrivalSlots.Slot
    /// The reason in words for which it is held; nil where it is not, or its state says it all.
    let heldDetail: String?
    /// The work on an arrival that is waiting; nil for one that is held or ignored.
    let work: ArrivalWork?

    /// A digest of what it was when it was last inspected.
    var mark: FileMark { kept.mark }

    /// Its size in bytes when it was last inspected.
    package var size: UInt64 { work?.activity.facts?.status.size ?? kept.size }

    /// The state that is reported.
    package var state: ArrivalState { work?.activity.state ?? kept.state ?? .ignored }

    /// The reason for the state, in words; nil where the state says it all.
    package var detail: String? { work == nil ? heldDetail : work?.activity.detail }

    /// Since when it has this state.
    package var since: Timestamp { work?.activity.since ?? kept.since }
}

/// An arrival that is being worked on. The book lends this to its callers instead of a copy, since each arrival is asked for
/// more often than it changes; as long as one of them has it, the book changes a copy.
final class ArrivalWork {
    /// Changed by the book alone.
    var activity: ArrivalActivity

    init(_ activity: ArrivalActivity) {
        self.activity = activity
    }
}

/// The details of an arrival that is being worked on.
struct ArrivalActivity {
    /// The state that is reported.
    var state = ArrivalState.waiting(.settling)
    /// The reason for the state, in words.
    var detail: String?
    /// Since when it has this state.
    var since: Timestamp
    /// The next step of the work on the arrival.
    var phase = ArrivalPhase.observing(until: .never)
    /// The results of its inspections; nil if it has not been inspected since it was held or ignored.
    var facts: ArrivalFacts?
    /// Returns how many bytes of it have been copied; nil while it is not being copied.
    var copying: (@Sendable () -> UInt64)?

    /// The worker of large documents and packages copies it.
    var isLarge: Bool { facts.map { $0.package != nil || $0.status.size >= ArrivalBook.largeCopy } ?? false }
}

/// The results of the inspections of an arrival.
package struct ArrivalFacts {
    /// The status at the last inspection; for a package, that of everything in it together.
    package internal(set) var status: FileStatus
    /// Since when nothing has happened to it.
    var quietSince: Instant
    /// A quiet time is due. It is not for an arrival that was renamed or linked in and has not been touched since.
    var needsQuiet = true
    /// It was written in the Inbox, under the name that it has: not renamed or linked to that.
    var isWrittenHere = true
    /// It was moved into the Inbox as it is, alone or with the folder that it is in.
    var cameWhole = false
    /// Whoever has created it may have it open still: no close was seen.
    var mayBeOpen = false
    /// Its modification time is rsync's mark of what is not complete.
    var isMarkedIncomplete = false
    /// It was downloaded here, under its name with `.part` at the end.
    var wasPartial = false
    /// The number of its bytes that are known not to be written yet.
    var missing: UInt64 = 0
    /// Seconds since 1970: when it was first seen, in a room that an arrival has anyway.
    var seen: UInt32
    /// When its size was last seen to change; at first, when it was seen first.
    var grown: Instant
    /// When a writer was last found at it; nil where none was, or where its last close was seen.
    var sawWriter: Instant?
    /// The time until the next inspection of an arrival that waits for somebody else.
    var patience = Settling.firstPatience
    /// When it will be inspected as one that waits for nobody any more, if nothing changes until then: of what is empty or
    /// has a partial download beside it; or when one in which tries have found unseen changes is tried again.
    var expected: Instant?
    /// The trouble that keeps the arrival from being filed, and its beginning: if the next try ends in the same
    /// trouble, that is the same one.
    var trouble: Trouble?
    /// The number of consecutive failures.
    var failures = 0
    /// It was reported that filing the arrival fails and is tried again.
    var isFailureReported = false
    /// No lease can show that nobody is writing, so a longer quiet time replaces it.
    var isUnprovable = false
    /// It is filed even if its own format shows that it is cut off: somebody has asked for that.
    var mayBeIncomplete = false
    /// It is filed even if one with the same bytes was filed before: somebody has asked for that.
    var mayBeDuplicate = false
    /// It needs a marker where others do; nil where that is not known yet.
    var needsMarker: Bool?
    /// A marker counts for it.
    var isMarked = false
    /// It is filed even if its name shows a loop of handlers: somebody has asked for that.
    var mayLoop = false
    /// `put` has delivered it; nil where nobody has asked: only of what is empty or needs a marker.
    var isDelivered: Bool?
    /// The number of consecutive tries that have found a change that no inspection has shown. It fits into padding
    /// that an arrival has anyway.
    var unseenChanges: UInt16 = 0
    /// The progress of its checks; nil where none has run.
    var checks: CheckProgress?
    /// The further facts about a folder that is one document; nil for anything else.
    var package: Package?

    /// A state that lasts over several tries.
    struct Trouble: Equatable {
        let state: ArrivalState
        let since: Timestamp
    }

    /// The contents of a folder that is one document.
    struct Package {
        /// The folder contains a file; one without is a placeholder.
        let hasFiles: Bool
        /// A download into the folder is under way.
        let hasPartial: Bool
        /// The time that the survey of the folder took.
        var cost = Duration.zero
        /// It is one document for a repository that is not shown to be complete.
        var isYoung = false
    }

    init(_ status: FileStatus, at moment: Moment) {
        self.status = status
        quietSince = Settling.quietSince(changed: status.changed, at: moment)
        grown = moment.now
        seen = UInt32(clamping: moment.wall.seconds)
    }

    mutating func change(by change: (inout ArrivalFacts) -> Void) { change(&self) }

    /// It has no content, so that it may be a placeholder.
    var isEmpty: Bool { package.map { !$0.hasFiles } ?? (status.size == 0 || missing > 0) }

    /// Whoever has made it has given it a time that lies before that, as `tar x`, `unzip` and `rsync -a` do when they are done
    /// with a file: what comes to a placeholder makes its time later.
    var wasGivenTime: Bool {
        let age = status.identity.file.birth.flatMap { status.identity.modified.age(at: $0) }
        return age.map { $0 > .milliseconds(10) } ?? false
    }
}

extension Arrival {
    /// The results of its inspections; nil for an arrival that is held or ignored.
    package var facts: ArrivalFacts? { work?.activity.facts }

    /// Since when nothing has happened to it; nil for an arrival that is held or ignored.
    var quietSince: Instant? { work?.activity.facts?.quietSince }

    /// A marker counts for it.
    var isMarked: Bool { work?.activity.facts?.isMarked == true }

    /// The next step of the work on the arrival.
    var phase: ArrivalPhase { work?.activity.phase ?? .resting }

    /// When it arrived, as far as is known: it may have been there when the daemon was started.
    func arrived(_ facts: ArrivalFacts) -> Timestamp {
        min(Timestamp(seconds: Int64(facts.seen), nanoseconds: 0), facts.status.changed)
    }

    /// The number of its bytes that have been copied to another filesystem; nil while it is not being copied.
    package var copied: UInt64? { work?.activity.copying?() }

    /// The arrival is being filed.
    package var isInFlight: Bool { phase == .inFlight }

    /// The arrival's name is gone.
    var isMissing: Bool {
        if case .missing = phase { return true }
        return false
    }

    /// Returns true if this is the same file.
    func isFile(_ status: FileStatus, _ mark: FileMark) -> Bool {
        facts.map { $0.status.identity.file == status.identity.file } ?? (self.mark.file == mark.file)
    }

    /// Returns true if the status or mark shows another state of the same file.
    func hasChanged(_ status: FileStatus, _ mark: FileMark) -> Bool {
        facts.map { $0.status.identity != status.identity || $0.status.changed != status.changed }
            ?? (self.mark != mark)
    }

    /// When it is inspected again by itself; `never` for what is held or ignored.
    package var nextLook: Instant {
        switch phase {
        case .observing(let until), .missing(_, let until): until
        case .resting, .queued, .queuedForCopy, .inFlight: .never
        }
    }

    /// When the next try is due, as far as that is known: what waits for a placeholder's or a download's end is inspected
    /// earlier, but goes on then only if something has changed.
    package var nextTry: Instant {
        switch state {
        case .waiting(.empty), .waiting(.incomplete), .waiting(.sibling), .waiting(.gathering):
            facts?.expected ?? .never
        default: nextLook
        }
    }

    /// Returns true if this is the arrival's whole path, which is compared in its parts.
    func isAt(_ path: BytePath) -> Bool {
        let folder = folder.bytePath.bytes
        guard path.bytes.count == folder.count + 1 + name.count else { return self.path == path }
        return path.bytes.withUnsafeBytes { path in
            folder.withUnsafeBytes { path.begins(with: $0) } && path[folder.count] == UInt8(ascii: "/")
                && name.withBytes {
                    UnsafeRawBufferPointer(rebasing: path[(folder.count + 1)...]).begins(
                        with: UnsafeRawBufferPointer($0))
                }
        }
    }

    /// Its whole path.
    package var path: BytePath { folder.path(of: name) }
}
