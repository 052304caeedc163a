import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink

/// Every arrival that is there now, with its phase, and the counts. Nothing else changes either.
///
/// Something is done with few of them at a time; of the others, which are held or ignored, only what ``ArrivalSlots``
/// keeps is in memory.
final class ArrivalBook {
    /// The numbers of arrivals for which there is room.
    var limits = Limits()
    private(set) var slots = ArrivalSlots()
    private(set) var active = ActiveArrivals()
    /// The slots of the active arrivals by the digests of their files.
    private var byFile = SlotTable()
    private var details: [UInt32: String] = [:]
    private var counted = Accounting()
    private var turns = Turns()
    private var shares = OwnerShares()
    /// Which arrivals need which markers.
    var marked = MarkedArrivals()

    /// The counts of what became of everything so far.
    var accounting: Accounting { counted }

    /// The counts equal those of a recount, if there are few enough arrivals for one: a debug build checks this after
    /// each turn of the loop.
    var isConsistent: Bool {
        guard count <= 10_000 else { return counted.isBalanced }
        var recounted = Accounting()
        for slot in 0..<slots.slotCount where slots.isUsed(slot) {
            let group = slots[slot].group
            let activeGroup = slots[slot].place.map { active[$0].activity.state.group }
            guard activeGroup.map({ $0 == group }) ?? (group != .waiting) else { return false }
            recounted[group] += 1
        }
        return counted.isBalanced && ArrivalState.Group.allCases.allSatisfy { recounted[$0] == counted[$0] }
    }

    /// The number of arrivals.
    var count: Int { slots.count }

    /// The number of arrivals that are being worked on.
    var activeCount: Int { active.count }

    /// Those that something is done with, in no order.
    var allActive: [Arrival] { active.slots.map(arrival) }

    /// The number of the next arrival, or of the next one of a group; nil where there is no more.
    /// - Parameters:
    ///   - position: where the search begins, at first 0; afterwards where it goes on.
    ///   - end: where the search ends at the latest.
    func nextID(
        _ group: ArrivalState.Group? = nil, from position: inout UInt32, before end: UInt32 = .max
    ) -> ArrivalID? {
        slots.next(group, from: &position, before: end).map { slots.id(of: $0) }
    }

    /// The positions of such a search end here.
    var slotCount: UInt32 { slots.slotCount }

    /// Returns the reported state of an arrival; nil if it is gone.
    func state(of id: ArrivalID) -> ArrivalState? { slots.slot(of: id).map(state) }

    /// The arrival of this number; nil where it has gone.
    subscript(id: ArrivalID) -> Arrival? { slots.slot(of: id).map(arrival) }

    /// The arrival that has this name.
    func id(of name: FileName, in folder: Folder) -> ArrivalID? {
        slots.find(name, in: folder).map { slots.id(of: $0) }
    }

    /// The user whose arrival this is; root's where it has gone.
    func owner(of id: ArrivalID) -> UInt32 { slots.slot(of: id).map { shares[slots[$0].owner].owner } ?? 0 }

    /// The arrivals in a folder that something is done with, or the others, at most so many.
    func arrivals(in folder: Folder, areActive: Bool, most: Int = .max) -> [ArrivalID] {
        slots.slots(in: folder, most: most) { (slots[$0].place != nil) == areActive }.map { slots.id(of: $0) }
    }

    /// Returns true if an arrival in a folder has a state that meets the condition.
    /// - Parameter besidesHidden: whether hidden names are left out.
    func has(in folder: Folder, besidesHidden: Bool, _ isMeant: (ArrivalState) -> Bool) -> Bool {
        slots.slots(in: folder).contains { slot in
            if besidesHidden, slots.isHidden(slot) { return false }
            return isMeant(state(slot))
        }
    }

    /// The names of ignored arrivals in a folder, at most so many.
    func ignored(in folder: Folder, most: Int) -> [FileName] {
        slots.slots(in: folder).lazy.filter { self.slots[$0].state == .ignored && self.slots[$0].place == nil }
            .prefix(most).map { self.slots.name(of: $0) }
    }

    /// The litter in a folder in which nothing else is; nil where something is, or very much.
    func litter(in folder: Folder) -> [FileName]? {
        if isFree(folder) { return [] }
        let slots = slots.slots(in: folder, most: 65) { _ in true }
        guard slots.count < 65 else { return nil }
        var names: [FileName] = []
        for slot in slots {
            let name = self.slots.name(of: slot)
            guard state(slot) == .ignored, Litter.contains(name) || Litter.containsFolder(name) else { return nil }
            names.append(name)
        }
        return names
    }

