import InboxLinux

/// The file that a copy becomes: without a name where the filesystem has such files, else under a hidden one.
struct CopyTarget: Sendable {
    let file: OpenFile
    let folder: OpenFolder
    /// The hidden name; nil where there is none.
    let temporary: FileName?

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
            return CopyTarget(file: OpenFile(try folder.directory.unnamedFile()), folder: folder, temporary: nil)
        } catch  where error.errno.lacksUnnamedFiles {
            return nil
        }
    }

    /// A file under the hidden name, which the journal must tell of already.
    static func hidden(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> CopyTarget {
        CopyTarget(file: OpenFile(try folder.directory.newFile(name)), folder: folder, temporary: name)
    }

    /// Gives the finished copy the first free name of the row, never another's; nil where no name fits.
    func publish(as wanted: FileName, _ names: inout FreeNames) throws(SyscallError) -> (name: FileName, number: Int)? {
        try names.take(wanted, in: folder) { (candidate) throws(SyscallError) in
            do throws(SyscallError) {
                try name(candidate)
                return true
            } catch  where error.errno == .exists {
                return false
            }
        }
    }

    private func name(_ candidate: FileName) throws(SyscallError) {
        guard let temporary else {
            try folder.directory.link(file.descriptor, as: candidate)
            return
        }
        do throws(SyscallError) {
            try folder.directory.rename(temporary, to: folder.directory, as: candidate)
        } catch  where error.errno.isUnsupported {
            try folder.directory.link(temporary, to: folder.directory, as: candidate)
            do throws(SyscallError) { try folder.directory.removeFile(temporary) } catch {
                // Its source is tried again: what stands there already would end as a twin.
                try discard(published: candidate)
                throw error
            }
        }
    }

    /// Takes everything of the copy away, under whatever names it has; the file itself shows that they are its own.
    func discard(published: FileName?) throws(SyscallError) {
        let own = try file.descriptor.status().identity.file
        for name in [temporary, published] {
            guard let name else { continue }
            do throws(SyscallError) {
                if try folder.directory.status(of: name).identity.file == own { try folder.directory.removeFile(name) }
            } catch  where error.errno.isAbsent {
                // It had this name no longer.
            }
        }
    }
}
