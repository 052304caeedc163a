import InboxLinux

/// The source of an interrupted copy: it goes if it is still what was copied, or gets its name back.
struct CopiedSource {
    /// Where it can be looked for.
    enum Place {
        /// Its folder is there.
        case at(CopiedSource)
        /// Its folder is gone, and it with that.
        case gone
        /// Its disk is not there, in words: what cannot be removed now would come back with it.
        case away(String)
    }

    private let intent: CopyIntent
    private let source: BytePath
    private let name: FileName
    private let aside: FileName
    private let folder: OpenFolder

    /// Opens its folder beneath the Inbox that it is in, through no link: nothing outside is touched, whatever somebody
    /// has put in the place of a folder meanwhile.
    /// - Parameter accepting: takes what stands there now for what was there.
    static func find(
        _ intent: CopyIntent, in inboxes: [BytePath], accepting: Bool
    ) throws(SyscallError) -> Place {
        guard let id = RecordID(intent.intent.id),
            let source = EscapedBytes.bytes(intent.intent.source).map(BytePath.init(bytes:)),
            let parent = source.parent, let name = FileName(source.lastComponent)
        else { return .gone }
        // A file that stood in an Inbox's place was in the folder around it.
        let root = inboxes.contains(source) ? parent : inboxes.first { source.isInside($0) }
        guard let root else {
            return accepting ? .gone : .away("the Inbox that it was in is none any more")
        }
        let names = parent.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/"))
            .compactMap { FileName($0) }
        do throws(SyscallError) {
            let folder = OpenFolder(try Directory.open(path: root.bytes).folder(beneath: names))
            guard try folder.directory.filesystemMark().isSame(as: intent.sourceHome) else {
                return accepting ? .gone : .away("\(parent) is on another filesystem than before")
            }
            return .at(
                CopiedSource(
                    intent: intent, source: source, name: name, aside: SourceRemoval.asideName(id), folder: folder))
        } catch  where error.errno.isAbsent || error.errno == .crossDevice {
            let isGone = try accepting ? true : IntentVerdict.isOn(intent.sourceHome, around: source)
            return isGone ? .gone : .away("\(parent) is missing, on a disk that is not there")
        }
    }

    /// Gives it its name back where it was taken aside: its copy is not to be found.
    func putBack() throws(SyscallError) {
        do throws(SyscallError) {
            try SourceRemoval.putBack(aside, as: name, in: folder)
            try folder.directory.sync()
        } catch  where error.errno.isAbsent {
            // It has its name.
        }
    }

    /// Removes it, also where it was taken aside already; tells where it has to stay.
    /// - Parameter copy: the copy of a package; nil where it is not to be found.
    func remove(comparedTo copy: OpenFolder?) throws(SyscallError) -> String? {
        _ = try remove(aside, comparedTo: copy)
        // Whatever of it had to stay.
        do throws(SyscallError) { try SourceRemoval.putBack(aside, as: name, in: folder) } catch {
            if !error.errno.isAbsent { throw error }
        }
        let isGone = try remove(name, comparedTo: copy)
        // The interrupted run may have removed it already, and no more than that.
        try folder.directory.sync()
        return isGone ? nil : "\(source) was copied, and has changed since or is being written: it stays"
    }

    /// Removes a name of the source; false where it is the source, but not what was copied. Whoever has it open for
    /// writing now, or has changed it since, makes another document of it.
    private func remove(_ name: FileName, comparedTo copy: OpenFolder?) throws(SyscallError) -> Bool {
        let status: FileStatus
        do throws(SyscallError) { status = try folder.directory.status(of: name) } catch {
            if error.errno.isAbsent { return true }
            throw error
        }
        // Another stands there: it is none of this. A machine that starts anew may number its devices anew.
        let wanted = intent.intent.identity
        var isMeant = status.identity.file.isFile(wanted.file)
        if !isMeant, name == aside { isMeant = try CopyUp.mayBe(status.identity, wanted, in: folder.directory) }
        guard isMeant else { return true }
        do throws(SyscallError) {
            switch status.kind {
            case .regular: return try removeFile(name)
            case .directory: return try removePackage(name, comparedTo: copy)
            case .symlink, .special: return try removeOther(name)
            }
        } catch {
            // Something in it has vanished, or it has grown beyond what is looked through.
            if error.errno.isAbsent { return false }
            throw error
        }
    }

    private func removeFile(_ name: FileName) throws(SyscallError) -> Bool {
        let file = try folder.directory.file(name)
        if ReadLease.take(file) == .writer { return false }
        guard isStill(try file.status(), name) else { return false }
        return try removeOther(name)
    }

    private func removeOther(_ name: FileName) throws(SyscallError) -> Bool {
        guard isStill(try folder.directory.status(of: name), name) else { return false }
        try folder.directory.removeFile(name)
        return true
    }

    /// Where it was taken aside, the change time tells of the rename alone, and on an overlay the file may be another.
    private func isStill(_ now: FileStatus, _ name: FileName) -> Bool {
        let wanted = intent.intent.identity
        guard now.size == wanted.size, now.identity.modified == wanted.modified else { return false }
        return name == aside || (now.identity.file.isFile(wanted.file) && now.changed == intent.changed)
    }

    /// Some of a package may be gone already: what is left of it goes as far as it is what was copied.
    private func removePackage(_ name: FileName, comparedTo copy: OpenFolder?) throws(SyscallError) -> Bool {
        var removal = PackageRemoval(comparedTo: copy, unchangedSince: intent.changed)
        guard try removal.wouldRemoveAll(of: name, in: folder) else { return false }
        return try removal.remove(name, in: folder)
    }
}
