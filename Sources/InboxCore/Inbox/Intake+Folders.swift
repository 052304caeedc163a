import InboxLinux

extension Intake {
    static let folderEvents: InotifyMask = [
        .created, .movedTo, .movedFrom, .deleted, .closedAfterWriting, .attributes, .onlyFolder, .excludeUnlinked,
    ]
    static let topEvents: InotifyMask = folderEvents.union([.selfDeleted, .selfMoved])

    /// A folder stands under the name: it is walked, unless the ignore list or its depth forbid it.
    func seenFolder(
        _ parent: Folder, _ name: FileName, _ status: FileStatus, because cause: Cause, at moment: Moment
    ) {
        guard !parent.isAround else { return }
        let key = status.identity.file
        if let known = parent.folders[name] {
            if known.key == key { return }
            abandon(known)
        }
        let isIgnored = parent.inbox.ignoring.ignores(name)
        if !isIgnored, parent.inbox.settings.folders == .whole || isPackage(name) {
            seenPackage(parent, name, because: cause, at: moment)
            return
        }
        let isWalked = !isIgnored && parent.depth < Self.deepest
        if let id = parent.arrivals[name], let arrival = table[id] {
            if !isWalked, arrival.status.identity.file == key { return }
            table.forget(id, in: parent, as: name)
            if !arrival.isInHand { withdraw(id) }
        }
        guard isWalked else {
            guard table.count < Self.mostArrivals else {
                crowded(parent)
                return
            }
            let id = table.insert(folder: parent, name: name, status: status, moment: moment)
            counted.seen += 1
            noteArrival(id)
            evaluate(id, at: moment)
            return
        }
        if let moved = byKey[key], !moved.isGone, hasLeft(moved) {
            take(moved, into: parent, as: name, at: moment)
        } else if byKey.count >= mostFolders {
            crowded(parent)
        } else {
            let folder = enter(
                key, place: .inside(parent, name), inbox: parent.inbox, depth: parent.depth + 1, at: moment)
            if cause.isMoveIn {
                folder.movedIn = status.changed
            } else if let movedIn = parent.movedIn, status.changed <= movedIn {
                folder.movedIn = movedIn
            }
        }
    }

    /// A folder that is one document is looked through, and then taken for a file of that size and those times.
    private func seenPackage(_ parent: Folder, _ name: FileName, because cause: Cause, at moment: Moment) {
        let survey: PackageSurvey
        do throws(FolderWalk.Failure) {
            survey = try self.survey(parent, name)
        } catch {
            surveyFailed(parent, name, error, at: moment)
            return
        }
        if let walked = byKey[survey.status.identity.file], !walked.isGone { abandon(walked) }
        seenFile(parent, name, survey.status, because: cause, at: moment) { arrival in
            arrival.isPackage = true
            arrival.hasFiles = survey.hasFiles
            arrival.hasPartial = survey.hasPartial
        }
    }

    private func survey(_ parent: Folder, _ name: FileName) throws(FolderWalk.Failure) -> PackageSurvey {
        let folder: Directory
        do throws(SyscallError) {
            folder = try openFolders.directory(parent).directory.folder(name)
        } catch {
            throw .failed(error)
        }
        return try PackageSurvey(of: folder)
    }

    private func surveyFailed(
        _ parent: Folder, _ name: FileName, _ failure: FolderWalk.Failure, at moment: Moment
    ) {
        switch failure {
        case .failed(let error) where error.errno.isAbsent || parent.arrivals[name] != nil:
            lookFailed(parent, name, error, at: moment)
        case .failed, .tooLarge:
            // As an unwalked folder it is at least accounted for, and held.
            do throws(SyscallError) {
                let status = try openFolders.directory(parent).directory.status(of: name)
                seenFile(parent, name, status, because: .scan, at: moment) { $0.isPackage = false }
            } catch {
                lookFailed(parent, name, error, at: moment)
            }
        }
    }

    /// Whether a folder no longer stands where it did.
    private func hasLeft(_ folder: Folder) -> Bool {
        guard case .inside(let parent, let name) = folder.place else { return false }
        do throws(SyscallError) {
            return try openFolders.directory(parent).directory.status(of: name).identity.file != folder.key
        } catch {
            return error.errno.isAbsent
        }
    }

    /// A walked folder was renamed inside the Inboxes: it keeps its watch, and its arrivals stay the same.
    private func take(_ folder: Folder, into parent: Folder, as name: FileName, at moment: Moment) {
        var ancestor: Folder? = parent
        while let current = ancestor {
            // A folder that moved below itself cannot be: two mounts of one tree can look so.
            if current === folder { return }
            if case .inside(let outer, _) = current.place { ancestor = outer } else { ancestor = nil }
        }
        guard parent.inbox === folder.inbox else {
            abandon(folder)
            enter(folder.key, place: .inside(parent, name), inbox: parent.inbox, depth: parent.depth + 1, at: moment)
            return
        }
        if case .inside(let former, let formerName) = folder.place, former.folders[formerName] === folder {
            former.folders[formerName] = nil
            considerRemoval(of: former)
        }
        folder.place = .inside(parent, name)
        parent.folders[name] = folder
        openFolders.clear()
        settleDepths(below: folder, from: parent.depth + 1)
        enqueue(folder)
    }

    private func settleDepths(below folder: Folder, from depth: Int) {
        var rest = [(folder, depth)]
        while let (next, depth) = rest.popLast() {
            next.depth = depth
            for inner in next.folders.values { rest.append((inner, depth + 1)) }
        }
    }

