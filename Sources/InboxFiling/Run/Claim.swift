import InboxLinux

/// One document of a ``ClaimRun``; each step fills in the next property.
final class Claim {
    let document: ClaimDocument
    /// Staging roots tried so far.
    var triedRoots = 0
    /// Its entry in the journal, and the staging folder that it names; nil before that.
    var entry: JournalEntry?
    var staging: StagingFolder?
    /// The open files and folders of the claim.
    var files = Files()
    /// Its way to its destination; nil before that is chosen.
    var way: FilingWay?
    /// Its record, once the copy has its name.
    var record: FiledRecord?
    /// The attributes of the document that could not be kept, in words.
    var lost: [String] = []
    /// The result; nil while the claim is under way.
    var result: FilingResult?

    /// The open files and folders of a claimed document.
    struct Files {
        /// Where its source lies, once claimed; nil again when it has left the staging folder.
        var staged: StagedSource?
        /// Its source may lie in the staging folder though the claim failed: a server's reply was lost.
        var mayBeStaged = false
        /// Its source, opened anew after the claim.
        var source: ClaimedSource?
        /// The copied entries of a package.
        var manifest: PackageManifest?
        /// Its copy, before it has its name.
        var target: CopyTarget?
    }

    init(_ document: ClaimDocument) {
        self.document = document
    }

    var id: RecordID { document.prepared.id }

    /// Its path in the Inbox.
    var path: BytePath { document.prepared.source }

    /// The name of the copy may not be on the disk.
    var isUnsynced: Bool { entry?.unsyncedBoot != nil }

    /// Lets writers go on.
    func releaseLeases() {
        files.source?.releaseLease()
        files.manifest?.kept.close()
    }
}
