import InboxLinux

/// The second half of a copy: it gets its name, is recorded, and its source goes.
extension CopyRun {
    /// Gives the copies their names. From here on a copy is no longer given up because the daemon ends.
    mutating func publish() {
        var names = FreeNames()
        for (index, step) in steps.enumerated() {
            guard case .copied(let target, let lost) = step else { continue }
            let document = job.documents[index]
            if let refusal = job.abort.isWished ? Refusal(.changed) : document.refusal() {
                refuse(index, refusal)
                continue
            }
            do throws(SyscallError) {
                if let (name, number) = try target.publish(as: document.wanted, &names) {
                    let record = document.record(as: name, number: number)
                    steps[index] = .published(target, name, record, lost: lost)
                } else {
                    refuse(index, Refusal(.hold(.name, "no free name fits \(document.targetPath)")))
                }
            } catch {
                if takesNote(of: error, target) {
                    // At once, by another way.
                    refuse(index, Refusal(.across))
                    continue
                }
                // The document is there; it is its destination that is not.
                let words = "\(document.targetPath): \(error)"
                refuse(index, error.errno.isAbsent ? Refusal(.retry(words)) : Refusal(error, at: document.targetPath))
            }
        }
    }

    /// Whether a copy got no name because its filesystem has no such way to give one, which is known from now on.
    private func takesNote(of error: SyscallError, _ target: CopyTarget) -> Bool {
        guard error.lacksSecondNames else { return false }
        do throws(SyscallError) {
            try job.nameless.note(target.temporary == nil ? .unnamed : .hidden, target.folder)
            return true
        } catch {
            return false
        }
    }

    /// Brings the names to the disk, with those of folders that were made for them; where that fails all is undone.
    mutating func syncNames() {
        var folders: [ObjectIdentifier: OpenFolder] = [:]
        for (index, step) in steps.enumerated() {
            guard case .published = step else { continue }
            for folder in job.documents[index].targets { folders[ObjectIdentifier(folder)] = folder }
        }
        for folder in folders.values {
            let failure = DurableJob.failure { () throws(SyscallError) in try folder.directory.sync() }
            guard let failure else { continue }
            undoAll { CopyFailure.copy(failure).refusal($0) }
            return
        }
    }

    /// Gives the sources a name that nobody else uses: from here on nothing can come between the last look and the
    /// removal, neither another file that is put under the old name, nor a writer that opens it by that name, nor an
    /// owner who renames it. Whoever came before is found out, and nothing was recorded yet.
    mutating func setSourcesAside() {
        for (index, step) in steps.enumerated() {
            guard case .published(let target, let name, let record, let lost) = step else { continue }
            let document = job.documents[index]
            if let refusal = document.refusal() {
                refuse(index, refusal)
                continue
            }
            do throws(SyscallError) {
                let source = try SourceRemoval.setAside(document)
                steps[index] = .setAside(target, name, record, lost: lost, source: source)
                if let refusal = try SourceRemoval.refusal(source, document, target) { refuse(index, refusal) }
            } catch {
                refuse(index, Refusal(error, at: document.template.source))
            }
        }
    }

    /// Writes the records; where that fails all is undone.
    mutating func record() {
        for (index, step) in steps.enumerated() {
            guard case .setAside = step, let refusal = job.documents[index].brokenLease() else { continue }
            refuse(index, refusal)
        }
        var lines: [UInt8] = []
        for case .setAside(_, _, let record, _, _) in steps { lines += record.line }
        guard !lines.isEmpty else { return }
        do throws(SyscallError) {
            try job.history.append(lines, isDurable: job.isDurable)
        } catch {
            stateFailed("the history", error)
            undoAll { _ in Refusal(.postponed("cannot write the history: \(error.errno)")) }
            return
        }
        for (index, step) in steps.enumerated() {
            if case .setAside(let target, _, let record, let lost, let source) = step {
                steps[index] = .recorded(target, record, lost: lost, source: source)
            }
        }
    }

    private mutating func undoAll(_ refusal: (CopyDocument) -> Refusal) {
        for (index, step) in steps.enumerated() {
            switch step {
            case .published, .setAside: refuse(index, refusal(job.documents[index]))
            case .begun, .copied, .recorded, .ended: break
            }
        }
    }

    /// Takes the sources away that are still what was copied, and brings that to the disk.
    mutating func removeSources() {
        var folders: [ObjectIdentifier: OpenFolder] = [:]
        for (index, step) in steps.enumerated() {
            guard case .recorded(let target, let record, let lost, let source) = step else { continue }
            let document = job.documents[index]
            switch SourceRemoval.remove(source, document, copiedTo: target) {
            case .done:
                folders[ObjectIdentifier(document.folder)] = document.folder
                steps[index] = .ended(.filed(record, lost: lost))
            case .refused(let refusal): steps[index] = .ended(.doubled(record, lost: lost, refusal.outcome))
            case .failed(let error):
                // The journal still tells of it, so that recovery removes it when that can be done.
                job.journal.keep()
                let words = "it was copied to \(record.destination), but cannot be removed: \(error)"
                let isAside = source != document.name
                if isAside { report.notices.append("\(document.template.source): \(words)") }
                steps[index] = .ended(
                    isAside
                        ? .filed(record, lost: lost) : .doubled(record, lost: lost, .hold(.permission, words)))
            }
        }
        guard job.isDurable else { return }
        for folder in folders.values {
            do throws(SyscallError) { try folder.directory.sync() } catch {
                report.notices.append("a folder's names may not be on the disk yet: \(error)")
            }
        }
    }
}
