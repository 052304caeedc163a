import InboxLinux

/// The file at a destination for which an identical document is discarded: complete, on the disk, and under a lease while
/// that happens, so that whoever wants to write to it waits.
struct IdenticalTwin {
    private let identical: IdenticalDocument
    private let file: OpenFile
    /// Where no lease is available only the status shows that nobody has written.
    private let isLeased: Bool

    /// Shows that the file is still what was compared, and brings it to the disk.
    init(of identical: IdenticalDocument) throws(Refusal) {
        self.identical = identical
        let folder = identical.document.reached.folder
        let answer: ReadLease.Answer
        do throws(SyscallError) {
            file = OpenFile(try folder.directory.file(identical.twin))
            answer = ReadLease.take(file.descriptor)
        } catch {
            throw Refusal(error, at: identical.twinPath)
        }
        switch answer {
        case .held: isLeased = true
        case .unavailable: isLeased = false
        case .writer: throw Refusal(.retry("\(identical.twinPath), which is identical, is open for writing"))
        }
        let isWhole: Bool
        do throws(SyscallError) {
            try file.descriptor.sync()
            try folder.directory.sync()
            isWhole = try isUnchanged()
        } catch {
            throw Refusal(error, at: identical.twinPath)
        }
        guard isWhole else { throw Refusal(.changed) }
    }

    /// Whether it still has its name and is what was compared, and nobody has asked to write to it since.
    func isUnchanged() throws(SyscallError) -> Bool {
        let known = identical.twinStatus
        let now: FileStatus
        do throws(SyscallError) {
            now = try identical.document.reached.folder.directory.status(of: identical.twin)
        } catch  where error.errno.isAbsent {
            return false
        }
        guard now.identity == known.identity, now.changed == known.changed else { return false }
        return isLeased ? try ReadLease.isWhole(file.descriptor) : true
    }
}
