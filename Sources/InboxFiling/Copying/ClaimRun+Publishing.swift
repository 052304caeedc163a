import InboxLinux

/// The last steps of a claim: the copy gets its name, is recorded, and the source goes or returns.
extension ClaimRun {
    /// Brings the claims to the disk: first the folders that the sources are in now, then those that they have left. A
    /// power cut could otherwise show a source under its old name, beside its copy, or under no name.
    mutating func syncClaims() {
        guard isDurable else { return }
        var synced = SyncedFolders()
        let steps: [(ClaimWay) -> [OpenFolder?]] = [
            { [$0.staged?.folder, $0.staging?.folder] }, { [$0.staging?.root] }, { [$0.document.folder] },
        ]
        for step in steps {
            for index in under where ways[index].target?.isCopy == true {
                guard let failure = synced.failure(of: step(ways[index]).compactMap { $0 }) else { continue }
                refuse(index, Refusal(failure, at: ways[index].document.prepared.source))
            }
        }
    }

    /// Gives a copy its name. From here on it may belong to somebody, and is never taken back.
    mutating func publish(_ index: Int) {
        let way = ways[index]
        guard let source = way.source, let target = way.target else { return }
        var names = way.document.names
        do throws(SyscallError) {
            if means.abandonment.isRequested {
                refuse(index, Refusal(.changed))
            } else if let refusal = try source.leaseBreak(isLeased: way.document.isLeased) {
                refuse(index, refusal)
            } else if let refusal = try way.document.twin?.hold() {
                refuse(index, refusal)
            } else if let moved = try publish(target, source, way.document, &names) {
                ways[index].record = way.document.prepared.record(
                    at: .now(), as: moved.name, number: moved.number,
                    way.entry?.copied?.published(source.status.kind))
                if let failure = moved.failure { noteUnsynced(index, failure) } else { endMaking(index, target) }
            } else {
                refuse(index, Refusal(.hold(.name, "no free name fits \(way.document.targetPath)")))
            }
        } catch {
            if takesNote(of: error, target, way.document) {
                // At once, by another way.
                refuse(index, Refusal(.across))
                return
            }
            if error.errno.isServerAway {
                // It may have its name: recovery looks for it once the server is back.
                ways[index].result = .refused(.retry(error.words(at: way.document.targetPath)))
                way.releaseLeases()
                leaveOpen(index, "\(error)")
                return
            }
            // The document is there; it is its destination that is not.
            let words = error.words(at: way.document.targetPath)
            refuse(
                index, error.errno.isAbsent ? Refusal(.retry(words)) : Refusal(error, at: way.document.targetPath))
        }
    }

    /// Nil where no name fits.
    private func publish(
        _ target: CopyTarget, _ source: ClaimedSource, _ document: ClaimDocument, _ names: inout FreeNames
    ) throws(SyscallError) -> MovedName? {
        let (folder, wanted) = (document.target, document.prepared.wanted)
        switch target.made {
        case .direct(_, let name, let number): return MovedName(name: name, number: number)
        case .twin(let twin): return MovedName(name: twin.name, number: 0)
        case .unnamed(let file):
            let taken = try names.make(wanted, in: folder) { (candidate) throws(SyscallError) in
                try folder.directory.link(file.descriptor, as: candidate)
            }
            return taken.map { MovedName(name: $0.name, number: $0.number) }
        case .file, .package, .link:
            guard let making = target.making else { return nil }
            let status = try making.folder.directory.status(of: source.staged.name)
            return try Moving.move(
                source.staged.name, status, from: making.folder, to: folder, as: wanted, &names)
        case .source:
            return try Moving.move(
                source.staged.name, source.status, from: source.staged.folder, to: folder, as: wanted, &names,
                around: document.targets)
        }
    }

    /// The document has its name: no failure takes that back.
    private mutating func endMaking(_ index: Int, _ target: CopyTarget) {
        do throws(SyscallError) {
            guard case .source = target.made else { return try target.endMaking(ways[index].id) }
            let staged = ways[index].staged
            ways[index].staged = nil
            try staged?.end()
        } catch {
            report.hasOpenEntries = true
            report.notices.append("a staging folder could not be removed: \(error)")
        }
    }

    /// The disk may not keep a name, which only a restart of the machine shows, or the server when it is back: the source
    /// waits for that.
    private mutating func noteUnsynced(_ index: Int, _ failure: SyscallError) {
        ways[index].unsynced = failure
        let isServerAway = failure.errno.isServerAway
        ways[index].entry?.copied?.unsyncedBoot = isServerAway ? Boot.none : Boot.current
        let witness =
            isServerAway ? "the server shows when it is back" : "only a restart of the machine shows"
        report.notices.append(
            "the name of \(ways[index].document.prepared.source) in \(ways[index].document.targetPath) may not "
                + "be on the disk, which \(witness): \(failure)")
    }

