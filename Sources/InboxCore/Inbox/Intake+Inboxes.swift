import InboxLinux

extension Intake {
    /// How long a missing Inbox may be missing before it is made anew.
    static let missingGrace = Duration.seconds(2)

    /// Takes up the Inboxes of a configuration; those that it no longer names are left, their arrivals withdrawn.
    ///
    /// Inboxes that stay keep their arrivals, which are decided anew under the new settings.
    public func adopt(_ configured: [ConfiguredInbox], at moment: Moment) {
        for inbox in inboxes where !configured.contains(where: { $0.path == inbox.path }) {
            leave(inbox)
            unwatchAround(inbox)
            end(.inbox(inbox.path))
            end(.impostor(inbox.path))
        }
        inboxes = configured.map { configured in
            guard let known = inboxes.first(where: { $0.path == configured.path }) else { return Inbox(configured) }
            known.settings = configured.settings
            // Whoever puts a configuration in force accepts what stands there now.
            known.place = nil
            known.ignoring = Ignoring(configured.settings)
            return known
        }
        for inbox in inboxes {
            inbox.nextVerification = moment.now
            planRescan(of: inbox, at: moment)
        }
        reconsider(at: moment)
    }

    /// Decides anew on everything that is held or ignored, as after a change of the configuration.
    public func reconsider(at moment: Moment) {
        for arrival in table.all where !arrival.isInHand {
            if arrival.status.kind == .directory, !isOneDocument(arrival),
                !arrival.folder.inbox.ignoring.ignores(arrival.name),
                arrival.folder.depth < Self.deepest
            {
                // It is walked from now on: a folder that is walked is no arrival.
                withdraw(arrival.id)
            } else {
                evaluate(arrival.id, at: moment)
            }
        }
        for inbox in inboxes {
            inbox.top.map(leaveUnwalked)
            enqueueAll(of: inbox)
        }
    }

    private func isOneDocument(_ arrival: Arrival) -> Bool {
        arrival.isPackage && (arrival.folder.inbox.settings.folders == .whole || isPackage(arrival.name))
    }

    private func leaveUnwalked(_ top: Folder) {
        var rest = [top]
        while let folder = rest.popLast() {
            for (name, inner) in folder.folders {
                if folder.inbox.ignoring.ignores(name) || folder.inbox.settings.folders == .whole {
                    abandon(inner)
                } else {
                    rest.append(inner)
                }
            }
        }
    }

    private func planRescan(of inbox: Inbox, at moment: Moment) {
        inbox.nextRescan = moment.now + inbox.settings.rescan
        inbox.nextPoll = inbox.isPolled ? moment.now + inbox.pollInterval : .never
    }

    /// Does what the Inboxes' own times ask for.
    func keepAppointments(at moment: Moment) {
        if nextFullScan <= moment.now { beginFullScan(at: moment) }
        for inbox in inboxes {
            if inbox.nextVerification <= moment.now { verify(inbox, at: moment) }
            if inbox.nextRescan <= moment.now {
                counted.rescans += 1
                planRescan(of: inbox, at: moment)
                verify(inbox, at: moment)
                enqueueAll(of: inbox)
            } else if inbox.nextPoll <= moment.now || (inbox.nextPoll == .never && inbox.isPolled) {
                inbox.nextPoll = inbox.isPolled ? moment.now + inbox.pollInterval : .never
                verify(inbox, at: moment)
                enqueueAll(of: inbox) { inbox.needsPolling($0) }
            }
        }
    }

    /// The mounts are these now: an Inbox may be another one, and where one inside it came or went it is read again.
    /// Answers whether the mounts that an Inbox or Documents lies on, or has in it, are others than before.
    ///
    /// `umount -l`, and a mount over a folder, send no event of the folder itself.
    func takeMounts(_ table: MountTable, at moment: Moment, beside documents: BytePath) -> Bool {
        for inbox in inboxes {
            inbox.nextVerification = moment.now
            if table.mounts(beneath: inbox.path) != mounts.mounts(beneath: inbox.path) { enqueueAll(of: inbox) }
        }
        let isConcerned = (inboxes.map(\.path) + [documents]).contains { path in
            table.mounts(concerning: path) != mounts.mounts(concerning: path)
        }
        mounts = table
        return isConcerned
    }

    /// Tries at once what failed, and decides anew on what is held, since its surroundings have changed.
    func tryAgain(at moment: Moment) {
        for arrival in table.all where !arrival.isInHand {
            switch arrival.state {
            case .held(.permission), .held(.loops), .held(.name), .waiting(.retrying):
                table.update(arrival.id) { $0.failures = 0 }
                evaluate(arrival.id, at: moment)
            default: break
            }
        }
    }

    /// Looks whether the Inbox is where it should be, and whether it is still the same.
    func verify(_ inbox: Inbox, at moment: Moment) {
        inbox.nextVerification = .never
        do throws(SyscallError) {
            let folder = try Directory.open(path: inbox.path.bytes)
            let status = try folder.status()
            let key = status.identity.file
            if inbox.top?.key == key, inbox.place != nil { return }
            let place = Place(status, try FilesystemMark(of: folder.descriptor, device: key.device))
            let isSame = inbox.place?.isStill(place) != false
            if isSame { inbox.place = place }
            if inbox.top?.key == key { return }
            leave(inbox)
            if isSame { takeUp(inbox, status, at: moment) } else { strange(inbox, at: moment) }
        } catch {
            absent(inbox, error, at: moment)
        }
    }