    /// The arrivals in a folder that wait, without a time of their own, for what is beside them.
    /// - Parameter isMeant: takes whether the name is hidden.
    func delayed(in folder: Folder, where isMeant: (Bool) -> Bool) -> [ArrivalID] {
        slots.slots(in: folder).filter { slot in
            guard state(slot) == .waiting(.sibling) else { return false }
            return phase(slot) == .observing(until: .never) && isMeant(slots.isHidden(slot))
        }.map { slots.id(of: $0) }
    }

    /// Returns true if a folder has no arrival.
    func isFree(_ folder: Folder) -> Bool { slots.isFree(folder) }

    /// The active arrivals that are names of this file, at most so many.
    func names(of mark: FileMark, most: Int) -> [Arrival] {
        byFile.all(mark.file, most: most) { slots[$0].mark.file == mark.file }.map(arrival)
    }

    /// Returns true if the arrival still has its name: another may have taken it while the arrival was in flight.
    func hasName(_ arrival: Arrival) -> Bool { id(of: arrival.name, in: arrival.folder) == arrival.id }

    /// Returns true if an arrival is there and has this phase.
    func isInPhase(_ phase: ArrivalPhase, _ id: ArrivalID) -> Bool {
        slots.slot(of: id).map { self.phase($0) == phase } ?? false
    }

    private func state(_ slot: UInt32) -> ArrivalState {
        slots[slot].place.map { active[$0].activity.state } ?? slots[slot].state ?? .ignored
    }

    private func phase(_ slot: UInt32) -> ArrivalPhase {
        slots[slot].place.map { active[$0].activity.phase } ?? .resting
    }

    private func arrival(_ slot: UInt32) -> Arrival {
        let whole = slots.whole(slot)
        guard let place = whole.kept.place else { return slots.arrival(slot, details[slot]) }
        return active.arrival(at: place, whole.id, in: whole.folder, whole.kept)
    }
}

// What happens to arrivals.
extension ArrivalBook {
    /// Takes a new arrival in; nil where there is no room for it.
    /// - Parameters:
    ///   - mark: the digest of its status, where that is known.
    ///   - complete: adds to what is known of it.
    func add(
        _ name: FileName, in folder: Folder, _ status: FileStatus, _ mark: FileMark? = nil, at moment: Moment,
        completing complete: (inout ArrivalFacts) -> Void = { _ in }
    ) -> ArrivalID? {
        let owner = shares.number(of: status.owner)
        let room = FileName.room(of: name.count)
        guard slots.room + room <= limits.all, activeCount < limits.waiting else { return nil }
        let slot = slots.add(name, in: folder, owner: owner)
        slots[slot].mark = mark ?? FileMark(status)
        slots[slot].size = status.size
        shares[owner].all += room
        counted.seen += 1
        counted.waiting += 1
        var facts = ArrivalFacts(status, at: moment)
        complete(&facts)
        activate(slot, name, ArrivalActivity(since: moment.wall, facts: facts))
        return slots.id(of: slot)
    }

    /// Something is done with an arrival that was held or ignored: it was found like this.
    func wake(_ id: ArrivalID, _ status: FileStatus, at moment: Moment) {
        guard let slot = slots.slot(of: id) else { return }
        let known = slots[slot].place.map { active[$0].activity }
        guard known?.facts == nil else { return }
        let (state, since) = (state(slot), known?.since ?? slots[slot].since)
        var facts = ArrivalFacts(status, at: moment)
        facts.seen = min(facts.seen, UInt32(clamping: since.seconds))
        if case .held = state { facts.trouble = ArrivalFacts.Trouble(state: state, since: since) }
        setActivity(of: slot) { $0.facts = facts }
    }

    /// Changes an activity where it is: a copy of it costs more than most changes.
    private func setActivity(of slot: UInt32, _ change: (inout ArrivalActivity) -> Void) {
        if let place = slots[slot].place { return change(&active[place].activity) }
        var activity = ArrivalActivity(state: state(slot), detail: details[slot], since: slots[slot].since)
        change(&activity)
        activate(slot, slots.name(of: slot), activity)
    }

    private func activate(_ slot: UInt32, _ name: FileName, _ activity: ArrivalActivity) {
        let place = active.add(ActiveArrivals.Entry(slot: slot, name: name, activity: activity))
        slots[slot].place = place
        let (owner, file) = (slots[slot].owner, slots[slot].mark.file)
        shares[owner].waiting += 1
        byFile.insert(slot, file) { slots[$0].mark.file }
    }

    private func deactivate(_ slot: UInt32) {
        guard let place = slots[slot].place else { return }
        active.remove(place)
        slots[slot].place = nil
        let (owner, file) = (slots[slot].owner, slots[slot].mark.file)
        shares[owner].waiting -= 1
        byFile.remove(slot, file) { slots[$0].mark.file }
    }

