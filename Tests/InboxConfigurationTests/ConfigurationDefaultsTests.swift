import Glibc
import Testing

@testable import InboxConfiguration
import InboxLinux
@testable import InboxFiling

@Suite("The file config/inboxd.conf")
struct ConfigurationDefaultsTests {
    private struct Unreadable: Error {}

    /// The file of the project, found from this source file.
    private func documentedFile() throws -> [UInt8] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = fopen("/\(root)/config/inboxd.conf", "r") else { throw Unreadable() }
        defer { fclose(file) }
        var content = [UInt8](repeating: 0, count: 1 << 16)
        content.removeLast(content.count - fread(&content, 1, content.count, file))
        return content
    }

    /// The same with the comment marks before the keys removed.
    private func uncommented() throws -> String {
        String(decoding: try documentedFile(), as: UTF8.self).split(separator: "\n")
            .map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }.joined(separator: "\n")
    }

    @Test("As it is it sets nothing")
    func setsNothing() throws {
        let parsed = ConfigurationParser.parse(try documentedFile(), label: "f")
        #expect(parsed.problems.isEmpty)
        #expect(parsed.sections.map(\.name) == ["Inbox", "History", "Control", "Types"])
        #expect(parsed.sections.allSatisfy { $0.entries.isEmpty })
    }

    @Test("With its comment marks removed it gives the built-in defaults, without a notice")
    func givesDefaults() throws {
        var fixture = ConfigurationFixture(try uncommented())
        let written = try fixture.configuration()
        let builtIn = try ConfigurationFixture().configuration()
        #expect(written.documents == builtIn.documents)
        #expect(written.inboxes.map(\.path) == builtIn.inboxes.map(\.path))
        #expect(written.inboxDefaults == InboxSettings())
        #expect(written.inboxes.map(\.settings) == [InboxSettings()])
        #expect(written.history == HistorySettings())
        #expect(written.control == builtIn.control)
        #expect(fixture.notices.isEmpty)
        // The folder is the machine's; a person has another.
        fixture.scope = .system
        #expect(try fixture.configuration().ownTypes.folders == TypesSettings(StandardPlaces.ofMachine))
    }

    @Test("Its examples of a type, a document type and a notice have every key, and no problem")
    func example() throws {
        let indent = "#     "
        let lines = String(decoding: try documentedFile(), as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix(indent) }.map { $0.dropFirst(indent.count) }
        // Facts come from the check of an Inbox.
        let fixture = ConfigurationFixture(lines.joined(separator: "\n") + "\n[Inbox]\nCheck=/bin/decide\n")
        let configuration = try fixture.configuration()
        #expect(configuration.types.map(\.identifier) == ["com.example.invoice"])
        #expect(configuration.ownTypes.sections.first?.origins.count == TypeSettings.fields.count)
        #expect(configuration.magic.first?.alternatives.count == 1)
        #expect(configuration.documentTypes.first?.origins.count == DocumentTypeSettings.fields.count)
        #expect(configuration.notices.first?.origins.count == NoticeSettings.fields.count)
        #expect(fixture.notices == [])
    }

    @Test("It gives every value by itself, not only because the default is the same")
    func listsAreComplete() throws {
        let text = try uncommented().split(separator: "\n").flatMap { line in
            line.hasPrefix("Ignore=*.part ") ? ["Ignore=", String(line)] : [String(line)]
        }
        let written = try ConfigurationFixture(text.joined(separator: "\n")).configuration()
        #expect(texts(written.inboxDefaults.ignore) == texts(InboxSettings.defaultIgnore))
    }

    @Test("It lists every key of every section, and no other")
    func listsEveryKey() throws {
        let sections = ConfigurationParser.parse(raw(try uncommented()), label: "f").sections
        func keys(_ name: String) -> [String] {
            sections.filter { $0.name == name }.flatMap { $0.entries.map(\.key) }
                .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
        #expect(keys("Inbox") == InboxPlaces.keys + InboxSettings.fields.map(\.name))
        #expect(keys("History") == HistorySettings.fields.map(\.name))
        #expect(keys("Control") == ControlSettings.fields.map(\.name))
        #expect(keys("Types") == TypesSettings.fields.map(\.name))
    }

    @Test("The built-in defaults are those of the specification")
    func specification() throws {
        let configuration = try ConfigurationFixture().configuration()
        let expected = """
            [Inbox]
            Documents=/home/u/Documents
            Inbox=/home/u/Documents/Inbox
            Settle=1s
            EmptySettle=10min
            StallAfter=10min
            IgnoreHidden=yes
            Ignore=*.part *.crdownload *.opdownload *.partial *.filepart *.aria2 *.ytdl *.lftp-pget-status *.lftp \
            *.!qB *.!ut *.bc! *.!sync *.xltd *.ucdownload *.fdmdownload *.dtapart *.putdl *.crswap .syncthing.*.tmp \
            ~syncthing~*.tmp .in.*. *.partial~ *.ffs_tmp *.downloading *.wkdownload *_.gstmp *.part.minio *.dctmp \
            *.az! INCOMPLETE~* .~lock.*# .*.kate-swp .#* ~*.lck *.laccdb *.dwl *.dwl2 .~* *~lock~ .*.kdbx.lock \
            *.kdbx.lock *.lrcat.lock *.part-Frag* ~$* ~*.idlk .*.sw[a-p] \
            *.sb-????????-?????? .*.~[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]* *.tmp .goutputstream-* .giosave* .nfs* .fuse_hidden* .davfs.tmp* .rsync-partial \
            .~tmp~ .pureftpd-upload.* .org.chromium.Chromium.* .com.google.Chrome.* *.osl-tmp .unison.* .sync_*.db* \
            .sync .owncloudsync.log* .tmp.driveupload .tmp.drivedownload .getxfer.*.mega .dropbox* .stfolder \
            .stversions .stignore .pending-* .trashed-* .smbdelete* .megatmp.* .azDownload-* *.ffs_lock \
            *.ffs_db *.nextcloud *.owncloud .*.icloud .849C9593-* \
            .nosync ._* .DS_Store .AppleDouble .Trashes .Trash-* .fseventsd .Spotlight-V100 .TemporaryItems \
            "Temporary Items" "Network Trash Folder" "Icon\\x0d" .DAV .directory .nomedia .thumbnails Thumbs.db \
            desktop.ini *:Zone.Identifier $RECYCLE.BIN RECYCLER RECYCLED "System Volume Information" "#recycle" \
            @Recycle .recycle @eaDir @tmp "#*#" *~
            Folders=mirror
            RemoveEmptyFolders=yes
            FolderSettle=1min
            RemoveInbox=no
            OnConflict=number
            Symlinks=hold
            Mismatch=accept
            OnIncomplete=file
            Ready=
            OnDuplicate=file
            Durability=full
            Poll=auto
            Rescan=5min
            RetryMax=10min
            Dates=content name modified
            Check=
            CheckTimeout=2min
            CheckRetries=3
            CheckConcurrency=1
            Rejected=

            [History]
            MaxAge=0
            MaxSize=64M

            [Control]
            Socket=/home/u/.local/state/inboxd/io.inboxd.Inbox
            SocketMode=0600
            AllowUsers=
            AllowGroups=
            PutAllowUsers=
            PutAllowGroups=

            [Types]
            Declarations=/home/u/.config/inboxd/types.d

            """
        let lines = configuration.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.filter { !$0.hasPrefix("# ") }.joined(separator: "\n") == expected)
        #expect(lines.filter { $0.hasPrefix("# ") }.allSatisfy { $0 == "# built-in default" })
    }
}
