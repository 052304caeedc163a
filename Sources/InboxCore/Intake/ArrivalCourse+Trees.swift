import InboxConfiguration
import InboxFiling
import InboxLinux

// What is created in a folder that is being filled.
extension ArrivalCourse {
    /// Returns whether an arrival waits for more, since the folder that it was created in is being filled.
    func gathers(_ arrival: Arrival, _ facts: ArrivalFacts, at moment: Moment) -> Bool {
        let (id, folder) = (arrival.id, arrival.folder)
        let owner = book.owner(of: id)
        guard !facts.cameWhole, trees.isGrowing(folder, of: owner), let top = folder.outermost,
            // Its marker says that it is complete.
            book[id]?.facts?.isMarked != true
        else { return false }
        let end = facts.quietSince + folder.inbox.settings.stallAfter
        guard moment.now < end else { return false }
        if facts.mayBeOpen {
            // Nothing tells of what is written, but its end.
            if isOpen(arrival.name, in: folder) {
                book.update(id) { $0.sawWriter = moment.now }
                wait(id, .writing, "a process has it open for writing", at: moment)
                return true
            }
            book.update(id) { $0.mayBeOpen = false }
        }
        transition(
            id, to: .waiting(.gathering), .observing(until: end), detail: GatheringTrees.words(top), at: moment)
        let expected = trees.await(id, in: folder, of: owner)
        book.update(id) { $0.expected = expected }
        return true
    }

    /// Returns the arrivals, at most so many, whose trees are whole.
    func releaseGathered(most: Int, at moment: Moment) -> ArraySlice<ArrivalID> {
        trees.release(most: most, at: moment) { self.companions.isReady($0) }
    }
}

// Links in the folders of the Inbox that stay inside that.
extension ArrivalCourse {
    /// Returns whether a link goes with its tree: it waits for its target, or has its turn.
    func travels(_ arrival: Arrival, _ facts: ArrivalFacts, at moment: Moment) -> Bool {
        guard let target = target(of: arrival) else { return false }
        if gathers(arrival, facts, at: moment) { return true }
        if isAwaited(target, by: arrival, facts, at: moment) {
            let path = target.dropFirst(arrival.folder.path.count == 1 ? 1 : 0).map { EscapedBytes.printable($0.bytes) }
            let words = "it is a symbolic link to \(path.joined(separator: "/")), and goes with that"
            wait(arrival.id, .gathering, words, at: moment)
        } else if arrival.state == .waiting(.settling) || arrival.state == .held(.symlink) {
            book.transition(arrival.id, to: .queued)
        } else {
            transition(arrival.id, to: .waiting(.settling), .queued, at: moment)
        }
        return true
    }

    /// Returns whether a link that waits goes only when others have done something, rather than in a moment.
    func awaitsOthers(_ link: Arrival, at moment: Moment) -> Bool {
        if trees.isGrowing(link.folder, of: book.owner(of: link.id)) || mayCome(toLink: link, at: moment) {
            return true
        }
        guard let facts = link.facts, let target = target(of: link) else { return false }
        return isAwaited(target, by: link, facts, at: moment)
    }

    /// Returns whether the target of a link, which is in another tree than the link, may yet come.
    func mayCome(toLink link: Arrival, at moment: Moment) -> Bool {
        guard let facts = link.facts, link.folder.inbox.settings.symlinks == .hold, let target = target(of: link) else {
            return false
        }
        return target.first != link.folder.path.first
            && moment.now < facts.quietSince + link.folder.inbox.settings.folderSettle
    }

    /// Returns the facts that filing needs of a link that goes with its tree; nil for what is none.
    func link(_ arrival: Arrival, _ facts: ArrivalFacts, documents: BytePath) -> TreeLink? {
        guard facts.status.kind == .symlink, arrival.folder.inbox.settings.symlinks == .hold,
            let target = target(of: arrival), let top = arrival.folder.outermost
        else { return nil }
        return TreeLink(
            target: target, places: top.past.places + [documents],
            mayPrecede: mayPrecede(target, arrival, in: top))
    }

