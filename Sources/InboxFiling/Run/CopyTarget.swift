import InboxLinux

/// The copy of a document before it has its name.
package struct CopyTarget: Sendable {
    /// The object that was made.
    enum Made: Sendable {
        /// A file without a name.
        case unnamed(OpenFile)
        /// Something in `making-ID`, under the name that the document has.
        case file(OpenFile)
        case package(OpenFolder)
        case link
        /// A file under its own name, and the number in that name: its filesystem cannot name a file later.
        case named(OpenFile, FileName, number: Int)
        /// The claimed source itself, which a rename brings to its place.
        case source
        /// Nothing: the file that is there is identical, and the source is discarded.
        case twin(IdenticalFile)
    }

    let made: Made
    /// The folder `making-ID` and the staging folder that it lies in; nil where the copy needs none.
    let making: (folder: OpenFolder, staging: StagingFolder)?

    /// The name of the folder for a document's unfinished copy.
    static func folderName(_ id: RecordID) -> FileName { FileName("making-\(id.text)").unsafelyUnwrapped }

    /// The id of the document whose copy is made in the folder of this name; nil for every other name.
    package static func id(of folder: FileName) -> RecordID? {
        RecordID(in: folder, after: "making-")
    }

    init(_ made: Made) {
        self.made = made
        making = nil
    }

    /// Creates what the copy of a source needs in `making-ID`.
    init(in staging: StagingFolder, _ id: RecordID, _ source: ClaimedSource) throws(SyscallError) {
        let name = source.staged.name
        let folder = try staging.subfolder(Self.folderName(id))
        making = (folder, staging)
        switch source.content {
        case .file: made = .file(OpenFile(try folder.directory.newFile(name)))
        case .package:
            try folder.directory.makeFolder(name, mode: 0o700)
            made = .package(OpenFolder(try folder.directory.folder(name)))
        case .link(let text):
            try folder.directory.makeLink(name, to: text)
            made = .link
        }
    }

    /// The file to copy content into; nil for packages, links and sources.
    var file: OpenFile? {
        switch made {
        case .unnamed(let file), .file(let file), .named(let file, _, _): file
        case .twin(let twin): twin.file
        case .package, .link, .source: nil
        }
    }

    /// The marks of the finished copy.
    func identity(_ source: ClaimedSource) throws(SyscallError) -> FileIdentity {
        if let file { return try file.descriptor.status().identity }
        if case .package(let package) = made { return try package.directory.status().identity }
        // A link; else the source itself.
        guard let making else { return source.status.identity }
        return try making.folder.directory.status(of: source.staged.name).identity
    }

    /// Removes what was made, as far as it has not been published.
    func discard(_ id: RecordID, in target: OpenFolder) throws(SyscallError) {
        do throws(SyscallError) {
            if let making { try FolderRemoval.remove(Self.folderName(id), in: making.staging.folder) }
            guard case .named(let file, let name, _) = made else { return }
            // By what it is: somebody may have put another file in its place.
            if try target.directory.status(of: name).identity.file == file.descriptor.status().identity.file {
                try target.directory.removeFile(name)
            }
        } catch  where error.errno.isAbsent {
            // Somebody has taken it away.
        }
    }

    /// Removes the folder that the copy was made in, which is empty.
    func endMaking(_ id: RecordID) throws(SyscallError) { try making?.staging.removeIfEmpty(Self.folderName(id)) }
}
