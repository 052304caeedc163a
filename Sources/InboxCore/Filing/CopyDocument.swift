import InboxLinux

/// A document that goes to another filesystem, as the worker gets it: complete, typed and routed.
struct CopyDocument: Sendable {
    /// What will be recorded, but for the time, the name and whether that has a number.
    let template: FiledRecord
    let file: OpenFile
    /// What it was when it was taken in hand: what is copied and removed must still be that.
    let status: FileStatus
    let folder: OpenFolder
    let name: FileName
    let target: OpenFolder
    let targetPath: BytePath
    /// The destination folder and those around it: some of them may be new.
    let targets: [OpenFolder]
    let wanted: FileName
    let progress: CopyProgress

    /// Whether a lease shows that nobody writes; else a quiet time stood in for it.
    var isLeased: Bool { template.proof == .lease }

    /// What is to be recorded of it.
    func record(as name: FileName, number: Int) -> FiledRecord {
        var record = template
        record.time = .now()
        record.destination = targetPath.appending(BytePath(bytes: Array(name.bytes)))
        record.renamed = number > 0
        return record
    }

    /// What stands in the journal before anything of the copy has a name.
    func intent(temporary: FileName?, copy: FileIdentity? = nil) -> CopyIntent {
        CopyIntent(
            intent: Intent(
                id: template.id, source: template.source, status: status, destination: targetPath,
                name: wanted),
            changed: status.changed, temporary: temporary, copy: copy)
    }

    /// Why it must not go on: the file or its name is not what was taken in hand, or somebody wants to write.
    func change() throws(SyscallError) -> Refusal? {
        for now in [try file.descriptor.status(), try folder.directory.status(of: name)]
        where now.identity != status.identity || now.changed != status.changed {
            return Refusal(.changed)
        }
        if isLeased, try !ReadLease.isWhole(file.descriptor) { return Refusal(.writer) }
        return nil
    }

    /// The same, where it cannot be told included.
    func refusal() -> Refusal? {
        do throws(SyscallError) { return try change() } catch { return Refusal(error, at: template.source) }
    }

    /// That somebody wants to write, where the lease tells so.
    var brokenLease: Refusal? {
        guard isLeased else { return nil }
        do throws(SyscallError) {
            return try ReadLease.isWhole(file.descriptor) ? nil : Refusal(.writer)
        } catch {
            return Refusal(error, at: template.source)
        }
    }
}

extension CopyDocument {
    /// The document that is in hand; nil where it may not be read.
    init?(_ hand: InHand, from folder: OpenFolder, targets: [OpenFolder], progress: CopyProgress) {
        guard let file = hand.file else { return nil }
        self.init(
            template: hand.record(at: .now(), as: hand.wanted, number: 0), file: file, status: hand.status,
            folder: folder, name: hand.name, target: hand.reached.folder, targetPath: hand.reached.path,
            targets: targets, wanted: hand.wanted, progress: progress)
    }
}