    /// Whether a copy got no name because its filesystem has no such way to give one, which is known from now on.
    private func takesNote(of error: SyscallError, _ target: CopyTarget, _ document: ClaimDocument) -> Bool {
        guard error.lacksSecondNames else { return false }
        let way: NamelessFilesystems.Way = if case .unnamed = target.made { .unnamed } else { .hidden }
        do throws(SyscallError) {
            try means.nameless.note(way, document.target)
            return true
        } catch {
            return false
        }
    }

    /// Brings the names to the disk, with those of folders that were made for them. Where that fails the document stays
    /// where it is, and so does its source, until the machine has started anew and shows what the disk has kept.
    mutating func syncNames() {
        var synced = SyncedFolders()
        for index in under {
            guard let failure = synced.failure(of: folders(of: index)), ways[index].unsynced == nil else { continue }
            noteUnsynced(index, failure)
        }
        let unsynced = under.filter { ways[$0].unsynced != nil }
        do throws(Refusal) { try note(unsynced, isDurable: true) } catch {
            // A power cut would leave records of copies that nothing shows to be doubtful: recovery records them, once it
            // can write that down.
            for index in unsynced { leaveUnrecorded(index) }
        }
    }

    /// The folders that must reach the disk with the name of a document: where the source itself has moved, those that it
    /// has left too.
    private func folders(of index: Int) -> [OpenFolder] {
        let way = ways[index]
        // The twin's name was synced with its content.
        if way.document.twin != nil { return [] }
        let targets = way.document.targets
        guard case .source = way.target?.made, isDurable else { return targets }
        return targets + [way.document.folder] + (way.staging.map { [$0.folder] } ?? [])
    }

    /// Writes the records. Where that fails recovery does it.
    mutating func record() {
        let indices = under
        let records = indices.compactMap { ways[$0].record }
        guard !records.isEmpty else { return }
        do throws(SyscallError) {
            try means.log.record(records, isDurable: isDurable)
            // Of one whose name the disk may lose the source may be needed again.
            note(recorded: indices.filter { ways[$0].unsynced == nil }.compactMap { ways[$0].record?.id })
        } catch {
            stateFailed("the history", error)
            for index in indices {
                if ways[index].document.twin != nil {
                    refuse(index, Refusal(.postponed("cannot write the history: \(error.errno)")))
                    continue
                }
                leaveUnrecorded(index)
            }
        }
    }

    /// Leaves the record of a document that has its name to recovery.
    private mutating func leaveUnrecorded(_ index: Int) {
        ways[index].result = ways[index].record.map { .unrecorded($0) }
        report.hasOpenEntries = true
    }

    /// Removes the sources that are still what was copied, and brings that to the disk; those that somebody has changed
    /// return to the Inbox.
    mutating func removeSources() {
        var removed: [Int] = []
        for index in under {
            guard let record = ways[index].record else { continue }
            ways[index].result = .filed(record, lost: ways[index].lost)
            guard ways[index].unsynced == nil else {
                report.hasOpenEntries = true
                continue
            }
            guard let source = ways[index].source, let staged = ways[index].staged else {
                close(index)
                continue
            }
            do throws(SyscallError) {
                let way = ways[index]
                let outcome = try Self.again { () throws(SyscallError) in
                    try SourceRemoval.remove(
                        source, way.target?.file, way.manifest, isLeased: way.document.isLeased)
                }
                switch outcome {
                case .removed:
                    ways[index].staged = nil
                    try Self.again { () throws(SyscallError) in try staged.end() }
                    removed.append(index)
                case .written: leaveOpen(index, "somebody is writing to it")
                case .changed:
                    ways[index].result = .returned(record, lost: ways[index].lost)
                    ways[index].releaseLeases()
                    if let why = try putBack(index) { leaveOpen(index, why) } else { close(index) }
                }
            } catch {
                leaveOpen(index, "it was copied to \(record.destination), but cannot be removed: \(error)")
            }
        }
        closeRemoved(removed)
    }

    /// Tries a call again at once: the copy is recorded by now, and a passing failure would only leave its source for
    /// recovery.
    private static func again<Result>(_ body: () throws(SyscallError) -> Result) throws(SyscallError) -> Result {
        for _ in 0..<2 {
            do throws(SyscallError) { return try body() } catch {
                if error.errno.isAbsent { throw error }
            }
        }
        return try body()
    }

    /// A removal that is not on the disk may be undone by a power cut: until then the entry shows that it was filed.
    private mutating func closeRemoved(_ removed: [Int]) {
        var synced = SyncedFolders()
        for index in removed {
            let (staging, origin) = (ways[index].staging?.folder, ways[index].document.folder)
            if isDurable, let failure = synced.failure(of: [staging, origin].compactMap { $0 }) {
                leaveOpen(index, "its removal may not be on the disk: \(failure)")
            } else {
                close(index)
            }
        }
    }
}
