import InboxLinux

/// The claims of a run as the journal has them, in files `claims-ID` beside the claimed sources.
///
/// No other daemon can read the journal. One that starts first after a kill uses these to find out which sources have
/// published copies, and where the others came from.
package struct ClaimNotes {
    private struct File {
        let staging: StagingFolder
        let name: FileName
        let file: OpenFile
        /// The first line is there.
        var isBegun = false
    }

    /// Bytes. A run has at most some dozens of documents; longer notes are not read.
    private static let longest = 16 << 20
    /// Lines that a full disk may have torn before the first whole one.
    private static let mostTorn = 16
    private static let prefix = "claims-"

    /// The files of a run, by the staging folder that each lies in.
    private var files: [ObjectIdentifier: File] = [:]

    /// No files yet.
    init() {}

    /// Writes down what is known of claims now, in the staging folder of their sources, where notes are believed.
    /// - Parameters:
    ///   - state: the state folder of this daemon, by which it knows its own notes if that is lost.
    ///   - isDurable: whether they are to be on the disk; the name of the file is not brought there.
    mutating func note(
        _ claims: [JournalEntry], in staging: StagingFolder, state: StatePlace, isDurable: Bool
    ) throws(SyscallError) {
        guard let first = claims.first, let seal = staging.seal else { return }
        let key = ObjectIdentifier(staging)
        let file: File
        if let known = files[key] {
            file = known
        } else {
            let name = FileName(Self.prefix + first.id.text).unsafelyUnwrapped
            file = File(
                staging: staging, name: name, file: OpenFile(try staging.folder.directory.appendingFile(name)))
            files[key] = file
        }
        var head: [UInt8] = []
        if !file.isBegun {
            head = Self.head(seal, state)
        }
        try Self.append(head + claims.flatMap(\.line), to: file)
        files[key]?.isBegun = true
        if isDurable { try file.file.descriptor.syncData() }
    }

    /// These documents are recorded, or their daemon does that from its journal: their sources have only to be removed.
    func note(recorded ids: [RecordID]) throws(SyscallError) {
        for file in files.values { try Self.append(Self.line(recorded: ids), to: file) }
    }

    /// The same of claims whose run was interrupted, before their records are written: a file of its own, since the journal
    /// does not say in which one their run noted them. The sweep removes it when they have ended.
    package static func note(
        recorded claims: [JournalEntry], in staging: StagingFolder, state: StatePlace
    ) throws(SyscallError) {
        guard let first = claims.first, let seal = staging.seal else { return }
        let name = FileName(prefix + first.id.text).unsafelyUnwrapped
        let file = try staging.folder.directory.appendingFile(name)
        let lines = head(seal, state) + claims.flatMap(\.line) + line(recorded: claims.map(\.id))
        try file.write([UInt8(ascii: "\n")] + lines)
    }

    private static func head(_ seal: [String], _ state: StatePlace) -> [UInt8] {
        var line = JSONLine()
        line.add("seal", seal)
        line.add("state", state.text)
        return line.finished()
    }

    private static func line(recorded ids: [RecordID]) -> [UInt8] {
        var line = JSONLine()
        line.add("recorded", ids)
        return line.finished()
    }

    /// The leading newline ends a line that a full disk has left incomplete.
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
    /// The content of a file of notes about claims.
    package struct Found {
        private let name: FileName
        /// The id of the claim that the file is named after: in the journal before the file is created.
        package let id: RecordID
        /// ``StatePlace/text`` of the daemon whose claims they are; nil where that is not known.
        package var state: String?
        /// The claims, each as it was written last.
        package var claims: [RecordID: JournalEntry] = [:]
        /// Those that are recorded, or that their daemon records from its journal.
        package var recorded: Set<RecordID> = []

        /// Empty if the first line has another seal than the folder: then no daemon wrote the file there.
        fileprivate init(_ name: FileName, _ id: RecordID, _ bytes: [UInt8], _ seal: [String]) {
            (self.name, self.id) = (name, id)
            var isSealed = false
            var torn = 0
            var rest = bytes[...]
            while !rest.isEmpty, torn <= ClaimNotes.mostTorn {
                let line = rest.prefix { $0 != UInt8(ascii: "\n") }
                rest = rest[line.endIndex...].dropFirst()
                if line.isEmpty { continue }
                guard let members = JournalMembers(line: line), LineSum.holds(line) != false else {
                    torn += isSealed ? 0 : 1
                    continue
                }
                isSealed = isSealed || members.seal == seal
                guard isSealed else { return }
                state = state ?? members.state
                recorded.formUnion((members.recorded ?? []).compactMap { RecordID($0) })
                if let claim = JournalEntry(members), claim.claim != nil { claims[claim.id] = claim }
            }
        }

        /// Adds what is known of claims now, for whoever reads the file next; on the disk when this returns.
        package func append(_ claims: [JournalEntry], in staging: StagingFolder) throws(SyscallError) {
            let file = try staging.folder.directory.appendingFile(name)
            try file.write([UInt8(ascii: "\n")] + claims.flatMap(\.line))
            try file.syncData()
        }

        /// Removes the file, whose claims have ended.
        package func end(in staging: StagingFolder) throws(SyscallError) { try ClaimNotes.remove(name, in: staging) }
    }

    /// The notes of a staging folder with these names in it; none where they are not believed, since they name what is to
    /// be removed and where something is put.
    package static func find(
        among names: [FileName], in staging: StagingFolder
    ) throws(SyscallError) -> [Found] {
        var found: [Found] = []
        guard let seal = staging.seal else { return found }
        for name in names {
            guard let id = RecordID(in: name, after: prefix) else { continue }
            do throws(SyscallError) {
                let file = try staging.folder.directory.file(name)
                guard try file.status().kind == .regular else { continue }
                found.append(Found(name, id, try file.contents(limit: longest) ?? [], seal))
            } catch  where error.errno.isAbsent {
                // Its run has ended meanwhile.
            }
        }
        return found
    }
}