    /// Walks a folder from now on: watch first, then read.
    @discardableResult
    func enter(_ key: FileKey, place: Folder.Place, inbox: Inbox, depth: Int, at moment: Moment) -> Folder {
        let folder = Folder(inbox: inbox, place: place, key: key, depth: depth, touched: moment.now)
        if case .inside(let parent, let name) = place { parent.folders[name] = folder }
        byKey[key] = folder
        inbox.folderCount += 1
        if inotify != nil { inbox.unwatchedCount += 1 }
        watch(folder)
        enqueue(folder)
        return folder
    }

    /// Asks for the events of a folder; where there are none to be had it is polled.
    func watch(_ folder: Folder) {
        guard let inotify, folder.watch == nil else { return }
        do throws(SyscallError) {
            let opened = try openFolders.directory(folder)
            let mask = folder.depth == 0 ? Self.topEvents : Self.folderEvents
            let watch = try inotify.watch(opened.directory, for: mask)
            byWatch.add(folder, watch)
            retired.remove(watch)
            folder.watch = watch
            folder.inbox.unwatchedCount -= 1
            try noteFilesystem(folder, opened)
            end(.folder(folder.key))
        } catch {
            if error.call == .inotifyAddWatch, error.errno == .noSpace {
                isWatchLimitReached = true
            } else if !error.errno.isAbsent {
                begin(.folder(folder.key), "cannot watch the folder \(folder.bytePath): \(error.errno)")
            }
        }
    }

    /// A mount inside an Inbox may be one whose changes send no events, though the Inbox around it sends them.
    private func noteFilesystem(_ folder: Folder, _ opened: OpenFolder) throws(SyscallError) {
        guard folder.inbox.filesystems[folder.key.device] == nil else { return }
        let filesystem = try Filesystem(of: opened.directory.descriptor)
        folder.inbox.filesystems[folder.key.device] = filesystem
        if let name = filesystem.nameWithoutEvents, folder.inbox.settings.poll == .auto {
            tell(.notice("\(folder.bytePath) is on \(name), which tells of no changes: it is polled"))
        }
    }

    /// Says how many watches are missing, once everything is read; or that there are enough again.
    func tellOfWatches() {
        let missing = inboxes.reduce(0) { $0 + $1.unwatchedCount }
        if missing == 0 {
            isWatchLimitReached = false
            end(.watchLimit)
        } else if isWatchLimitReached, !isReading {
            let folders = inboxes.reduce(0) { $0 + $1.folderCount }
            begin(
                .watchLimit,
                "\(missing) of \(folders) folders cannot be watched and are polled: fs.inotify.max_user_watches is "
                    + "reached; raise it by at least \(missing) with sysctl(8)")
        }
    }

    /// A folder has left the tree with all that is in it.
    func abandon(_ folder: Folder) {
        if case .inside(let parent, let name) = folder.place, parent.folders[name] === folder {
            parent.folders[name] = nil
            considerRemoval(of: parent)
        }
        var rest = [folder]
        while let next = rest.popLast() {
            next.isGone = true
            openFolders.forget(next)
            end(.folder(next.key))
            if !next.isAround { next.inbox.folderCount -= 1 }
            let twin = next.watch.flatMap { byWatch.remove(next, $0) }
            if byKey[next.key] === next { byKey[next.key] = twin }
            if let watch = next.watch {
                if twin == nil {
                    retired.insert(watch)
                    inotify?.unwatch(watch)
                }
            } else if inotify != nil, !next.isAround {
                next.inbox.unwatchedCount -= 1
            }
            for id in next.arrivals.values where table[id]?.isInHand == false { withdraw(id) }
            rest.append(contentsOf: next.folders.values)
        }
    }

    /// Takes note of a folder that may be removed after `FolderSettle`: it held documents and is empty.
    func considerRemoval(of folder: Folder) {
        guard folder.wasFilled, isRemovable(folder) else { return }
        emptied.add(folder, at: folder.touched + folder.inbox.settings.folderSettle)
    }

    private func isRemovable(_ folder: Folder) -> Bool {
        guard !folder.isGone, folder.arrivals.isEmpty, folder.folders.isEmpty else { return false }
        return switch folder.place {
        case .inside: folder.inbox.settings.removeEmptyFolders
        case .top: folder.inbox.settings.removeInbox
        case .around: false
        }
    }

    /// Removes the folders whose time has come, if they are still empty and nobody has touched them since.
    func removeEmptied(at moment: Moment) {
        while let (_, folder) = emptied.pop(dueAt: moment.now) {
            guard isRemovable(folder) else { continue }
            guard folder.touched + folder.inbox.settings.folderSettle <= moment.now else {
                considerRemoval(of: folder)
                continue
            }
            do throws(SyscallError) {
                try remove(folder, at: moment)
            } catch {
                // Not empty after all: something came without an event. Otherwise the folder stays, which harms nobody.
                if error.errno == .notEmpty { enqueue(folder) }
            }
        }
    }

    private func remove(_ folder: Folder, at moment: Moment) throws(SyscallError) {
        switch folder.place {
        case .inside(let parent, let name):
            let opened = try openFolders.directory(parent)
            guard try opened.directory.status(of: name).identity.file == folder.key else { return }
            try opened.directory.removeFolder(name)
            parent.wasFilled = true
            parent.touched = moment.now
            abandon(folder)
        case .top:
            guard let path = folder.inbox.path.parent, let name = folder.inbox.name else { return }
            let parent = try Directory.open(path: path.bytes)
            guard try parent.status(of: name).identity.file == folder.key else { return }
            try parent.removeFolder(name)
            verify(folder.inbox, at: moment)
        case .around: break
        }
    }
}
