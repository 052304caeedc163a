import InboxConfiguration
import InboxFiling
import InboxLinux

// What lies beside an arrival and shows that it is not finished, or that somebody edits it.
extension ArrivalCourse {
    /// Something that shows that an arrival is not finished, and for whose end the arrival waits.
    struct Sibling {
        /// The evidence that the arrival is not finished.
        enum Evidence {
            /// This partial download, or what says how far it has come.
            case partial(FileName)
            /// This lock.
            case lock(FileName)
            /// This one, which a program makes of it.
            case output(FileName)
            /// A partial download in it, where it is a package.
            case inside
            /// The folder around it, of this name, into which Safari downloads.
            case download(FileName)
            /// This document, of which it says how far it has come.
            case subject(FileName)
            /// This document, of which it is the lock.
            case locked(FileName)
            /// Its name, which yt-dlp gives to what it makes a film of.
            case stream
            /// It was downloaded here, and has the name of a film or a sound, of which yt-dlp may have another one made.
            case film
            /// Its modification time, which rsync gives to what is not complete.
            case mark
        }

        let evidence: Evidence
        /// When it is stale, if it does not grow; nil where it is never, or that is not known.
        let until: Instant?
        /// Its end sends no event.
        var isSilent = false

        /// When to look again where events report changes; nil where that has to be asked for again and again.
        func nextLook(at moment: Moment) -> Instant? {
            isSilent ? nil : min(until ?? .never, moment.now + .seconds(60))
        }

        /// Describes the thing for which the arrival waits.
        func words(_ settings: InboxSettings) -> String {
            let stall = "has not grown for \(TimeSpan.text(settings.stallAfter))"
            return switch evidence {
            case .partial(let name):
                "the partial download \(name) is beside it: it waits until that is complete, "
                    + (until == nil ? "or removed" : "or \(stall)")
            case .lock(let name):
                "\(name) beside it shows that somebody edits it: it waits until that is gone; remove that if nobody does"
            case .output(let name):
                "\(name) beside it, which is open for writing, is made of it: it waits until that is closed"
            case .inside:
                "a partial download, or a file that git has while it writes, is in it: it waits until that is gone, "
                    + "or \(stall)"
            case .download(let name):
                "Safari downloads into \(name): it waits until that is complete and has left it, or \(stall)"
            case .subject(let name):
                "it says how far \(name) beside it has come: it waits until that is complete, or \(stall)"
            case .locked(let name):
                "it shows that somebody edits \(name) beside it: it waits until that is filed; remove it if nobody does"
            case .stream:
                "yt-dlp has downloaded it as a part of a film: it waits until that is made, or \(stall)"
            case .film:
                "it was downloaded here, and the program may make another film or a sound of it: it waits some seconds for that"
            case .mark:
                "rsync has left it incomplete, as its modification time of 1970 shows: it waits until it is complete, or has "
                    + "not changed for \(TimeSpan.text(settings.stallAfter))"
            }
        }
    }

    /// A name shows that others are not finished. Whoever reads the folder may have met those first.
    func note(_ found: UnfinishedName, _ arrival: Arrival, at moment: Moment) {
        guard arrival.folder.past.unfinished.note(arrival.name, found) else { return }
        for subject in found.subjects {
            guard let name = subject.name, let id = book.id(of: name, in: arrival.folder) else { continue }
            if book.isInPhase(.queued, id) || book.isInPhase(.queuedForCopy, id) { evaluate(id, at: moment) }
        }
    }

    /// Something happened to a name that shows that others are not finished: what waits for it is decided anew.
    func reconsiderSubjects(of name: FileName, in folder: Folder, at moment: Moment) {
        guard !folder.past.unfinished.isEmpty,
            let found = UnfinishedName(ignored: name) ?? UnfinishedName(document: name)
        else { return }
        for subject in found.subjects {
            guard let name = subject.name else {
                // Several names have that in common.
                for id in book.arrivals(in: folder, areActive: true).prefix(Self.mostReconsidered) {
                    guard let other = book[id]?.name, UnfinishedName.subjects(of: other).contains(subject) else {
                        continue
                    }
                    reconsider(id, found, at: moment)
                }
                continue
            }
            if let id = book.id(of: name, in: folder) { reconsider(id, found, at: moment) }
            guard let inner = folder.folders[name] else { continue }
            for id in inner.tree.lazy.flatMap({ self.book.arrivals(in: $0, areActive: true) })
                .prefix(Self.mostReconsidered)
            {
                reconsider(id, found, at: moment)
            }
        }
    }

    /// Arrivals. What is left when there are very many is decided a minute later.
    private static let mostReconsidered = 1_024