    /// Another filesystem stands where the Inbox was: the bare mount point, or another disk. What is on it is left alone
    /// until the first one is back, or somebody accepts this one.
    private func strange(_ inbox: Inbox, at moment: Moment) {
        let isNew = inbox.missingSince == nil
        inbox.missingSince = inbox.missingSince ?? moment.now
        if isNew || inbox.aroundWatch == nil { watchAround(inbox) }
        end(.impostor(inbox.path))
        begin(
            .inbox(inbox.path),
            "the Inbox \(inbox.path) is on another filesystem than before, so nothing in it is filed: mount the one that "
                + "it was on, or run \"inboxctl retry\" to accept this one")
    }

    private func takeUp(_ inbox: Inbox, _ status: FileStatus, at moment: Moment) {
        inbox.missingSince = nil
        watchAround(inbox)
        end(.inbox(inbox.path))
        end(.impostor(inbox.path))
        inbox.top = enter(status.identity.file, place: .top, inbox: inbox, depth: 0, at: moment)
        planRescan(of: inbox, at: moment)
    }

    /// Watches the folder around an Inbox. The Inbox itself tells of its removal only when nobody is in it any more; a
    /// missing one is waited for there.
    ///
    /// What is filed into that folder makes no event, since names that come are asked for only while one is missing.
    private func watchAround(_ inbox: Inbox) {
        guard let inotify, let parent = inbox.path.parent else { return }
        let siblings = inboxes.filter { $0.path.parent == parent }
        var mask: InotifyMask = [.deleted, .movedFrom, .selfDeleted, .selfMoved, .onlyFolder]
        if siblings.contains(where: { $0.missingSince != nil }) { mask.formUnion([.created, .movedTo]) }
        do throws(SyscallError) {
            let watch = try inotify.watch(try Directory.open(path: parent.bytes), for: mask)
            for sibling in siblings { sibling.aroundWatch = watch }
        } catch {
            // Without it the removal is met by the next look or the next safety scan.
            inbox.aroundWatch = nil
        }
    }

    private func unwatchAround(_ inbox: Inbox) {
        guard let watch = inbox.aroundWatch else { return }
        inbox.aroundWatch = nil
        guard !inboxes.contains(where: { $0.aroundWatch == watch }) else { return }
        retired.insert(watch)
        inotify?.unwatch(watch)
    }

    /// Lets go of everything that was known of an Inbox.
    private func leave(_ inbox: Inbox) {
        openFolders.clear()
        if let top = inbox.top { abandon(top) }
        if let around = inbox.around { abandon(around) }
        inbox.top = nil
        inbox.around = nil
        inbox.filesystems = [:]
    }

    private func absent(_ inbox: Inbox, _ error: SyscallError, at moment: Moment) {
        if inbox.top != nil { leave(inbox) }
        let since = inbox.missingSince ?? moment.now
        inbox.missingSince = since
        inbox.nextVerification = moment.now + Self.missingGrace
        if inbox.aroundWatch == nil || since == moment.now { watchAround(inbox) }
        switch error.errno {
        case .notDirectory:
            begin(.impostor(inbox.path), "\(inbox.path) is not a folder: the Inbox is made when it has gone")
            lookAround(inbox, at: moment)
        case .noEntry:
            if inbox.settings.removeInbox {
                // That is as it should be; it is waited for in the folder around it.
                end(.inbox(inbox.path))
                if inbox.aroundWatch != nil { inbox.nextVerification = .never }
                return
            }
            if !problems.stands(.inbox(inbox.path)) {
                begin(.inbox(inbox.path), "the Inbox \(inbox.path) is missing")
            }
            if since + Self.missingGrace <= moment.now {
                remake(inbox, at: moment)
            }
        default:
            begin(.inbox(inbox.path), "cannot read the Inbox \(inbox.path): \(error.errno)")
        }
    }

    /// What stands under the Inbox's name is a document like any other: it is filed, and makes room.
    private func lookAround(_ inbox: Inbox, at moment: Moment) {
        guard let name = inbox.name, let parent = inbox.path.parent else { return }
        if let around = inbox.around {
            look(around, name, because: .due, at: moment)
            return
        }
        do throws(SyscallError) {
            let status = try Directory.open(path: parent.bytes).status()
            let around = Folder(inbox: inbox, place: .around, key: status.identity.file, depth: 0, touched: moment.now)
            inbox.around = around
            look(around, name, because: .scan, at: moment)
        } catch {
            begin(.inbox(inbox.path), "cannot open the folder \(parent): \(error.errno)")
        }
    }

    /// Makes the Inbox anew: never on another filesystem than the one it stood on, such as a bare mount point.
    private func remake(_ inbox: Inbox, at moment: Moment) {
        guard let name = inbox.name, let parent = inbox.path.parent else { return }
        do throws(SyscallError) {
            let folder = try Directory.open(path: parent.bytes)
            if let place = inbox.place, try !folder.filesystemMark().isSame(as: place.filesystem) {
                let text =
                    "the Inbox \(inbox.path) is missing, and it was on another filesystem than \(parent) is: mount "
                    + "the one that it was on, or run \"inboxctl retry\" to have it made here"
                begin(.inbox(inbox.path), text)
                return
            }
            try making.make(name, in: folder, at: parent)
            tell(.notice("made the Inbox \(inbox.path) anew"))
            inbox.nextVerification = moment.now
        } catch {
            begin(.inbox(inbox.path), "cannot make the Inbox \(inbox.path): \(error.errno)")
        }
    }
}
