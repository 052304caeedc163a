import InboxLinux

extension Intake {
    /// Why a name is looked at.
    enum Cause {
        /// An event told of it.
        case event(InotifyMask)
        /// A folder was read.
        case scan
        /// Its time had come.
        case due
        /// Someone asked, or the filing found it changed.
        case request

        var isMoveIn: Bool {
            if case .event(let mask) = self { return mask.contains(.movedTo) }
            return false
        }

        var isCreation: Bool {
            if case .event(let mask) = self { return mask.contains(.created) }
            return false
        }

        var isEvent: Bool {
            if case .event = self { return true }
            return false
        }
    }

    /// Looks at a name and draws the conclusions.
    func look(_ folder: Folder, _ name: FileName, because cause: Cause, at moment: Moment) {
        // A source that is being removed has that name for a moment: it is in hand, or recovery ends it.
        guard !folder.isGone, !CopyTarget.isTemporary(name) else { return }
        let status: FileStatus
        do throws(SyscallError) {
            status = try openFolders.directory(folder).directory.status(of: name)
        } catch {
            lookFailed(folder, name, error, at: moment)
            return
        }
        if status.kind == .directory {
            seenFolder(folder, name, status, because: cause, at: moment)
        } else {
            if let replaced = folder.folders[name] { abandon(replaced) }
            seenFile(folder, name, status, because: cause, at: moment)
        }
    }

    func lookFailed(_ folder: Folder, _ name: FileName, _ error: SyscallError, at moment: Moment) {
        guard error.errno.isAbsent else {
            // The name may well be there: look again later rather than conclude.
            if let id = folder.arrivals[name] {
                retryLook(id, error, at: moment)
            } else if error.errno.isTransient {
                // Nothing else would bring it back: it has no arrival yet whose time could come.
                nextFullScan = min(nextFullScan, moment.now + .seconds(5))
            }
            return
        }
        guard error.call == .statx else {
            // Not the name is gone but the folder around it, which may send no event while somebody is in it.
            watchLost(folder, at: moment)
            return
        }
        if let inner = folder.folders[name] { abandon(inner) }
        guard let id = folder.arrivals[name], let arrival = table[id], !arrival.isInHand else { return }
        if let missed = arrival.missed, missed + Self.renameGrace <= moment.now {
            withdraw(id)
        } else {
            expect(id, at: moment)
        }
    }

    private func retryLook(_ id: ArrivalID, _ error: SyscallError, at moment: Moment) {
        guard let arrival = table[id], !arrival.isInHand else { return }
        resolve(id, .retry("\(error)"), at: moment)
    }

    /// The name is gone; the arrival may turn up under another.
    func expect(_ id: ArrivalID, at moment: Moment) {
        table.update(id) { arrival in
            if arrival.missed == nil { arrival.missed = moment.now }
            arrival.nextLook = moment.now + Self.renameGrace
        }
        schedule(id)
    }

    /// The arrival's owner took it back.
    func withdraw(_ id: ArrivalID) {
        guard let arrival = table.remove(id) else { return }
        counted.withdrawn += 1
        if arrival.isFailureTold || arrival.state.group == .held {
            tell(.released(path: arrival.folder.path(of: arrival.name)))
        }
        events.record(.withdrawn, of: arrival)
        considerRemoval(of: arrival.folder)
    }

    /// Something that is not walked stands under the name; `note` adds what only the caller knows of it.
    func seenFile(
        _ folder: Folder, _ name: FileName, _ status: FileStatus, because cause: Cause, at moment: Moment,
        note: (inout Arrival) -> Void = { _ in }
    ) {
        if let id = folder.arrivals[name], let known = table[id] {
            if known.status.identity.file == status.identity.file {
                if !known.isInHand {
                    table.update(id, note)
                    refresh(id, status, because: cause, at: moment)
                }
                return
            }
            // Another file stands under the name. The one before may have been renamed: give it the time to turn up.
            table.forget(id, in: folder, as: name)
            if !known.isInHand { expect(id, at: moment) }
        }
        if let id = renamed(to: folder, name, status) {
            let former = table[id]?.path
            table.move(id, to: folder, as: name)
            if let arrival = table[id], let former { events.record(.renamed(from: former), of: arrival) }
            table.update(id, note)
            // Under another name another rule may hold: nothing of the former verdict counts.
            if table[id]?.state.group != .waiting { come(id, to: .waiting(.settling), at: moment) }
            table.update(id) { arrival in
                arrival.missed = nil
                arrival.quietSince = moment.now
                arrival.needsQuiet = true
            }
            refresh(id, status, because: .request, at: moment)
            return
        }
        appear(folder, name, status, because: cause, at: moment, note: note)
    }

