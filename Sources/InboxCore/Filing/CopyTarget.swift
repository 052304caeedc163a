import InboxLinux

/// What a copy becomes: a file without a name where the filesystem has such, else something under a hidden one.
struct CopyTarget: Sendable {
    /// What was made.
    enum Made: Sendable {
        case file(OpenFile)
        case package(OpenFolder)
        case link(FileKey)
    }

    let made: Made
    let folder: OpenFolder
    /// The hidden name; nil where there is none. A copy that is made under its own name has that one.
    let temporary: FileName?
    /// The number in its own name, where it is made under that from the start.
    var number: Int?

    /// The hidden name of a copy: nobody else makes such a name, and the default ignore rule leaves it alone.
    static func temporaryName(_ id: RecordID) -> FileName {
        // 24 bytes of a known alphabet are a name.
        FileName(".inboxd-\(id.text).tmp").unsafelyUnwrapped
    }

    /// Whether it is such a name.
    static func isTemporary(_ name: FileName) -> Bool {
        guard name.count == 28, name.bytes.starts(with: ".inboxd-".utf8),
            name.bytes.suffix(4).elementsEqual(".tmp".utf8)
        else { return false }
        return RecordID(String(decoding: name.bytes.dropFirst(8).dropLast(4), as: UTF8.self)) != nil
    }

    /// A file without a name; nil where the filesystem has none.
    static func unnamed(in folder: OpenFolder) throws(SyscallError) -> CopyTarget? {
        do throws(SyscallError) {
            let file = OpenFile(try folder.directory.unnamedFile())
            return CopyTarget(made: .file(file), folder: folder, temporary: nil)
        } catch  where error.errno.lacksUnnamedFiles {
            return nil
        }
    }

    /// What the document needs, under the hidden name, which the journal must tell of already, or under its own, where
    /// that has a number (nought for none); nothing where that fails.
    static func hidden(
        _ name: FileName, for source: CopyDocument.Source, in folder: OpenFolder, number: Int? = nil
    ) throws(SyscallError) -> CopyTarget {
        switch source {
        case .file:
            let file = OpenFile(try folder.directory.newFile(name))
            return CopyTarget(made: .file(file), folder: folder, temporary: name, number: number)
        case .package: try folder.directory.makeFolder(name, mode: 0o700)
        case .link(let target): try folder.directory.makeLink(name, to: target)
        }
        do throws(SyscallError) {
            let isFolder = if case .package = source { true } else { false }
            let made: Made =
                isFolder
                ? .package(OpenFolder(try folder.directory.folder(name)))
                : .link(try folder.directory.status(of: name).identity.file)
            return CopyTarget(made: made, folder: folder, temporary: name, number: number)
        } catch {
            if case .package = source {
                try folder.directory.removeFolder(name)
            } else {
                try folder.directory.removeFile(name)
            }
            throw error
        }
    }

    /// What tells it from every other now; for a link only as long as it has its hidden name.
    func marks() throws(SyscallError) -> FileIdentity {
        switch made {
        case .file(let file): return try file.descriptor.status().identity
        case .package(let package): return try package.directory.status().identity
        case .link:
            guard let temporary else { throw SyscallError(.statx, .noEntry) }
            return try folder.directory.status(of: temporary).identity
        }
    }

    private func key() throws(SyscallError) -> FileKey {
        if case .link(let key) = made { return key }
        return try marks().file
    }

    /// Gives the finished copy the first free name of the row, never another's; nil where no name fits.
    func publish(as wanted: FileName, _ names: inout FreeNames) throws(SyscallError) -> (name: FileName, number: Int)? {
        if let number, let temporary { return (temporary, number) }
        return try names.take(wanted, in: folder) { (candidate) throws(SyscallError) in try name(candidate) }
    }

    /// Whether the name was free, and is the copy's now.
    private func name(_ candidate: FileName) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            guard let temporary else {
                if case .file(let file) = made { try folder.directory.link(file.descriptor, as: candidate) }
                return true
            }
            do throws(SyscallError) {
                try folder.directory.rename(temporary, to: folder.directory, as: candidate)
            } catch  where error.errno.isUnsupported {
                if case .package = made {
                    return try Moving.replaceOwn(temporary, from: folder, to: folder, as: candidate)
                }
                try folder.directory.link(temporary, to: folder.directory, as: candidate)
                do throws(SyscallError) { try folder.directory.removeFile(temporary) } catch {
                    // Its source is tried again: what stands there already would end as a twin.
                    try removeOwn(candidate)
                    throw error
                }
            }
            return true
        } catch  where error.errno == .exists {
            return false
        }
    }

    private func removeOwn(_ name: FileName) throws(SyscallError) {
        if try folder.directory.status(of: name).identity.file == key() { try folder.directory.removeFile(name) }
    }

    /// Takes everything of the copy away, under whatever names it has: by what it is, each is known as its own.
    func discard(published: FileName?, _ document: CopyDocument) throws(SyscallError) {
        let own = try key()
        for (name, isHidden) in [(temporary, true), (published, false)] {
            guard let name else { continue }
            do throws(SyscallError) {
                guard try folder.directory.status(of: name).identity.file == own else { continue }
                switch (made, document.source) {
                case (.package, .package(let source)) where !isHidden: try takeBack(name, source)
                case (.package, _): try FolderRemoval.remove(name, in: folder)
                default: try folder.directory.removeFile(name)
                }
            } catch  where error.errno.isAbsent {
                // It had this name no longer.
            }
        }
    }

    /// Removes a package that others may have seen already: what they put into it stays.
    private func takeBack(_ name: FileName, _ source: OpenFolder) throws(SyscallError) {
        var removal = PackageRemoval(comparedTo: source, unchangedSince: nil)
        if try !removal.remove(name, in: folder) { throw SyscallError(.unlinkat, .notEmpty) }
    }
}