    /// Adds an arrival that is filed at once: a copy of something that stays in the Inbox.
    func addFiled(_ record: FiledRecord) {
        counted.seen += 1
        countFiled(record)
    }

    /// Takes an arrival out.
    @discardableResult
    func remove(_ id: ArrivalID, as departure: Departure = .withdrawn) -> Arrival? {
        guard let arrival = takeOut(id) else { return nil }
        switch departure {
        case .withdrawn: counted.withdrawn += 1
        case .filed(let record): countFiled(record)
        case .duplicate: counted.duplicates += 1
        case .absorbed: counted.seen -= 1
        }
        return arrival
    }

    private func takeOut(_ id: ArrivalID) -> Arrival? {
        guard let slot = slots.slot(of: id) else { return nil }
        let arrival = self.arrival(slot)
        counted[arrival.state.group] -= 1
        if arrival.state.isIdle { shares[slots[slot].owner].idle -= 1 }
        if arrival.phase == .queued || arrival.phase == .queuedForCopy { turns.giveUp(id) }
        turns.note(.resting, of: id, owner: 0)
        deactivate(slot)
        if !details.isEmpty { details[slot] = nil }
        if !marked.isEmpty { marked.forget(id) }
        shares[slots[slot].owner].all -= FileName.room(of: arrival.name.count)
        slots.remove(slot)
        return arrival
    }

    /// Changes what was found at an arrival that something is done with; it stays the same file.
    func update(_ id: ArrivalID, _ change: (inout ArrivalFacts) -> Void) {
        guard let slot = slots.slot(of: id), let place = slots[slot].place else { return }
        active[place].activity.facts?.change(by: change)
    }

    /// Changes what is reported of an arrival; the change, where it is one. The time of the change stays where nothing
    /// changes, and where the arrival is in the trouble again that it was in before a try.
    func report(_ id: ArrivalID, as state: ArrivalState, detail: String?, at moment: Moment) -> StateChange? {
        guard let slot = slots.slot(of: id) else { return nil }
        let known = self.state(slot)
        guard known != state else {
            setActivity(of: slot) { $0.detail = detail }
            return nil
        }
        counted[known.group] -= 1
        counted[state.group] += 1
        if known.isIdle != state.isIdle { shares[slots[slot].owner].idle += state.isIdle ? 1 : -1 }
        let trouble = slots[slot].place.flatMap { active[$0].activity.facts?.trouble }
        let isAgain = trouble?.state == state
        slots[slot].state = state
        setActivity(of: slot) { activity in
            activity.state = state
            activity.detail = detail
            activity.since = isAgain ? trouble?.since ?? moment.wall : moment.wall
            if state.isTrouble, !isAgain {
                activity.facts?.trouble = ArrivalFacts.Trouble(state: state, since: moment.wall)
            }
        }
        return StateChange(arrival: arrival(slot), isAgain: isAgain)
    }

    /// Changes what is done with an arrival next. What is held or ignored and rests is kept in its slot alone.
    func transition(_ id: ArrivalID, to phase: ArrivalPhase) {
        guard let slot = slots.slot(of: id) else { return }
        let owner = shares[slots[slot].owner].owner
        let isLarge = phase == .queuedForCopy && slots[slot].place.map { active[$0].activity.isLarge } == true
        turns.note(phase, of: id, owner: owner, isLarge: isLarge)
        guard phase == .resting, state(slot).group != .waiting else {
            setActivity(of: slot) { activity in
                activity.phase = phase
                if phase != .inFlight { activity.copying = nil }
            }
            return
        }
        guard let place = slots[slot].place else { return }
        let status = active[place].activity.facts?.status
        let (since, detail) = (active[place].activity.since, active[place].activity.detail)
        deactivate(slot)
        if let status {
            slots[slot].mark = FileMark(status)
            slots[slot].size = status.size
        }
        slots[slot].since = since
        if !details.isEmpty { details[slot] = nil }
        if let detail, details.count < limits.details { details[slot] = detail }
    }

    /// A reading of a folder begins: it has met none of its arrivals.
    func beginReading(of folder: Folder) {
        for slot in slots.slots(in: folder) { slots[slot].isMet = false }
    }

    /// The reading of its folder has met an arrival.
    func noteMet(_ id: ArrivalID) { if let slot = slots.slot(of: id) { slots[slot].isMet = true } }

    /// The arrivals in a folder that its reading has not met.
    func unmet(in folder: Folder) -> [ArrivalID] {
        slots.slots(in: folder).filter { !slots[$0].isMet }.map { slots.id(of: $0) }
    }

