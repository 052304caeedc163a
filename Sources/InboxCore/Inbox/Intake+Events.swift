import InboxLinux

extension Intake {
    /// Takes one event of the kernel's queue.
    public func note(_ event: InotifyEvent, at moment: Moment) {
        if event.mask.contains(.overflow) {
            counted.overflows += 1
            tell(.overflow)
            requestFullScan(at: moment)
            return
        }
        if noteAround(event, at: moment) { return }
        let folders = byWatch[event.watch]
        if folders.isEmpty {
            if event.mask.contains(.ignored) {
                retired.remove(event.watch)
            } else if !retired.contains(event.watch) {
                // A watch that nobody here asked for: something was missed.
                requestFullScan(at: moment)
            }
        }
        for folder in folders where !folder.isGone { note(event, of: folder, at: moment) }
    }

    private func note(_ event: InotifyEvent, of folder: Folder, at moment: Moment) {
        if !event.mask.isDisjoint(with: [.selfDeleted, .selfMoved, .unmounted, .ignored]) {
            watchEnded(folder, event, at: moment)
        } else if let name = event.name {
            folder.touched = moment.now
            if event.mask.contains(.isFolder) {
                noteFolder(folder, name, event.mask, at: moment)
            } else {
                noteFile(folder, name, event.mask, at: moment)
            }
        }
    }

    private func noteFile(_ folder: Folder, _ name: FileName, _ mask: InotifyMask, at moment: Moment) {
        guard let id = folder.arrivals[name] else {
            // What leaves and was not known, or was filed just now, is no news.
            if mask.isDisjoint(with: [.deleted, .movedFrom]) { look(folder, name, because: .event(mask), at: moment) }
            return
        }
        if mask.contains(.movedFrom) {
            if table[id]?.isInHand == false { expect(id, at: moment) }
        } else if mask.contains(.deleted) {
            if table[id]?.isInHand == false {
                withdraw(id)
                look(folder, name, because: .scan, at: moment)
            }
        } else if mask.isDisjoint(with: [.created, .movedTo]) {
            touch(id, mask, at: moment)
        } else {
            look(folder, name, because: .event(mask), at: moment)
        }
    }

    private func noteFolder(_ parent: Folder, _ name: FileName, _ mask: InotifyMask, at moment: Moment) {
        if mask.contains(.deleted) {
            if let gone = parent.folders[name] { abandon(gone) }
            look(parent, name, because: .scan, at: moment)
        } else if mask.contains(.movedFrom) {
            departed.append((parent, name, moment.now + Self.renameGrace))
        } else if mask.contains(.attributes) {
            // Perhaps it can be read now.
            if let folder = parent.folders[name], problems.stands(.folder(folder.key)) { enqueue(folder) }
        } else {
            look(parent, name, because: .event(mask), at: moment)
        }
    }

    /// Takes an event of a folder around an Inbox: whether the Inbox itself came, went or moved.
    private func noteAround(_ event: InotifyEvent, at moment: Moment) -> Bool {
        var isAround = false
        for inbox in inboxes where inbox.aroundWatch == event.watch {
            isAround = true
            if event.mask.contains(.ignored) { inbox.aroundWatch = nil }
            if event.name == nil || event.name == inbox.name { inbox.nextVerification = moment.now }
        }
        return isAround
    }

    private func watchEnded(_ folder: Folder, _ event: InotifyEvent, at moment: Moment) {
        if event.mask.contains(.ignored) {
            byWatch.remove(folder, event.watch)
            if folder.watch == event.watch {
                folder.watch = nil
                folder.inbox.unwatchedCount += 1
            }
        }
        if case .inside(let parent, let name) = folder.place {
            look(parent, name, because: .scan, at: moment)
        } else {
            folder.inbox.nextVerification = moment.now
        }
    }

    /// Looks again at the folders that were moved away and have not turned up elsewhere meanwhile.
    func settleDepartures(at moment: Moment) {
        while let (parent, name, due) = departed.first, due <= moment.now {
            departed.removeFirst()
            look(parent, name, because: .scan, at: moment)
        }
    }
}
