/// The settings of `[Inbox]` and `[Inbox PATH]` for one Inbox; the folder itself is elsewhere (``ConfiguredInbox``).
///
/// Spans lie between zero and ``TimeSpan/infinity``, which means *never*.
package struct InboxSettings: Sendable, Equatable {
    /// The treatment of the folders that documents were dropped in.
    package enum Folders: String, CaseIterable, Sendable {
        /// They are made anew below the destination.
        case mirror
        /// They are forgotten.
        case flatten
        /// A folder is filed as one item.
        case whole
    }

    /// The action if the wanted name is taken.
    package enum OnConflict: String, CaseIterable, Sendable {
        /// A number is added.
        case number
        /// A document equal to the one that is there is dropped; another gets a number.
        case skipIdentical = "skip-identical"
    }

    /// The treatment of symbolic links.
    package enum Symlinks: String, CaseIterable, Sendable {
        /// They stay.
        case hold
        /// The link itself is moved.
        case move
    }

    /// The treatment of a document whose content contradicts its name.
    package enum Mismatch: String, CaseIterable, Sendable {
        /// It is filed by its content.
        case accept
        /// It stays.
        case hold
    }

    /// The treatment of a document that its own format shows to be cut off, once it has waited.
    package enum OnIncomplete: String, CaseIterable, Sendable {
        /// It is filed, and the record says what is missing.
        case file
        /// It stays.
        case hold
    }

    /// The choices for a document that is byte for byte one that was filed before.
    package enum OnDuplicate: String, CaseIterable, Sendable {
        /// It is filed like any other.
        case file
        /// It is dropped, once the other one is on the disk.
        case discard
        /// It stays.
        case hold
    }

    /// The data that must have reached the disk before a document counts as filed.
    package enum Durability: String, CaseIterable, Sendable {
        /// Renames and the history too.
        case full
        /// Copies only.
        case relaxed
    }

    /// The policy for polling the Inbox.
    package enum Poll: Sendable, Equatable {
        /// Where events are not available.
        case auto
        /// Never.
        case off
        /// Always, so often (10 ms or more).
        case every(Duration)
    }

    /// Quiet time before a document is complete.
    package var settle = Duration.seconds(1)
    /// The time for which an empty file may still be a placeholder.
    package var emptySettle = Duration.seconds(600)
    /// The time for which an open file may not grow before it is shown as stalled.
    package var stallAfter = Duration.seconds(600)
    /// Names that begin with a dot are ignored.
    package var ignoreHidden = true
    /// Globs of names that are ignored.
    package var ignore = Self.defaultIgnore
    /// The treatment of folders.
    package var folders = Folders.mirror
    /// Folders that were emptied are removed.
    package var removeEmptyFolders = true
    /// The time for which an emptied folder must have been left alone.
    package var folderSettle = Duration.seconds(60)
    /// The Inbox itself is removed once it is cleared.
    package var removeInbox = false
    /// The action if the wanted name is taken.
    package var onConflict = OnConflict.number
    /// The treatment of symbolic links.
    package var symlinks = Symlinks.hold
    /// The treatment of a document whose content contradicts its name.
    package var mismatch = Mismatch.accept
    /// The treatment of a document that its own format shows to be cut off.
    package var onIncomplete = OnIncomplete.file
    /// The name of the file that says that a document is complete; nil where the quiet time decides.
    package var ready: MarkerTemplate?
    /// The choice for a document that is byte for byte one that was filed before.
    package var onDuplicate = OnDuplicate.file
    /// The data that must have reached the disk.
    package var durability = Durability.full
    /// The policy for polling the Inbox.
    package var poll = Poll.auto
    /// The interval between safety scans; ``TimeSpan/infinity`` for never.
    package var rescan = Duration.seconds(300)
    /// Ceiling of the back-off between tries, at least 1 ms.
    package var retryMax = Duration.seconds(600)
    /// Where a document's date is taken from: the first that has a plausible one.
    package var dates: [DateChoice] = [.content, .name, .modified]
    /// The command that decides whether a document may be filed; nil where there is none.
    package var check: CommandTemplate?
    /// The time that a check may take before it is killed with its children.
    package var checkTimeout = Duration.seconds(120)
    /// The number of tries that follow the first one when a check fails.
    package var checkRetries = 3
    /// The number of checks of the Inbox that run at once.
    package var checkConcurrency = 1
    /// Where documents go that a check rejects; nil where they are held.
    package var rejected: DestinationTemplate?

    /// The built-in defaults.
    package init() {}

    /// Partial downloads, transfers under way and litter.
    package static let defaultIgnore: [[UInt8]] =
        (UnfinishedName.ignored + [
            "*.tmp", ".goutputstream-*", ".giosave*", ".nfs*", ".fuse_hidden*", ".davfs.tmp*", ".rsync-partial",
            ".~tmp~",
            ".pureftpd-upload.*", ".org.chromium.Chromium.*", ".com.google.Chrome.*", "*.osl-tmp", ".unison.*",
            ".sync_*.db*", ".sync", ".owncloudsync.log*", ".tmp.driveupload", ".tmp.drivedownload", ".getxfer.*.mega",
            ".dropbox*", ".stfolder", ".stversions", ".stignore", ".pending-*", ".trashed-*", ".smbdelete*",
            ".megatmp.*", ".azDownload-*", "*.ffs_lock", "*.ffs_db",
            "*.nextcloud", "*.owncloud", ".*.icloud", ".849C9593-*", ".nosync",
            "._*", ".DS_Store", ".AppleDouble", ".Trashes", ".Trash-*", ".fseventsd", ".Spotlight-V100",
            ".TemporaryItems",
            "Temporary Items", "Network Trash Folder", "Icon\r", ".DAV", ".directory", ".nomedia", ".thumbnails",
            "Thumbs.db", "desktop.ini", "*:Zone.Identifier", "$RECYCLE.BIN", "RECYCLER", "RECYCLED",
            "System Volume Information", "#recycle", "@Recycle", ".recycle", "@eaDir", "@tmp", "#*#", "*~",
        ]).map { Array($0.utf8) }
}