    /// Its copy has begun.
    func beginCopy(_ id: ArrivalID, done: @escaping @Sendable () -> UInt64) {
        if let slot = slots.slot(of: id), let place = slots[slot].place { active[place].activity.copying = done }
    }

    /// The arrival has another name now, in the same folder or in another.
    func move(_ id: ArrivalID, to folder: Folder, as name: FileName) {
        guard let slot = slots.slot(of: id) else { return }
        shares[slots[slot].owner].all += FileName.room(of: name.count) - FileName.room(of: slots.name(of: slot).count)
        slots.move(slot, to: folder, as: name)
        if let place = slots[slot].place { active[place].name = name }
    }

    /// The name of an arrival is free for another, though it is still there. Returns the folder that it is in.
    @discardableResult
    func releaseName(of id: ArrivalID) -> Folder? {
        guard let slot = slots.slot(of: id) else { return nil }
        slots.releaseName(of: slot)
        return slots.folder(of: slot)
    }

    /// The kernel's queue overflowed.
    func countOverflow() { counted.overflows += 1 }

    /// Everything is read again.
    func countRescan() { counted.rescans += 1 }

    private func countFiled(_ record: FiledRecord) {
        guard !record.isRejected else {
            counted.rejected += 1
            return
        }
        counted.filed += 1
        counted.bytesFiled = min(counted.bytesFiled, .max - record.size) + record.size
    }
}

// Room.
extension ArrivalBook {
    /// The numbers of arrivals that each owner has.
    var ownerShares: OwnerShares { shares }

    /// Makes room for an arrival of this owner: some of the largest owner's go, or where nobody else has more, some of
    /// this owner's own for a document. Ignored ones go first, then held ones, and for a document with content those that wait
    /// for time to pass; of somebody else then those that settle, and last those whose turn to be filed or copied has not
    /// come. They are not seen any more, until their folder is read again.
    /// - Returns: the folders that they were in; none where nothing may go.
    func makeRoom(for owner: UInt32, isDocument: Bool, hasContent: Bool = false) -> [Folder] {
        let number = shares.number(of: owner)
        let isActiveFull = active.count >= limits.waiting
        let largest = shares.largest(isActiveFull ? \.waiting : \.all, besides: number)
        let givesOwn = isDocument && (isActiveFull ? hasContent && shares[number].idle > 0 : shares[number].resting > 0)
        guard let giver = largest ?? (givesOwn ? number : nil) else { return [] }
        // So many at once that all are inspected once for a 64th of them.
        let most = max(1, (isActiveFull ? limits.waiting : limits.all) / 64)
        let candidates = isActiveFull ? active.slots : nil
        let found = slots.first(most, of: giver, among: candidates) { self.rank($0, isOwn: giver == number) }
        var folders: Set<Folder> = []
        for slot in found {
            guard let gone = takeOut(slots.id(of: slot)) else { continue }
            counted.seen -= 1
            folders.insert(gone.folder)
        }
        return Array(folders)
    }

    /// Which arrivals go before others where room is made; nil for those that stay.
    private func rank(_ slot: UInt32, isOwn: Bool) -> Int? {
        switch phase(slot) {
        case .resting: slots[slot].state == .ignored ? 0 : 1
        case .observing where state(slot).isIdle: 2
        case .observing: isOwn ? nil : 3
        case .queued, .queuedForCopy: isOwn ? nil : 4
        case .inFlight, .missing: nil
        }
    }
}

// Whose turn it is.
extension ArrivalBook {
    /// When an arrival is to be inspected.
    var nextDeadline: Instant { turns.nextDeadline }

    /// The next arrival that is due.
    func popDue(at now: Instant) -> ArrivalID? { turns.popDue(at: now) }

    /// The number of arrivals that are waiting to be filed.
    var readyCount: Int { turns.readyCount }

    /// Returns true if large or small arrivals of users other than these are waiting to be copied.
    func hasCopies(large: Bool, besides owners: Set<UInt32>) -> Bool { turns.hasCopies(large: large, besides: owners) }

    /// The next arrival that waits to be filed; it is in flight from now on. Nil where there is none, or where the next
    /// one has changed since it was queued: it is inspected again first.
    func takeReady() -> Arrival? {
        guard let id = turns.popReady(), isInPhase(.queued, id) else { return nil }
        transition(id, to: .inFlight)
        return self[id]
    }

    /// The next arrival that waits to be copied; it is in flight from now on.
    func takeForCopy(large isLarge: Bool, besides owners: Set<UInt32>) -> Arrival? {
        while let id = turns.popCopy(large: isLarge, besides: owners) {
            guard let arrival = self[id], arrival.phase == .queuedForCopy else { continue }
            transition(id, to: .inFlight)
            return arrival
        }
        return nil
    }
}
