import InboxLinux

/// The file at a destination for which an identical document is discarded.
struct IdenticalFile: Sendable {
    /// The document that is discarded.
    let document: IdenticalDocument
    /// The open file.
    let file: OpenFile

    /// Opens the file.
    init(of document: IdenticalDocument) throws(Refusal) {
        self.document = document
        file = try Refusal.at(
            document.twinPath, OpenFile(try document.document.reached.folder.directory.file(document.twin)))
    }

    /// Its name, in the folder that the document would go to.
    var name: FileName { document.twin }

    /// The folder that it lies in.
    private var folder: OpenFolder { document.document.reached.folder }

    /// Brings it to the disk.
    func sync() throws(SyscallError) {
        try file.descriptor.sync()
        try folder.directory.sync()
    }

    /// Takes its lease, so that whoever wants to write to it waits until it is closed, and shows that it has its name and
    /// is what was compared. Where no lease is available only the last shows that nobody has written. A second name of the
    /// document itself has whatever is written to that, and the time of change that the claim has given it.
    func hold() throws(SyscallError) -> Refusal? {
        if case .writer = ReadLease.takeUnlessRemote(file.descriptor) {
            return Refusal(.retry("\(document.twinPath), which is identical, is open for writing"))
        }
        do throws(SyscallError) {
            let now = try folder.directory.status(of: name)
            let known = document.twinStatus
            if known.identity.file == document.document.status.identity.file {
                return now.identity.file == known.identity.file ? nil : Refusal(.changed)
            }
            return now.identity == known.identity && now.changed == known.changed ? nil : Refusal(.changed)
        } catch  where error.errno.isAbsent {
            return Refusal(.changed)
        }
    }
}
