import InboxLinux

/// What is known of the claims in a staging folder besides the journal: files `claims-ID` in it.
///
/// The journal is for the daemon itself. Another daemon that comes first after a kill finds by these which sources have
/// copies that got their names, and where the others came from.
package struct ClaimNotes {
    private struct File {
        let staging: StagingFolder
        let name: FileName
        let file: OpenFile
    }

    /// Bytes. No run writes a longer file.
    private static let longest = 64 << 20
    private static let prefix = "claims-"

    /// The files of a run, by the staging folder that each lies in.
    private var files: [ObjectIdentifier: File] = [:]

    /// None.
    init() {}

    /// Writes down what is known of claims now, in the staging folder of their sources.
    /// - Parameter state: the state folder of this daemon, by which it knows its own notes should it lose that.
    mutating func note(
        _ claims: [ClaimEntry], in staging: StagingFolder, state: BytePath, isDurable: Bool
    ) throws(SyscallError) {
        guard let first = claims.first else { return }
        let file: File
        if let known = files[ObjectIdentifier(staging)] {
            file = known
            try Self.append(claims.flatMap(\.line), to: file)
        } else {
            let name = FileName(Self.prefix + first.id.text).unsafelyUnwrapped
            file = File(
                staging: staging, name: name, file: OpenFile(try staging.folder.directory.appendingFile(name)))
            files[ObjectIdentifier(staging)] = file
            var line = JSONLine()
            line.add("state", state)
            try Self.append(line.finished() + claims.flatMap(\.line), to: file)
        }
        guard isDurable else { return }
        try file.file.descriptor.syncData()
        try staging.folder.directory.sync()
    }

    /// These documents are recorded: their sources have only to be removed.
    func note(recorded ids: [RecordID]) throws(SyscallError) {
        for file in files.values {
            var line = JSONLine()
            line.add("recorded", ids)
            try Self.append(line.finished(), to: file)
        }
    }

    /// The newline before ends a line of which a full disk took a part alone.
    private static func append(_ lines: [UInt8], to file: File) throws(SyscallError) {
        try file.file.descriptor.write([UInt8(ascii: "\n")] + lines)
    }

    /// Removes the files.
    mutating func end() throws(SyscallError) {
        let names = files.values.map { ($0.staging, $0.name) }
        // On FUSE a file that is open keeps another name when it is removed.
        files = [:]
        for (staging, name) in names { try Self.remove(name, in: staging) }
    }

    private static func remove(_ name: FileName, in staging: StagingFolder) throws(SyscallError) {
        do throws(SyscallError) { try staging.folder.directory.removeFile(name) } catch  where error.errno.isAbsent {
            // Recovery has removed it, since its claims have ended.
        }
    }
}

extension ClaimNotes {
    /// The claims that a file of notes tells of.
    package struct Found {
        private let name: FileName
        /// The state folder of the daemon whose claims they are; nil where that is not known.
        package var state: BytePath?
        /// The claims, as far as they were known at last.
        package var claims: [RecordID: ClaimEntry] = [:]
        /// Those that are recorded.
        package var recorded: Set<RecordID> = []

        fileprivate init(_ name: FileName, _ bytes: [UInt8]) {
            self.name = name
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let members = JournalMembers(line: line) else { continue }
                state = state ?? JournalMembers.path(members.state)
                recorded.formUnion((members.recorded ?? []).compactMap { RecordID($0) })
                if let claim = ClaimEntry(members) { claims[claim.id] = claim }
            }
        }

        /// Removes the file, whose claims have ended.
        package func end(in staging: StagingFolder) throws(SyscallError) { try ClaimNotes.remove(name, in: staging) }
    }

    /// The notes of a staging folder with these names in it.
    package static func find(
        among names: [FileName], in staging: StagingFolder
    ) throws(SyscallError) -> [Found] {
        var found: [Found] = []
        for name in names where RecordID(in: name, after: prefix) != nil {
            do throws(SyscallError) {
                guard let bytes = try staging.folder.directory.file(name).contents(limit: longest) else { continue }
                found.append(Found(name, bytes))
            } catch  where error.errno.isAbsent {
                // Its run has ended meanwhile.
            }
        }
        return found
    }
}
