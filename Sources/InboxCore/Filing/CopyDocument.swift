import InboxLinux

/// A document that goes to another filesystem, as the worker gets it: complete, typed and routed.
struct CopyDocument: Sendable {
    /// What it is, opened as far as that can be.
    enum Source: Sendable {
        case file(OpenFile)
        /// A folder that is one document.
        case package(OpenFolder)
        /// A symbolic link, by what it says.
        case link([UInt8])
    }

    /// What will be recorded, but for the time, the name and whether that has a number.
    let template: FiledRecord
    let source: Source
    /// What it was when it was taken in hand: what is copied and removed must still be that.
    let status: FileStatus
    let folder: OpenFolder
    let name: FileName
    let target: OpenFolder
    let targetPath: BytePath
    /// The filesystem of the destination.
    let filesystem: FilesystemMark?
    /// The filesystem of the source.
    let sourceFilesystem: FilesystemMark?
    /// The destination folder and those around it: some of them may be new.
    let targets: [OpenFolder]
    let wanted: FileName
    let progress: CopyProgress

    /// Whether leases show that nobody writes; else a quiet time stood in for them.
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
                name: wanted, filesystem: filesystem),
            sourceFilesystem: sourceFilesystem?.identifier, changed: status.changed, temporary: temporary, copy: copy)
    }
}

extension CopyDocument {
    /// Claims it against the other daemons of this machine; false where another has. A link cannot be locked: the
    /// folder that it is in stands for it.
    func claim() throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            switch source {
            case .file(let file): return try file.descriptor.claim()
            case .package(let package): return try package.directory.descriptor.claim()
            case .link: return try folder.directory.descriptor.claim()
            }
        } catch  where !error.errno.isTransient {
            // A filesystem without such locks.
            return true
        }
    }

    /// Takes the lease of a file, which is held until its source is gone; a package is proved file by file.
    func takeLease() -> Refusal? {
        guard isLeased, case .file(let file) = source else { return nil }
        return Self.refusal(ReadLease.take(file.descriptor))
    }

    static func refusal(_ answer: ReadLease.Answer) -> Refusal? {
        switch answer {
        case .held: nil
        case .writer: Refusal(.writer)
        case .unavailable: Refusal(.changed)
        }
    }

    /// Gives the lease back before its descriptor closes; one that is gone already is as good.
    func releaseLease() {
        guard isLeased, case .file(let file) = source else { return }
        do throws(SyscallError) { try ReadLease.release(file.descriptor) } catch {
            // Closing the descriptor gives it back as well.
        }
    }

    /// Why it must not go on: it or its name is not what was taken in hand, or somebody wants to write.
    func change() throws(SyscallError) -> Refusal? {
        let isSame: Bool
        switch source {
        case .file(let file):
            let (opened, named) = (try file.descriptor.status(), try folder.directory.status(of: name))
            isSame = isStill(opened) && isStill(named)
        case .link: isSame = isStill(try folder.directory.status(of: name))
        case .package:
            let (now, answer) = try PackageProof.look(at: name, in: folder)
            if isLeased, let refusal = Self.refusal(answer) { return refusal }
            isSame = isStill(now)
        }
        return isSame ? try leaseBreak() : Refusal(.changed)
    }

    private func isStill(_ now: FileStatus) -> Bool {
        now.identity == status.identity && now.changed == status.changed
    }

    private func leaseBreak() throws(SyscallError) -> Refusal? {
        guard isLeased, case .file(let file) = source else { return nil }
        return try ReadLease.isWhole(file.descriptor) ? nil : Refusal(.writer)
    }

    /// That somebody wants to write to it; of a package nothing tells so.
    func brokenLease() -> Refusal? {
        guard case .file(let file) = source else { return nil }
        return refusal(byLeaseOf: file)
    }

    /// The same, where it cannot be told included.
    func refusal() -> Refusal? {
        do throws(SyscallError) { return try change() } catch { return Refusal(error, at: template.source) }
    }

    /// That somebody wants to write to a file of it, where the file's lease tells so.
    func refusal(byLeaseOf file: OpenFile) -> Refusal? {
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
    init?(
        _ hand: InHand, from folder: OpenFolder, targets: [OpenFolder], progress: CopyProgress
    ) throws(SyscallError) {
        let source: Source
        if let file = hand.file {
            source = .file(file)
        } else if let package = hand.package {
            source = .package(package)
        } else if hand.status.kind == .symlink {
            source = .link(try folder.directory.target(of: hand.name))
        } else {
            return nil
        }
        self.init(
            template: hand.record(at: .now(), as: hand.wanted, number: 0), source: source, status: hand.status,
            folder: folder, name: hand.name, target: hand.reached.folder, targetPath: hand.reached.path,
            filesystem: hand.reached.filesystem,
            sourceFilesystem: try folder.directory.filesystemMark(), targets: targets, wanted: hand.wanted,
            progress: progress)
    }
}