    private func reconsider(_ id: ArrivalID, _ found: UnfinishedName, at moment: Moment) {
        guard book.state(of: id) == .waiting(.sibling), !book.isInPhase(.inFlight, id) else { return }
        if found.endsSubjects {
            book.update(id) { facts in
                facts.quietSince = moment.now
                facts.needsQuiet = true
            }
        }
        evaluate(id, at: moment)
    }

    /// The time for which a film waits that was downloaded here: yt-dlp starts some programs before one opens it.
    private static let filmPatience = Duration.seconds(5)

    /// Returns the thing that shows that an arrival is not finished: in it, beside it, or beside a folder around it.
    /// - Parameter isThorough: whether a partial download that no reading has met yet is searched for too.
    func sibling(
        of arrival: Arrival, _ facts: ArrivalFacts, isThorough: Bool = false, at moment: Moment
    ) -> Sibling? {
        let stallAfter = arrival.folder.inbox.settings.stallAfter
        if facts.package?.hasPartial == true {
            // Where its time is made up, the surveys show since when it has not grown.
            let modified = facts.status.identity.modified
            let isMadeUp = Settling.isMadeUp(modified, at: moment)
            let since = isMadeUp ? facts.quietSince : Settling.quietSince(changed: modified, at: moment)
            let until = since + stallAfter
            if moment.now < until { return Sibling(evidence: .inside, until: until) }
        }
        if facts.isMarkedIncomplete {
            let until = facts.quietSince + stallAfter
            if moment.now < until { return Sibling(evidence: .mark, until: until) }
        }
        if let own = control(arrival, facts, at: moment) { return own }
        if facts.wasPartial, arrival.name.isFilm {
            let until = facts.quietSince + Self.filmPatience
            if moment.now < until { return Sibling(evidence: .film, until: until) }
        }
        let question = (name: arrival.name, isEmpty: facts.isEmpty)
        if let found = sibling(beside: question, in: arrival.folder, isThorough: isThorough, at: moment) {
            return found
        }
        var folder = arrival.folder
        while let (parent, name) = folder.parent {
            if UnfinishedName.isSafariFolder(name), book.id(of: UnfinishedName.safariProgress, in: folder) != nil {
                let until = facts.quietSince + stallAfter
                if moment.now < until { return Sibling(evidence: .download(name), until: until) }
            }
            if !parent.past.unfinished.isEmpty,
                let found = sibling(beside: (name, false), in: parent, isThorough: false, at: moment)
            {
                return found
            }
            folder = parent
        }
        return nil
    }

    /// Returns the thing for which an arrival waits if the arrival is itself a record of another one's progress.
    private func control(_ arrival: Arrival, _ facts: ArrivalFacts, at moment: Moment) -> Sibling? {
        guard let found = UnfinishedName(document: arrival.name) else { return nil }
        let folder = arrival.folder
        note(found, arrival, at: moment)
        if found.kind == .output {
            // Unpacking reads it for as long as it writes the other one.
            let other = found.subjects.lazy.compactMap(\.name).first { book.id(of: $0, in: folder) != nil }
            guard let other, isOpen(other, in: folder) else { return nil }
            return Sibling(evidence: .output(other), until: nil, isSilent: true)
        }
        let until = facts.quietSince + folder.inbox.settings.stallAfter
        guard found.kind == .lock || moment.now < until else { return nil }
        for subject in found.subjects {
            guard let name = subject.name, name != arrival.name,
                book.id(of: name, in: folder) != nil || found.kind == .lock && isThere(name, in: folder)
            else { continue }
            if found.kind == .lock { return Sibling(evidence: .locked(name), until: nil) }
            return Sibling(evidence: .subject(name), until: until)
        }
        return facts.wasPartial && arrival.name.isStream ? Sibling(evidence: .stream, until: until) : nil
    }

    private func sibling(
        beside subject: (name: FileName, isEmpty: Bool), in folder: Folder, isThorough: Bool, at moment: Moment
    ) -> Sibling? {
        let isThorough = isThorough || folder.past.wasCrowded
        guard isThorough || !folder.past.unfinished.isEmpty else { return nil }
        var names = folder.past.unfinished.names(about: subject.name) { name in
            isThorough || book.id(of: name, in: folder) != nil
        }
        if isThorough {
            names += UnfinishedName.partialNames(of: subject.name).filter { [names] name in
                folder.ignores(name) && !names.contains(name)
            }
        }
        for name in names {
            if let found = inspect(name, beside: subject, in: folder, at: moment) { return found }
        }
        return nil
    }

