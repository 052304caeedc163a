import InboxLinux

/// Moves a name inside one filesystem, never over another.
package enum Moving {
    /// Renames `name` to the first free name of its row, where the filesystem has a rename that never replaces; what is
    /// renamed must still be what was known.
    ///
    /// EXDEV where the folders lie on different filesystems.
    static func rename(
        _ name: FileName, _ known: KnownFile, from folder: OpenFolder, to target: OpenFolder, as wanted: FileName,
        _ names: inout FreeNames
    ) throws(SyscallError) -> RenameOutcome {
        guard let taken = try rename(name, from: folder, to: target, as: wanted, &names) else { return .noName }
        let isSame = isSame(taken.name, as: known, in: target)
        if isSame != true {
            do throws(SyscallError) {
                var former = FreeNames()
                if try rename(taken.name, from: target, to: folder, as: name, &former) != nil { return .replaced }
            } catch {
                guard isSame == nil else { throw error }
            }
            if isSame == false { return .replaced }
        }
        // What has to stay, and may be what was known, is recorded.
        return .moved(taken.name, number: taken.number)
    }

    /// Renames `name` to the first free name of its row, whatever it is; nil where no name fits.
    static func rename(
        _ name: FileName, from folder: OpenFolder, to target: OpenFolder, as wanted: FileName, _ names: inout FreeNames
    ) throws(SyscallError) -> (name: FileName, number: Int)? {
        try names.make(wanted, in: target) { (candidate) throws(SyscallError) in
            try folder.directory.rename(name, to: target.directory, as: candidate)
        }
    }

    /// Moves a name out of a staging folder to the first free name of its row, also where the filesystem has no rename
    /// that never replaces: nobody else can put anything under a name there.
    ///
    /// Nil where no name fits.
    /// - Parameters:
    ///   - folders: the folders around the target that may be new.
    ///   - isAgain: whether it may have a second name there already, which is the one then: from an earlier try, or since a
    ///     power cut has kept both names of a rename, as btrfs does. Any other second name that it has is its owner's, unless
    ///     link(2) has just made it: where a client of NFS repeats the request, the call ends in EEXIST all the same.
    package static func move(
        _ name: FileName, _ status: FileStatus, from folder: OpenFolder, to target: OpenFolder, as wanted: FileName,
        _ names: inout FreeNames, around folders: [OpenFolder] = [], isAgain: Bool = false
    ) throws(SyscallError) -> MovedName? {
        var failure: SyscallError?
        let taken = try names.take(wanted, in: target) { (candidate) throws(SyscallError) in
            do throws(SyscallError) {
                try folder.directory.rename(name, to: target.directory, as: candidate)
                return true
            } catch  where error.errno == .exists {
                guard isAgain, try isTaken(candidate, in: target, by: status, isAgain: true) else { return false }
            } catch  where error.errno.isUnsupported {
                if status.kind == .directory {
                    return try replaceOwn(name, from: folder, to: target, as: candidate)
                }
                guard try link(name, status, from: folder, to: target, as: candidate, isAgain: isAgain) else {
                    return false
                }
            }
            do throws(SyscallError) {
                try removeFirst(name, from: folder, whenOnDisk: target, folders)
            } catch {
                failure = error
            }
            return true
        }
        return taken.map { MovedName(name: $0.name, number: $0.number, failure: failure) }
    }

    /// Moves a file out of a staging folder to the first free name of its row where the filesystem has neither a rename
    /// that never replaces nor second names: over an empty file that is created for it and shown to be still that.
    ///
    /// Nil where no name fits.
    static func moveOverPlaceholder(
        _ name: FileName, from folder: OpenFolder, to target: OpenFolder, as wanted: FileName,
        _ names: inout FreeNames
    ) throws(SyscallError) -> (name: FileName, number: Int)? {
        try names.take(wanted, in: target) { (candidate) throws(SyscallError) in
            do throws(SyscallError) {
                let placeholder = try target.directory.newFile(candidate, mode: Placeholder.fileMode)
                let (created, found) = (try placeholder.status(), try target.directory.status(of: candidate))
                guard found.identity == created.identity, found.size == 0 else { return false }
                do throws(SyscallError) {
                    try folder.directory.claim(name, into: target.directory, as: candidate)
                } catch {
                    let failure = error
                    // Left there, it would be a document, and the name would be taken at the next try.
                    do throws(SyscallError) { try remove(candidate, in: target, ifStill: created.identity) } catch {
                        // What counts is why the document could not take its place.
                    }
                    throw failure
                }
                return true
            } catch  where error.errno == .exists {
                return false
            }
        }
    }

    /// Removes an empty file, if it is still the one that was created.
    private static func remove(
        _ name: FileName, in folder: OpenFolder, ifStill created: FileIdentity
    ) throws(SyscallError) {
        let found = try folder.directory.status(of: name)
        if found.identity == created, found.size == 0 { try folder.directory.removeFile(name) }
    }

    /// Returns whether the rename has moved what was known, and no other file that somebody put under its name between
    /// the last inspection and the rename, which moves any file: nobody has checked whether that one is complete, or a
    /// document at all. Nil where that cannot be shown.
    static func isSame(_ name: FileName, as known: KnownFile, in folder: OpenFolder) -> Bool? {
        let found: FileIdentity
        do throws(SyscallError) { found = try folder.directory.status(of: name).identity } catch {
            // It has moved, whatever became of it since; the record is due.
            return true
        }
        do throws(SyscallError) {
            if try known.isSame(as: found) { return true }
            return try known.cameTo(name, in: folder)
        } catch {
            return nil
        }
    }

    /// The same for a folder, which cannot have two names: a rename over the empty folder that was made for it. rename(2)
    /// replaces an empty folder only, so that nothing can be lost.
    private static func replaceOwn(
        _ name: FileName, from folder: OpenFolder, to target: OpenFolder, as candidate: FileName
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try target.directory.makeFolder(candidate, mode: Placeholder.folderMode)
        } catch  where error.errno == .exists {
            return false
        }
        do throws(SyscallError) {
            try folder.directory.renameOverEmptyFolder(name, to: target.directory, as: candidate)
            return true
        } catch  where error.errno == .notEmpty || error.errno == .exists {
            let failure = error
            do throws(SyscallError) { try target.directory.removeFolder(candidate) } catch
                where error.errno == .notEmpty || error.errno == .exists || error.errno.isAbsent
            {
                // Somebody put something in at that moment, or another in its place: the name is theirs now.
                return false
            } catch {
                throw failure
            }
            return try moveFolder(name, from: folder, to: target, asFree: candidate)
        } catch {
            let failure = error
            // A server may have carried out what it reports as failed: the name has the package then.
            let mayBeThere = failure.errno == .inputOutput || failure.errno.isServerAway
            if !mayBeThere || isThere(name, in: folder) {
                do throws(SyscallError) { try target.directory.removeFolder(candidate) } catch {
                    // What counts is why the package could not take its place.
                }
            }
            throw failure
        }
    }

    /// The same where the server of a filesystem renames nothing over an empty folder, as rclone does not: under the free
    /// name. Of what may come to have that name meanwhile, rename(2) of a folder replaces an empty folder only.
    private static func moveFolder(
        _ name: FileName, from folder: OpenFolder, to target: OpenFolder, asFree candidate: FileName
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try folder.directory.renameOverEmptyFolder(name, to: target.directory, as: candidate)
            return true
        } catch  where error.errno == .notEmpty || error.errno == .exists {
            let failure = error
            guard try isFree(candidate, in: target) else { return false }
            throw failure
        }
    }

    /// A second name; false where somebody else has it.
    private static func link(
        _ name: FileName, _ status: FileStatus, from folder: OpenFolder, to target: OpenFolder,
        as candidate: FileName, isAgain: Bool
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try folder.directory.link(name, to: target.directory, as: candidate)
            return true
        } catch  where error.errno == .exists {
            return try isTaken(candidate, in: target, by: status, isAgain: isAgain)
        } catch  where error.errno == .inputOutput {
            let failure = error
            guard try Filesystem(of: target.directory.descriptor).isServedByProgram, try isFree(candidate, in: target)
            else { throw failure }
            try linkAgain(name, from: folder, to: target, as: candidate, after: failure)
            return true
        }
    }

    /// Some servers of FUSE answer every link(2) by EIO, as rclone does: one that does so twice, and shows that the name is
    /// free, knows none. A disk that fails may do so once.
    private static func linkAgain(
        _ name: FileName, from folder: OpenFolder, to target: OpenFolder, as candidate: FileName,
        after failure: SyscallError
    ) throws(SyscallError) {
        do throws(SyscallError) {
            try folder.directory.link(name, to: target.directory, as: candidate)
        } catch {
            guard error.errno == .inputOutput, try isFree(candidate, in: target) else { throw failure }
            throw failure.unknownToServer
        }
    }

    private static func isFree(_ candidate: FileName, in target: OpenFolder) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            _ = try target.directory.status(of: candidate, isFresh: true)
            return false
        } catch  where error.errno.isAbsent {
            return true
        }
    }

    /// Returns whether a name is shown to be there still.
    private static func isThere(_ name: FileName, in folder: OpenFolder) -> Bool {
        do throws(SyscallError) { return try !isFree(name, in: folder) } catch { return false }
    }

    /// Returns whether the name is one of the file that is moved: with `isAgain` any, else one more than it had.
    private static func isTaken(
        _ candidate: FileName, in target: OpenFolder, by known: FileStatus, isAgain: Bool
    ) throws(SyscallError) -> Bool {
        guard known.kind != .directory else { return false }
        do throws(SyscallError) {
            let found = try target.directory.status(of: candidate, isFresh: true)
            return found.identity.file == known.identity.file && (isAgain || found.links > known.links)
        } catch  where error.errno.isAbsent {
            return false
        }
    }

    /// The second name must be on the disk before the first one goes: no rename keeps them together here.
    private static func removeFirst(
        _ name: FileName, from folder: OpenFolder, whenOnDisk target: OpenFolder, _ folders: [OpenFolder]
    ) throws(SyscallError) {
        for folder in folders where folder !== target { try folder.directory.sync() }
        try target.directory.sync()
        try folder.directory.removeFile(name)
    }
}

/// The outcome of a rename.
enum RenameOutcome {
    /// It has this name at its destination, with this number in it, 0 for none.
    case moved(FileName, number: Int)
    /// No name of the row is free.
    case noName
    /// Somebody had put another file under its name; that one was put back.
    case replaced
}

/// A document that has a name at its destination.
package struct MovedName: Sendable {
    /// Its name there.
    let name: FileName
    /// The number in that, 0 for none.
    let number: Int
    /// The reason why its first name still exists beside this one: the disk may not keep this one.
    var failure: SyscallError?
}
