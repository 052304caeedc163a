import InboxLinux

/// Takes the source of a copy away.
enum SourceRemoval {
    /// What came of removing a source.
    enum Removal {
        /// It is gone.
        case done
        /// It is another document now, or becomes one: it must stay, and is looked at anew.
        case refused(Refusal)
        /// It could not be removed, though nothing speaks against it.
        case failed(SyscallError)
    }

    /// The name that a source has for the moment between its last check and its end, by its record's id.
    static func asideName(_ id: RecordID) -> FileName { CopyTarget.temporaryName(id) }

    /// Removes the name if it is still the document that was copied and nobody wants to write.
    ///
    /// Under a name that nobody else uses nothing can come between the last look and the removal: neither another file
    /// that is put under the old name, nor a writer that opens it by that name.
    static func remove(_ document: CopyDocument, copiedTo target: CopyTarget) -> Removal {
        let (folder, aside) = (document.folder, asideName(document.template.id))
        do throws(SyscallError) {
            if let refusal = try again({ () throws(SyscallError) in try change(document) }) {
                return .refused(refusal)
            }
            let name = try again { () throws(SyscallError) in try takeAside(document, as: aside) }
            let refusal = try again { () throws(SyscallError) in try remove(name, document, target) }
            guard let refusal else { return .done }
            if name == aside {
                try again { () throws(SyscallError) in try putBack(aside, as: document.name, in: folder) }
            }
            return .refused(refusal)
        } catch {
            if error.errno.isAbsent { return .done }
            do throws(SyscallError) { try putBack(aside, as: document.name, in: folder) } catch {
                // It was not taken aside, or recovery will find it there.
            }
            return .failed(error)
        }
    }

    /// A package is looked at entry by entry while it goes.
    private static func change(_ document: CopyDocument) throws(SyscallError) -> Refusal? {
        if case .package = document.source { return nil }
        return try document.change()
    }

    /// The copy is recorded by now, so that a passing failure must not make a second one: it is tried again at once.
    private static func again<Result>(_ body: () throws(SyscallError) -> Result) throws(SyscallError) -> Result {
        for _ in 0..<2 {
            do throws(SyscallError) { return try body() } catch {
                if error.errno.isAbsent { throw error }
            }
        }
        return try body()
    }

    /// The name that the source has now: its own where the filesystem knows no such rename, or renames no folder of an
    /// overlay's lower layer, so that the look before has to do.
    private static func takeAside(_ document: CopyDocument, as aside: FileName) throws(SyscallError) -> FileName {
        let folder = document.folder
        do throws(SyscallError) {
            try folder.directory.rename(document.name, to: folder.directory, as: aside)
            return aside
        } catch  where error.errno.isUnsupported || error.errno == .crossDevice {
            return document.name
        }
    }

    /// Removes what was copied, under the name that it has now; answers why it, or some of it, stays.
    private static func remove(
        _ name: FileName, _ document: CopyDocument, _ target: CopyTarget
    ) throws(SyscallError) -> Refusal? {
        let folder = document.folder
        let now = try folder.directory.status(of: name)
        switch (document.source, target.made) {
        case (.package, .package(let copy)):
            guard now.identity.file == document.status.identity.file else { return Refusal(.changed) }
            var removal = PackageRemoval(
                comparedTo: copy, unchangedSince: document.status.changed, needsLeases: document.isLeased)
            guard try removal.wouldRemoveAll(of: name, in: folder) else { return Refusal(.changed) }
            return try removal.remove(name, in: folder) ? nil : Refusal(.changed)
        case (.file(let file), _):
            guard try CopyUp.isSame(now.identity, as: document.status.identity, file.descriptor) else {
                return Refusal(.changed)
            }
            if document.isLeased, try !ReadLease.isWhole(file.descriptor) { return Refusal(.writer) }
        default:
            let known = document.status.identity
            var isSame = now.identity == known
            if !isSame, name != document.name {
                isSame = try CopyUp.mayBe(now.identity, known, in: folder.directory)
            }
            guard isSame else { return Refusal(.changed) }
        }
        try folder.directory.removeFile(name)
        return nil
    }

    /// Gives a document that was taken aside its name back, or the next free one where that is taken by now; ENOENT
    /// where nothing was.
    static func putBack(_ aside: FileName, as name: FileName, in folder: OpenFolder) throws(SyscallError) {
        let status = try folder.directory.status(of: aside)
        var names = FreeNames()
        _ = try Moving.move(aside, status, from: folder, to: folder, as: name, &names)
    }
}
