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
    /// A digest of what it was when it was last inspected.
    let mark: FileMark
    /// Its size in bytes when it was last inspected.
    package let size: UInt64
    /// What is known of it while it is waiting; of what is held or ignored only this value's other members are kept.
    let activity: ArrivalActivity?
    /// What is reported of it.
    package let state: ArrivalState
    /// The reason for the state, in words; nil where the state says it all.
    package let detail: String?
    /// Since when it has this state.
    package let since: Timestamp
}

/// What is known of an arrival that something is done with.
struct ArrivalActivity {
    /// What is reported of it.
    var state = ArrivalState.waiting(.settling)
    /// The reason for the state, in words.
    var detail: String?
    /// Since when it has this state.
    var since: Timestamp
    /// What is done with it next.
    var phase = ArrivalPhase.observing(until: .never)
    /// What was found at it; nil where it has not been inspected since it was held or ignored.
    var facts: ArrivalFacts?
    /// Returns how many bytes of it have been copied; nil while it is not being copied.
    var copying: (@Sendable () -> UInt64)?

    /// Whether the worker of large documents and packages copies it.
    var isLarge: Bool { facts.map { $0.package != nil || $0.status.size >= ArrivalBook.largeCopy } ?? false }

    mutating func change(by change: (inout ArrivalActivity) -> Void) { change(&self) }
}

/// What the inspections of an arrival have found.
package struct ArrivalFacts {
    /// What it was when it was last inspected; for a package with all that is in it.
    package internal(set) var status: FileStatus
    /// Since when nothing has happened to it.
    var quietSince: Instant
    /// Whether a quiet time is due: not for what was renamed or linked in and has not been touched since.
    var needsQuiet = true
    /// It was written in the Inbox, under the name that it has: not renamed or linked to that.
    var isWrittenHere = true
    /// It was moved into the Inbox as it is, alone or with the folder that it is in.
    var cameWhole = false
    /// Whoever has created it may have it open still: no close was seen.
    var mayBeOpen = false
    /// Its modification time is rsync's mark of what is not complete.
    var isMarkedIncomplete = false
    /// How many of its bytes are known not to be written yet.
    var missing: UInt64 = 0
    /// Seconds since 1970: when it was first seen, in a room that an arrival has anyway.
    var seen: UInt32
    /// When its size was last seen to change; at first, when it was seen first.
    var grown: Instant
    /// When a writer was last found at it; nil where none was, or where its last close was seen.
    var sawWriter: Instant?
    /// How long until the next inspection of one that waits for somebody else.
    var patience = Settling.firstPatience
    /// When it will be inspected as one that waits for nobody any more, if nothing changes until then: of what is empty or
    /// has a partial download beside it; or when one in which tries have found unseen changes is tried again.
    var expected: Instant?
    /// What keeps it from being filed, and since when: the same trouble after another try is the same trouble.
    var trouble: Trouble?
    /// How many tries have failed in a row.
    var failures = 0
    /// Whether it was reported that its filing fails and is tried again.
    var isFailureReported = false
    /// Whether no lease shows that nobody writes, so that a longer quiet time replaces it.
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
    /// How many tries in a row have found a change that no inspection has shown. There is room for it in what an arrival
    /// takes anyway.
    var unseenChanges: UInt16 = 0
    /// The progress of its checks; nil where none has run.
    var checks: CheckProgress?
    /// What it is besides a file, where it is a folder that is one document.
    var package: Package?

    /// A state that lasts over several tries.
    struct Trouble: Equatable {
        let state: ArrivalState
        let since: Timestamp
    }

    /// What is in a folder that is one document.
    struct Package {
        /// Whether a file is in it: one without is a placeholder.
        let hasFiles: Bool
        /// Whether a download into it is under way.
        let hasPartial: Bool
        /// How long the survey of it took.
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
    /// What was found at it; nil for what is held or ignored.
    package var facts: ArrivalFacts? { activity?.facts }

    /// What is done with it next.
    var phase: ArrivalPhase { activity?.phase ?? .resting }

    /// When it arrived, as far as is known: it may have been there when the daemon was started.
    func arrived(_ facts: ArrivalFacts) -> Timestamp {
        min(Timestamp(seconds: Int64(facts.seen), nanoseconds: 0), facts.status.changed)
    }

    /// How many of its bytes have been copied to another filesystem; nil while it is not being copied.
    package var copied: UInt64? { activity?.copying?() }

    /// Whether it is being filed.
    package var isInFlight: Bool { phase == .inFlight }

    /// Whether its name has gone.
    var isMissing: Bool {
        if case .missing = phase { return true }
        return false
    }

    /// Whether this is the same file.
    func isFile(_ status: FileStatus, _ mark: FileMark) -> Bool {
        facts.map { $0.status.identity.file == status.identity.file } ?? (self.mark.file == mark.file)
    }

    /// Whether this is another state of the same file.
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

    /// Whether this is its whole path, which is compared in its parts.
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
