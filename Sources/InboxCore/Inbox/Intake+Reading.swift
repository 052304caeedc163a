import InboxLinux

/// A folder that is being read, a part at a time.
struct FolderReading: ~Copyable {
    let folder: Folder
    let scan: UInt64
    var entries: DirectoryEntries
}

extension Intake {
    /// So many names are looked at in one turn of the loop, so that others are served meanwhile.
    private static let portion = 512

    /// Puts a folder in the row of those to be read.
    func enqueue(_ folder: Folder) {
        guard !folder.isQueued, !folder.isGone else { return }
        folder.isQueued = true
        toRead.append(folder)
    }

    /// Everything is read again, though not more often than once a second.
    public func requestFullScan(at moment: Moment) {
        nextFullScan = min(nextFullScan, max(moment.now, lastFullScan.map { $0 + .seconds(1) } ?? moment.now))
    }

    /// Enqueues every walked folder.
    func beginFullScan(at moment: Moment) {
        nextFullScan = .never
        lastFullScan = moment.now
        counted.rescans += 1
        for inbox in inboxes {
            verify(inbox, at: moment)
            enqueueAll(of: inbox)
        }
    }

    /// Enqueues the walked folders of an Inbox that are wanted, and tries again to watch those that are not watched.
    func enqueueAll(of inbox: Inbox, where isWanted: (Folder) -> Bool = { _ in true }) {
        var rest = inbox.top.map { [$0] } ?? []
        while let folder = rest.popLast() {
            watch(folder)
            if isWanted(folder) { enqueue(folder) }
            rest.append(contentsOf: folder.folders.values)
        }
    }

    /// Reads on where the last turn stopped.
    func read(at moment: Moment) {
        for _ in 0..<Self.portion where ready.count < mostReady {
            if reading == nil {
                guard let folder = toRead.popLast() else { return }
                folder.isQueued = false
                begin(folder, at: moment)
            }
            readOne(at: moment)
        }
    }

    private func begin(_ folder: Folder, at moment: Moment) {
        guard !folder.isGone else { return }
        do throws(SyscallError) {
            // Opened anew: reading moves the offset of a shared descriptor.
            let opened = try openFolders.directory(folder).directory.folder(beneath: [])
            scans += 1
            reading = FolderReading(folder: folder, scan: scans, entries: try DirectoryEntries(of: opened))
            end(.folder(folder.key))
        } catch {
            readFailed(folder, error, at: moment)
        }
    }

    private func readFailed(_ folder: Folder, _ error: SyscallError, at moment: Moment) {
        if error.errno.isAbsent {
            watchLost(folder, at: moment)
        } else {
            begin(.folder(folder.key), "cannot read the folder \(folder.bytePath): \(error.errno)")
            // A change of its mode sends an event; want of descriptors or memory passes without one.
            if error.errno.isTransient { nextFullScan = min(nextFullScan, moment.now + .seconds(5)) }
        }
    }

    /// A walked folder is not where it was: whoever is above it is looked at.
    func watchLost(_ folder: Folder, at moment: Moment) {
        if case .inside(let parent, let name) = folder.place {
            openFolders.forget(parent)
            look(parent, name, because: .scan, at: moment)
        } else {
            openFolders.clear()
            folder.inbox.nextVerification = moment.now
        }
    }

    private func readOne(at moment: Moment) {
        guard reading != nil, let folder = reading?.folder, let scan = reading?.scan else { return }
        do throws(SyscallError) {
            if !folder.isGone, let entry = try reading?.entries.next() {
                look(folder, entry.name, because: .scan, at: moment)
                if let id = folder.arrivals[entry.name] { table.update(id) { $0.scan = scan } }
                folder.folders[entry.name]?.scan = scan
                return
            }
            reading = nil
            finish(folder, scan, at: moment)
        } catch {
            reading = nil
            readFailed(folder, error, at: moment)
        }
    }

    /// What the reading did not meet is looked at by name: it may have come later, or be gone.
    private func finish(_ folder: Folder, _ scan: UInt64, at moment: Moment) {
        guard !folder.isGone else { return }
        for (name, id) in folder.arrivals where table[id]?.scan != scan {
            look(folder, name, because: .due, at: moment)
        }
        for (name, inner) in folder.folders where inner.scan != scan {
            look(folder, name, because: .scan, at: moment)
        }
    }

    /// There is no room for more arrivals, or more folders: the folder is read again when there is.
    func crowded(_ folder: Folder) {
        let text =
            "more than \(Self.mostArrivals) arrivals wait or are held, or more than \(mostFolders) folders are there; "
            + "the rest is taken in when there is room"
        begin(.crowd, text)
        crowdedFolders[ObjectIdentifier(folder)] = folder
    }

    /// Reads the folders that were too full, once a tenth of the room is free.
    func relieveCrowd() {
        guard !crowdedFolders.isEmpty, table.count < Self.mostArrivals / 10 * 9, byKey.count < mostFolders / 10 * 9
        else { return }
        for folder in crowdedFolders.values { enqueue(folder) }
        crowdedFolders = [:]
        end(.crowd)
    }
}
