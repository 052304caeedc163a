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

    /// Gives the source its other name, and answers that: its own where the filesystem knows no such rename, or renames
    /// no folder of an overlay's lower layer, so that the looks before and behind have to do.
    static func setAside(_ document: CopyDocument) throws(SyscallError) -> FileName {
        let (folder, aside) = (document.folder, asideName(document.template.id))
        do throws(SyscallError) {
            try folder.directory.rename(document.name, to: folder.directory, as: aside)
            return aside
        } catch  where error.errno.isUnsupported || error.errno == .crossDevice {
            return document.name
        }
    }

    /// Removes what was copied, under the name that it has now, if it is still that and nobody wants to write.
    static func remove(_ name: FileName, _ document: CopyDocument, copiedTo target: CopyTarget) -> Removal {
        let folder = document.folder
        do throws(SyscallError) {
            let refusal = try again { () throws(SyscallError) in try remove(name, document, target) }
            guard let refusal else { return .done }
            guard name != document.name else { return .refused(refusal) }
            do throws(SyscallError) {
                try again { () throws(SyscallError) in try putBack(name, as: document.name, in: folder) }
                return .refused(refusal)
            } catch {
                return .failed(error)
            }
        } catch {
            // It stays aside where it is: under its own name it would be copied again, and again.
            guard error.errno.isAbsent else { return .failed(error) }
            return stands(name, in: folder) ? giveUp(name, document) : .done
        }
    }

    private static func stands(_ name: FileName, in folder: OpenFolder) -> Bool {
        do throws(SyscallError) {
            _ = try folder.directory.status(of: name)
            return true
        } catch {
            return !error.errno.isAbsent
        }
    }

    /// It is not what was copied: it gets its name back, and is looked at anew.
    private static func giveUp(_ name: FileName, _ document: CopyDocument) -> Removal {
        do throws(SyscallError) {
            if name != document.name { try putBack(name, as: document.name, in: document.folder) }
            return .refused(Refusal(.changed))
        } catch {
            return .failed(error)
        }
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

    /// Why what stands under the source's name now may not go, or not all of it.
    static func refusal(
        _ name: FileName, _ document: CopyDocument, _ target: CopyTarget
    ) throws(SyscallError) -> Refusal? {
        let folder = document.folder
        let now = try folder.directory.status(of: name)
        let isAside = name != document.name
        switch (document.source, target.made) {
        case (.package, .package(let copy)):
            guard now.identity.file == document.status.identity.file else { return Refusal(.changed) }
            var removal = packageRemoval(document, copy)
            return try removal.wouldRemoveAll(of: name, in: folder) ? nil : Refusal(.changed)
        case _ where !isAside: return try document.change()
        case (.file(let file), _):
            guard try CopyUp.isSame(now.identity, as: document.status.identity, file.descriptor) else {
                return Refusal(.changed)
            }
            if document.isLeased, try !ReadLease.isWhole(file.descriptor) { return Refusal(.writer) }
            return nil
        default:
            let known = document.status.identity
            if now.identity == known { return nil }
            return try CopyUp.mayBe(now.identity, known, in: folder.directory) ? nil : Refusal(.changed)
        }
    }

    private static func remove(
        _ name: FileName, _ document: CopyDocument, _ target: CopyTarget
    ) throws(SyscallError) -> Refusal? {
        if let refusal = try refusal(name, document, target) { return refusal }
        guard case (.package, .package(let copy)) = (document.source, target.made) else {
            try document.folder.directory.removeFile(name)
            return nil
        }
        var removal = packageRemoval(document, copy)
        return try removal.remove(name, in: document.folder) ? nil : Refusal(.changed)
    }

    private static func packageRemoval(_ document: CopyDocument, _ copy: OpenFolder) -> PackageRemoval {
        PackageRemoval(comparedTo: copy, unchangedSince: document.status.changed, needsLeases: document.isLeased)
    }

    /// Gives a document that was taken aside its name back, or the next free one where that is taken by now; ENOENT
    /// where nothing was.
    static func putBack(_ aside: FileName, as name: FileName, in folder: OpenFolder) throws(SyscallError) {
        let status = try folder.directory.status(of: aside)
        var names = FreeNames()
        _ = try Moving.move(aside, status, from: folder, to: folder, as: name, &names)
    }
}
