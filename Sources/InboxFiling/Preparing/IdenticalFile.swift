import InboxLinux

/// The file at a destination for which an identical document is discarded.
struct IdenticalFile: Sendable {
    /// Its name, in the folder that the document would go to.
    let name: FileName
    /// The open file.
    let file: OpenFile
    private let path: BytePath
    /// The folder that it lies in.
    private let folder: OpenFolder
    /// What it was when the bytes were compared.
    private let status: FileStatus

    /// Opens the file.
    init(of identical: IdenticalDocument) throws(Refusal) {
        (name, path, status) = (identical.twin, identical.twinPath, identical.twinStatus)
        folder = identical.document.reached.folder
        file = try Refusal.at(path, OpenFile(try folder.directory.file(name)))
    }

    /// Brings it to the disk.
    func sync() throws(SyscallError) {
        try file.descriptor.sync()
        try folder.directory.sync()
    }

    /// Takes its lease, so that whoever wants to write to it waits until it is closed, and shows that it has its name and
    /// is what was compared. Where no lease is available only the last shows that nobody has written.
    func hold() throws(SyscallError) -> Refusal? {
        if case .writer = ReadLease.takeUnlessRemote(file.descriptor) {
            return Refusal(.retry("\(path), which is identical, is open for writing"))
        }
        do throws(SyscallError) {
            let now = try folder.directory.status(of: name)
            return now.identity == status.identity && now.changed == status.changed ? nil : Refusal(.changed)
        } catch  where error.errno.isAbsent {
            return Refusal(.changed)
        }
    }
}