    /// The arrival that this file was under a name that it has no longer.
    private func renamed(to folder: Folder, _ name: FileName, _ status: FileStatus) -> ArrivalID? {
        // A file with a flood of links is looked for among some of them: each look costs a system call.
        table.names(of: status.identity.file).prefix(64).first { id in
            guard let arrival = table[id], !arrival.isInHand else { return false }
            if arrival.folder.isGone { return true }
            do throws(SyscallError) {
                // A second link is an arrival of its own.
                let there = try openFolders.directory(arrival.folder).directory.status(of: arrival.name)
                return there.identity.file != status.identity.file
            } catch {
                return error.errno.isAbsent
            }
        }
    }

    private func appear(
        _ folder: Folder, _ name: FileName, _ status: FileStatus, because cause: Cause, at moment: Moment,
        note: (inout Arrival) -> Void
    ) {
        guard table.count < Self.mostArrivals else {
            crowded(folder)
            return
        }
        let id = table.insert(folder: folder, name: name, status: status, moment: moment)
        counted.seen += 1
        table.update(id, note)
        table.update(id) { arrival in
            let cameWithFolder = folder.movedIn.map { status.changed <= $0 } ?? false
            if cause.isMoveIn || cameWithFolder || (cause.isCreation && status.links > 1) {
                arrival.needsQuiet = false
            } else if cause.isEvent {
                arrival.quietSince = moment.now
            }
        }
        noteArrival(id)
        evaluate(id, at: moment)
    }

    func noteArrival(_ id: ArrivalID) {
        guard let arrival = table[id] else { return }
        events.record(.arrived(size: arrival.status.size), of: arrival)
    }

    /// Takes note of what a known arrival is now.
    func refresh(_ id: ArrivalID, _ status: FileStatus, because cause: Cause, at moment: Moment) {
        guard let arrival = table[id] else { return }
        let hasChanged = status.identity != arrival.status.identity || status.changed != arrival.status.changed
        if case .scan = cause, !hasChanged, arrival.missed == nil { return }
        let isSettled =
            switch arrival.state {
            case .held, .ignored: true
            case .waiting: false
            }
        if isSettled, !hasChanged, !cause.isEvent, arrival.missed == nil, !cause.isRequest { return }
        table.update(id) { arrival in
            if status.size != arrival.status.size {
                arrival.grown = moment.now
                arrival.patience = Settling.firstPatience
            }
            if hasChanged {
                arrival.needsQuiet = arrival.needsQuiet || status.identity != arrival.status.identity
                let quietSince = Settling.quietSince(changed: status.changed, at: moment)
                arrival.quietSince = max(arrival.quietSince, quietSince)
            }
            if cause.isEvent { arrival.quietSince = moment.now }
            arrival.missed = nil
            arrival.status = status
        }
        evaluate(id, at: moment)
    }

    /// An event told that somebody closed or changed a known arrival: the quiet time begins anew, and the look at its
    /// end will show what it has become.
    func touch(_ id: ArrivalID, _ mask: InotifyMask, at moment: Moment) {
        guard let arrival = table[id], !arrival.isInHand else { return }
        guard case .waiting = arrival.state else {
            look(arrival.folder, arrival.name, because: .event(mask), at: moment)
            return
        }
        table.update(id) { arrival in
            arrival.quietSince = moment.now
            arrival.needsQuiet = true
            arrival.patience = Settling.firstPatience
            if mask.contains(.closedAfterWriting) { arrival.sawWriter = nil }
        }
        look(arrival.folder, arrival.name, because: .due, at: moment)
    }
}

extension Intake.Cause {
    fileprivate var isRequest: Bool {
        if case .request = self { return true }
        return false
    }
}
