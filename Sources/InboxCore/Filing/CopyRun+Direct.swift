import InboxLinux

/// Copies that have their own name from the start.
extension CopyRun {
    /// Whether the document's copy can get its name in no other way. A package gets it by a rename over an empty folder.
    func needsDirectName(_ document: CopyDocument) throws(CopyFailure) -> Bool {
        if case .package = document.source { return false }
        return try lacks(.hidden, document)
    }

    /// Whether a way to a name is known to fail where the document goes.
    func lacks(_ way: NamelessFilesystems.Way, _ document: CopyDocument) throws(CopyFailure) -> Bool {
        do throws(SyscallError) { return try job.nameless.lacks(way, document.target) } catch { throw .copy(error) }
    }

    /// Makes the copy under the first free name of its row.
    func makeDirect(_ document: CopyDocument) throws(CopyFailure) -> CopyTarget {
        let row = NumberedName(document.wanted)
        var number = 0
        while let candidate = row.numbered(number) {
            if let target = try makeDirect(document, candidate, number) { return target }
            number += 1
        }
        throw .refused(Refusal(.hold(.name, "no free name fits \(document.targetPath)")))
    }

    /// Nil where the name is taken. The journal tells the name before it is made, and then what was made: recovery
    /// removes an unfinished copy, and nobody else's file.
    private func makeDirect(
        _ document: CopyDocument, _ candidate: FileName, _ number: Int
    ) throws(CopyFailure) -> CopyTarget? {
        if try stands(candidate, in: document.target) { return nil }
        try tell(document.intent(temporary: candidate))
        let target: CopyTarget
        do throws(SyscallError) {
            target = try CopyTarget.hidden(candidate, for: document.source, in: document.target, number: number)
        } catch {
            if error.errno == .exists { return nil }
            throw failure(error, document)
        }
        do throws(CopyFailure) {
            let marks: FileIdentity
            do throws(SyscallError) { marks = try target.marks() } catch { throw .copy(error) }
            try tell(document.intent(temporary: candidate, copy: marks))
        } catch {
            do throws(SyscallError) { try target.discard(published: nil, document) } catch { job.journal.keep() }
            throw error
        }
        return target
    }

    private func stands(_ name: FileName, in folder: OpenFolder) throws(CopyFailure) -> Bool {
        do throws(SyscallError) {
            _ = try folder.directory.status(of: name)
            return true
        } catch {
            // What cannot be looked up for another reason cannot be made either, which tells why.
            return false
        }
    }

    private func tell(_ intent: CopyIntent) throws(CopyFailure) {
        do throws(SyscallError) { try job.journal.add([intent], isDurable: job.isDurable) } catch {
            throw .journal(error)
        }
    }

    /// A name that the filesystem cannot hold gives one error or another; some say ENOENT, though the folder is there.
    private func failure(_ error: SyscallError, _ document: CopyDocument) -> CopyFailure {
        var isUnfit = error.errno.isUnfitName
        if error.errno == .noEntry {
            do throws(SyscallError) { isUnfit = try document.target.directory.status().links > 0 } catch {
                isUnfit = false
            }
        }
        return isUnfit ? .refused(Refusal(.hold(.name, "\(document.targetPath): \(error)"))) : .copy(error)
    }
}