    /// Returns whether a link may go before its target is there: that is a folder around it, or one that is made where the
    /// tree goes once nothing else is left in that.
    private func mayPrecede(_ target: [FileName], _ link: Arrival, in top: Folder) -> Bool {
        guard emptied.mirrors(top) else { return false }
        if link.folder.path.starts(with: target) { return true }
        let folder = target.reduce(top.parent?.folder) { $0?.folders[$1] }
        guard let folder, !folder.past.wasFilled else { return false }
        return folder.tree.allSatisfy { book.litter(in: $0) != nil }
    }

    /// The names that lead from the Inbox to what a link of a tree leads to; nil where it leaves the Inbox.
    private func target(of arrival: Arrival) -> [FileName]? {
        guard arrival.folder.parent != nil else { return nil }
        do throws(FolderError) {
            let opened = try tree.open(arrival.folder)
            let name = arrival.name
            let text = try tree.openFolders.call(at: arrival.path) { () throws(SyscallError) in
                try opened.directory.target(of: name)
            }
            return TreeLink.target(of: text, in: arrival.folder.path)
        } catch {
            return nil
        }
    }

    /// Returns whether the target of a link has yet to leave the Inbox.
    private func isAwaited(
        _ target: [FileName], by link: Arrival, _ facts: ArrivalFacts, at moment: Moment
    ) -> Bool {
        guard var folder = link.folder.inbox.top else { return false }
        for name in target {
            if let inner = folder.folders[name] {
                folder = inner
                continue
            }
            guard let id = book.id(of: name, in: folder), let arrival = book[id] else {
                return scanner.isToRead(folder) && !scanner.isPostponed(folder)
            }
            // Two links may lead to each other.
            let isLink = arrival.facts?.status.kind == .symlink || arrival.state == .held(.symlink)
            let isPatient = moment.now < facts.quietSince + link.folder.inbox.settings.stallAfter
            return arrival.state != .ignored && id != link.id && (isLink ? isPatient : true)
        }
        return folder.tree.contains { inner in
            if scanner.isToRead(inner), !scanner.isPostponed(inner) { return true }
            return book.arrivals(in: inner, areActive: true).contains { id in
                // Not for the links in it, which may lead out of it again, nor for what is filed last.
                guard let arrival = book[id], arrival.state.group == .waiting, !arrival.name.isHidden else {
                    return false
                }
                return arrival.facts?.status.kind != .symlink
            }
        }
    }
}

// What is known of the folders of a tree.
extension ArrivalCourse {
    /// Something that would be filed has appeared in a folder: the folders around it for which it is the first one stay, if
    /// they had been empty for long.
    func noteDocument(in folder: Folder, at moment: Moment) {
        // With FolderSettle=0 every folder would be one that is made to stay.
        let settle = max(folder.inbox.settings.folderSettle, .seconds(1))
        var (current, wasEmpty) = (folder, true)
        while let parent = current.parent?.folder, let since = current.past.emptySince {
            // What the first reading meets was there before.
            wasEmpty = wasEmpty && current.past.wasRead
            current.past.emptySince = nil
            current.past.isStanding = wasEmpty && since + settle <= moment.now
            current = parent
        }
    }

    /// A document was filed: where the folders that it lay in are there too, the links and empty folders of its tree go there.
    func noteFiled(_ arrival: Arrival, as record: FiledRecord) {
        arrival.folder.outermost?.note(record.destination.place(ofFolders: arrival.folder.path))
    }
}

extension Folder {
    /// Takes note of a place to which documents of the tree have gone of which it is the outermost folder.
    func note(_ place: BytePath?) {
        guard let place, past.places.count < 8, !past.places.contains(place) else { return }
        past.places.append(place)
    }
}