    /// Returns whether a name that shows something of another still counts.
    private func inspect(
        _ name: FileName, beside subject: (name: FileName, isEmpty: Bool), in folder: Folder, at moment: Moment
    ) -> Sibling? {
        let isIgnored = folder.ignores(name)
        let stallAfter = folder.inbox.settings.stallAfter
        let found = isIgnored ? UnfinishedName(ignored: name) : UnfinishedName(document: name)
        guard let found else { return nil }
        let kind = found.kind
        let status: FileStatus
        do throws(FolderError) {
            // Nobody inspects what is ignored, so its growth shows here.
            status = try tree.status(of: name, in: folder)
        } catch {
            // Nor can a name that is too long for the filesystem be there.
            if error.isAbsent || error.isUnfitName { return nil }
            return Sibling(evidence: .partial(name), until: nil, isSilent: true)
        }
        let until = hidden.futureTimes.quietSince(status, at: moment) + stallAfter
        // It may be a document, was met first, and knew of nothing to wait for.
        if !isIgnored, kind == .control || kind == .lock, let id = book.id(of: name, in: folder),
            book.isInPhase(.queued, id)
        {
            evaluate(id, at: moment)
        }
        switch kind {
        case .partial:
            if subject.isEmpty { return Sibling(evidence: .partial(name), until: nil) }
        case .control:
            // Of two films with such names, which nobody downloads or writes, neither is a part of another.
            if found.isStream, !wasPartial(name, in: folder), !isOpen(name, in: folder) { return nil }
        case .lock: return Sibling(evidence: .lock(name), until: nil)
        case .openLock:
            switch lease(on: name, in: folder) {
            case .writer: return Sibling(evidence: .lock(name), until: nil, isSilent: true)
            // Its editor was killed, or it was copied along.
            case .held: return nil
            case .unavailable: break
            }
        case .output: return isOpen(name, in: folder) ? Sibling(evidence: .output(name), until: nil) : nil
        case .processLock:
            guard status.kind == .symlink else { return nil }
            return isRunning(name, in: folder) ? Sibling(evidence: .lock(name), until: nil, isSilent: true) : nil
        }
        guard moment.now < until else { return nil }
        return Sibling(evidence: kind == .openLock ? .lock(name) : .partial(name), until: until)
    }

    /// Returns whether a folder has a name that no reading may have met yet.
    private func isThere(_ name: FileName, in folder: Folder) -> Bool {
        do throws(FolderError) {
            _ = try tree.status(of: name, in: folder)
            return true
        } catch {
            return false
        }
    }

    /// Returns whether a file was downloaded here.
    private func wasPartial(_ name: FileName, in folder: Folder) -> Bool {
        book.id(of: name, in: folder).flatMap { book[$0]?.facts?.wasPartial } ?? false
    }

    /// Returns whether a process of this machine has a lock open for writing.
    func isOpen(_ name: FileName, in folder: Folder) -> Bool { lease(on: name, in: folder) == .writer }

    /// Asks for a read lease on a file, and gives it back.
    private func lease(on name: FileName, in folder: Folder) -> ReadLease.Answer {
        do throws(FolderError) {
            let opened = try tree.open(folder)
            return try tree.openFolders.call(at: folder.path(of: name)) { () throws(SyscallError) in
                let file = try opened.directory.file(name, mayCross: false)
                defer { ReadLease.releaseAny(file) }
                return ReadLease.takeUnlessRemote(file)
            }
        } catch {
            return .unavailable(nil)
        }
    }

    /// Returns whether the process of this machine that a lock names is there.
    private func isRunning(_ name: FileName, in folder: Folder) -> Bool {
        do throws(FolderError) {
            let opened = try tree.open(folder)
            let target = try tree.openFolders.call(at: folder.path(of: name)) { () throws(SyscallError) in
                try opened.directory.target(of: name)
            }
            guard let lock = ProcessLock(target.bytes[...]) else { return false }
            return lock.isRunningHere
        } catch {
            return false
        }
    }
}

/// The target of the link that Emacs makes while it edits a file: `user@host.process:boot`.
struct ProcessLock: Equatable {
    let host: [UInt8]
    let process: Int32

    init?(_ text: ArraySlice<UInt8>) {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let place = text[(at + 1)...].prefix { $0 != UInt8(ascii: ":") }
        guard let dot = place.lastIndex(of: UInt8(ascii: ".")),
            let number = Int32(String(decoding: place[(dot + 1)...], as: UTF8.self)), number > 0
        else { return nil }
        host = Array(place[..<dot])
        process = number
    }

    /// The process is one of this machine, and there.
    var isRunningHere: Bool { host == Process.hostName && Process.isThere(process) }
}