extension InboxSettings: SettingsSection {
    static let sectionName = "Inbox"

    static let fields: [SettingField<InboxSettings>] = [
        .scalar("Settle", \.settle, .timeSpan),
        .scalar("EmptySettle", \.emptySettle, .timeSpan),
        .scalar("StallAfter", \.stallAfter, .timeSpan),
        .scalar("IgnoreHidden", \.ignoreHidden, .boolean),
        .list("Ignore", \.ignore),
        .scalar("Folders", \.folders, .choice),
        .scalar("RemoveEmptyFolders", \.removeEmptyFolders, .boolean),
        .scalar("FolderSettle", \.folderSettle, .timeSpan),
        .scalar("RemoveInbox", \.removeInbox, .boolean),
        .scalar("OnConflict", \.onConflict, .choice),
        .scalar("Symlinks", \.symlinks, .choice),
        .scalar("Mismatch", \.mismatch, .choice),
        .scalar("OnIncomplete", \.onIncomplete, .choice),
        .scalar("Ready", \.ready, ValueFormat<MarkerTemplate>.marker.optional()),
        .scalar("OnDuplicate", \.onDuplicate, .choice),
        .scalar("Durability", \.durability, .choice),
        .scalar("Poll", \.poll, .poll),
        .scalar("Rescan", \.rescan, .orNever),
        .scalar(
            "RetryMax", \.retryMax, .timeSpan.checked("at least 1ms") { $0 >= .milliseconds(1) }),
        .scalar("Dates", \.dates, .dates),
        .scalar("Check", \.check, ValueFormat<CommandTemplate>.command.optional()),
        .scalar(
            "CheckTimeout", \.checkTimeout,
            .timeSpan.checked("at least 1ms; infinity never kills it") { $0 >= .milliseconds(1) }),
        .scalar("CheckRetries", \.checkRetries, .count.checked("at most 1000") { $0 <= 1000 }),
        .scalar("CheckConcurrency", \.checkConcurrency, .count.checked("1 to 64") { (1...64).contains($0) }),
        .scalar("Rejected", \.rejected, ValueFormat<DestinationTemplate>.folder.optional()),
    ]
}

extension ValueFormat where Value == Duration {
    /// A span of which zero and `infinity` both mean *never*; a shorter one than 10 ms would only burn power.
    static let orNever = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> Duration in
            let span = try timeSpan.checked("0, or at least 10ms") { $0 == .zero || $0 >= .milliseconds(10) }
                .parse(bytes)
            return span == .zero ? TimeSpan.infinity : span
        }, text: TimeSpan.text)
}

extension ValueFormat where Value == InboxSettings.Poll {
    /// `auto`, `off` or an interval.
    static let poll = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> InboxSettings.Poll in
            if bytes.elementsEqual("auto".utf8) { return .auto }
            if bytes.elementsEqual("off".utf8) { return .off }
            do throws(ValueProblem) {
                return .every(
                    try ValueFormat<Duration>.timeSpan.checked("at least 10ms") { $0 >= .milliseconds(10) }
                        .parse(bytes))
            } catch {
                throw ValueProblem("\(error.text); auto and off are the other choices")
            }
        },
        text: { poll in
            switch poll {
            case .auto: "auto"
            case .off: "off"
            case .every(let interval): TimeSpan.text(interval)
            }
        })
}
