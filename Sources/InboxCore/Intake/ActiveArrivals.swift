import InboxFiling
import InboxLinux

/// The arrivals that something is done with, each in a place of its own, which its slot knows: nothing is searched for, and
/// what is known of one is changed where it is.
struct ActiveArrivals: ~Copyable {
    /// One of them.
    struct Entry {
        /// Where it is among all arrivals.
        let slot: UInt32
        /// Its name, which would have to be made anew from the arena at each question; nil where the place is free.
        var name: FileName?
        /// Its work; nil where the place is free.
        private(set) var work: ArrivalWork?

        /// One of them, of which this is known.
        init(slot: UInt32, name: FileName, activity: ArrivalActivity) {
            self.slot = slot
            self.name = name
            work = ArrivalWork(activity)
        }

        /// A free place.
        init() { (slot, name, work) = (0, nil, nil) }

        /// The activity of the arrival. Where somebody has it, another takes its place before it changes.
        var activity: ArrivalActivity {
            // A place that is in use has one.
            _read { yield work.unsafelyUnwrapped.activity }
            _modify {
                if !isKnownUniquelyReferenced(&work) { work = ArrivalWork(work.unsafelyUnwrapped.activity) }
                yield &work.unsafelyUnwrapped.activity
            }
        }
    }

    private var entries: [Entry] = []
    private var free: [UInt32] = []

    /// The number of arrivals.
    var count: Int { entries.count - free.count }

    /// The slots of all of them, in no order.
    var slots: [UInt32] { entries.compactMap { $0.name == nil ? nil : $0.slot } }

    /// The slots of those that are being filed, in no order.
    var slotsInFlight: [UInt32] {
        entries.compactMap { $0.name != nil && $0.activity.phase == .inFlight ? $0.slot : nil }
    }

    subscript(place: UInt32) -> Entry {
        _read { yield entries[Int(place)] }
        _modify { yield &entries[Int(place)] }
    }

    /// All that the book has of the arrival at a place, which is in use.
    func arrival(at place: UInt32, _ id: ArrivalID, in folder: Folder, _ kept: ArrivalSlots.Slot) -> Arrival {
        let name = entries[Int(place)].name.unsafelyUnwrapped
        return Arrival(
            id: id, folder: folder, name: name, kept: kept, heldDetail: nil, work: entries[Int(place)].work)
    }

    /// Takes one in; returns its place.
    mutating func add(_ entry: Entry) -> UInt32 {
        if let place = free.popLast() {
            entries[Int(place)] = entry
            return place
        }
        entries.append(entry)
        return UInt32(entries.count - 1)
    }

    /// One of them has gone.
    mutating func remove(_ place: UInt32) {
        entries[Int(place)] = Entry()
        free.append(place)
    }
}
