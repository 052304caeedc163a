import InboxFiling
import InboxLinux

/// Where each arrival is and what it was, in about 57 bytes: 32 in a slot, its name in an arena, and a cell in the table
/// of its folder. A million of them fit into 64 MB.
struct ArrivalSlots: ~Copyable {
    /// The maximum number of arrivals.
    static let most = 1_000_000

    /// The stored part of an arrival.
    struct Slot {
        /// The number of times that the slot has been taken or released: part of the arrival's number. It is odd
        /// while the slot is in use.
        fileprivate(set) var generation: UInt32 = 0
        fileprivate var page: UInt32 = 0
        fileprivate var name: UInt32 = 0
        /// The mark of the file when it was last inspected.
        var mark = FileMark(file: 0, content: 0)
        /// Its size in bytes; above 2 GiB in units of 4 KiB, with the highest bit set.
        fileprivate var codedSize: UInt32 = 0
        /// Since when it has its state: seconds since 1970 (until 2106), and 256ths of a second. While something is done
        /// with it, its place among those that something is done with.
        fileprivate var seconds: UInt32 = 0
        fileprivate var fraction: UInt8 = 0
        /// Its state, where that is held or ignored; 0 where it is waiting. The three highest bits: ``isMet``, whether
        /// it has a ``place``, and ``hasName``.
        fileprivate var code: UInt8 = 0
        /// The number of its owner in the list of owners.
        fileprivate(set) var owner: UInt16 = 0
    }

    /// A folder that has arrivals.
    private struct Page {
        var folder: Folder?
        var table = SlotTable()
        /// The number of arrivals on the page, including those that have lost their name.
        var members = 0
    }

    private static let chunkSize: UInt32 = 1024
    private static let mostSlots: UInt32 = 1 << 20

    private var chunks: [[Slot]] = []
    private var free: [UInt32] = []
    private var pages: [Page] = []
    private var freePages: [UInt32] = []
    private var pageOfFolder: [ObjectIdentifier: UInt32] = [:]
    private var names = NameArena()
    private var used = 0

    /// The number of arrivals.
    var count: Int { used }

    /// The room that they take: see ``InboxLinux/FileName/room(of:)``.
    private(set) var room = 0

    /// The number of bytes that the names take, including names that are gone and still take room.
    var nameSize: Int { names.size }

    /// The arrival's slot; nil where it has gone.
    func slot(of id: ArrivalID) -> UInt32? {
        let slot = UInt32(truncatingIfNeeded: id.number % UInt64(Self.mostSlots))
        guard Int(slot) < chunks.count * Int(Self.chunkSize) else { return nil }
        let generation = self[slot].generation
        return generation & 1 == 1 && UInt64(generation >> 1) + 1 == id.number / UInt64(Self.mostSlots) ? slot : nil
    }

    /// The number of the arrival in a slot: never used twice, and exact where JSON has only doubles.
    func id(of slot: UInt32) -> ArrivalID {
        ArrivalID(number: (UInt64(self[slot].generation >> 1) + 1) * UInt64(Self.mostSlots) + UInt64(slot))
    }

    subscript(slot: UInt32) -> Slot {
        get { chunks[Int(slot / Self.chunkSize)][Int(slot % Self.chunkSize)] }
        _modify { yield &chunks[Int(slot / Self.chunkSize)][Int(slot % Self.chunkSize)] }
    }

    /// The number of slots, used or not.
    var slotCount: UInt32 { UInt32(chunks.count) * Self.chunkSize }

    /// Returns true if a slot is in use.
    func isUsed(_ slot: UInt32) -> Bool { self[slot].generation & 1 == 1 }

    /// The first slot in use from a position on, or the first one of a group; nil where there is no more.
    /// - Parameters:
    ///   - position: where the search begins; afterwards where it goes on.
    ///   - end: where the search ends at the latest.
    func next(_ group: ArrivalState.Group?, from position: inout UInt32, before end: UInt32) -> UInt32? {
        while position < min(slotCount, end) {
            defer { position += 1 }
            if isUsed(position), group == nil || self[position].group == group { return position }
        }
        return nil
    }
}

// Who makes room.
extension ArrivalSlots {
    /// An owner's arrivals, at most so many, those of a lower rank before others; all are read once.
    /// - Parameters:
    ///   - candidates: the slots to choose from; nil for all.
    ///   - rank: from 0 to 4; nil for what is passed over.
    func first(_ most: Int, of owner: UInt16, among candidates: [UInt32]?, rank: (UInt32) -> Int?) -> [UInt32] {
        var ranks: [[UInt32]] = Array(repeating: [], count: 5)
        for index in 0..<(candidates?.count ?? Int(slotCount)) where ranks[0].count < most {
            let slot = candidates?[index] ?? UInt32(index)
            guard isUsed(slot), self[slot].owner == owner, let rank = rank(slot) else { continue }
            if ranks[rank].count < most { ranks[rank].append(slot) }
        }
        return Array(ranks.joined().prefix(most))
    }
}

// Names and folders.
extension ArrivalSlots {
    /// The folder of an arrival.
    func folder(of slot: UInt32) -> Folder {
        // A page that an arrival is on has a folder.
        pages[Int(self[slot].page)].folder.unsafelyUnwrapped
    }

    /// The name of an arrival.
    func name(of slot: UInt32) -> FileName {
        // The arena has nothing but the bytes of names.
        FileName(names.bytes(at: self[slot].name)).unsafelyUnwrapped
    }

    /// Returns true if the name of an arrival begins with a dot.
    func isHidden(_ slot: UInt32) -> Bool { names.bytes(at: self[slot].name).first == UInt8(ascii: ".") }

    /// The arrival that has this name.
    func find(_ name: FileName, in folder: Folder) -> UInt32? {
        guard let page = pageOfFolder[ObjectIdentifier(folder)] else { return nil }
        return name.withBytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return pages[Int(page)].table.find(Self.hash(bytes)) { slot in
                names.withBytes(at: self[slot].name) { $0.count == bytes.count && $0.begins(with: bytes) }
            }
        }
    }

    /// The arrivals in a folder.
    func slots(in folder: Folder) -> [UInt32] {
        pageOfFolder[ObjectIdentifier(folder)].map { Array(pages[Int($0)].table.slots) } ?? []
    }

    /// Those that are meant, at most so many.
    func slots(in folder: Folder, most: Int, where isMeant: (UInt32) -> Bool) -> [UInt32] {
        guard let page = pageOfFolder[ObjectIdentifier(folder)] else { return [] }
        var found: [UInt32] = []
        for slot in pages[Int(page)].table.slots where isMeant(slot) {
            found.append(slot)
            if found.count == most { break }
        }
        return found
    }

    /// Returns true if no arrival has a name in a folder.
    func isFree(_ folder: Folder) -> Bool {
        pageOfFolder[ObjectIdentifier(folder)].map { pages[Int($0)].table.count == 0 } ?? true
    }

    /// Takes a slot for a new arrival.
    mutating func add(_ name: FileName, in folder: Folder, owner: UInt16) -> UInt32 {
        if free.isEmpty {
            let first = UInt32(chunks.count) * Self.chunkSize
            chunks.append(Array(repeating: Slot(), count: Int(Self.chunkSize)))
            free = Array((first..<first + Self.chunkSize).reversed())
        }
        let slot = free.removeLast()
        used += 1
        self[slot].generation &+= 1
        self[slot].owner = owner
        self[slot].code = 0x80
        give(slot, name, in: folder)
        return slot
    }

    /// An arrival has gone.
    mutating func remove(_ slot: UInt32) {
        take(slot)
        self[slot].generation &+= 1
        used -= 1
        free.append(slot)
        if names.isWasteful { compact() }
    }

    /// Gives an arrival another name, which was just seen there.
    mutating func move(_ slot: UInt32, to folder: Folder, as name: FileName) {
        take(slot)
        give(slot, name, in: folder)
        self[slot].isMet = true
        if names.isWasteful { compact() }
    }

    /// Another may have the arrival's name from now on, unless another has it already.
    mutating func releaseName(of slot: UInt32) {
        guard self[slot].hasName else { return }
        self[slot].hasName = false
        let page = Int(self[slot].page)
        // Taken out meanwhile, since it hashes the names that are in it.
        var table = SlotTable()
        swap(&table, &pages[page].table)
        table.remove(slot, rehash(slot)) { rehash($0) }
        swap(&table, &pages[page].table)
    }

    private mutating func give(_ slot: UInt32, _ name: FileName, in folder: Folder) {
        let page = self.page(of: folder)
        self[slot].page = page
        self[slot].name = names.add(name)
        self[slot].hasName = true
        room += FileName.room(of: name.count)
        pages[Int(page)].members += 1
        var table = SlotTable()
        swap(&table, &pages[Int(page)].table)
        table.insert(slot, rehash(slot)) { rehash($0) }
        swap(&table, &pages[Int(page)].table)
    }

    private mutating func take(_ slot: UInt32) {
        releaseName(of: slot)
        room -= names.withBytes(at: self[slot].name) { FileName.room(of: $0.count) }
        names.remove(at: self[slot].name)
        let page = Int(self[slot].page)
        pages[page].members -= 1
        guard pages[page].members == 0, let folder = pages[page].folder else { return }
        pageOfFolder[ObjectIdentifier(folder)] = nil
        pages[page] = Page()
        freePages.append(UInt32(page))
    }

    private mutating func page(of folder: Folder) -> UInt32 {
        if let page = pageOfFolder[ObjectIdentifier(folder)] { return page }
        if freePages.isEmpty {
            freePages.append(UInt32(pages.count))
            pages.append(Page())
        }
        let page = freePages.removeLast()
        pages[Int(page)].folder = folder
        pageOfFolder[ObjectIdentifier(folder)] = page
        return page
    }

    /// Seeded anew in each process, so that nobody can prepare names that all have one cell.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    private func rehash(_ slot: UInt32) -> UInt32 { names.withBytes(at: self[slot].name, Self.hash) }

    private mutating func compact() {
        var kept = NameArena()
        for slot in 0..<slotCount where isUsed(slot) { self[slot].name = kept.add(name(of: slot)) }
        names = kept
    }
}

// What is held or ignored.
extension ArrivalSlots {
    /// Returns the stored part of an arrival, its number and its folder in one access.
    func whole(_ slot: UInt32) -> (id: ArrivalID, folder: Folder, kept: Slot) {
        (id(of: slot), folder(of: slot), self[slot])
    }

    /// All that is known of an arrival that nothing is done with.
    /// - Parameter detail: why it is held, in words.
    func arrival(_ slot: UInt32, _ detail: String?) -> Arrival {
        Arrival(
            id: id(of: slot), folder: folder(of: slot), name: name(of: slot), kept: self[slot], heldDetail: detail,
            work: nil)
    }
}

extension ArrivalSlots.Slot {
    /// The state, which is kept here for as long as it is held or ignored; nil for an arrival that is waiting.
    var state: ArrivalState? {
        get {
            switch code & 0x1F {
            case 0: nil
            case 1: .ignored
            case let number: .held(HoldReason.allCases[Int(number) - 2])
            }
        }
        set {
            let number: UInt8 =
                switch newValue {
                case nil, .waiting?: 0
                case .ignored?: 1
                case .held(let reason)?: HoldReason.allCases.firstIndex(of: reason).map { UInt8($0) + 2 } ?? 0
                }
            code = code & 0xE0 | number
        }
    }

    /// The group of its state: a byte is read, since a list asks for that of every slot.
    var group: ArrivalState.Group {
        switch code & 0x1F {
        case 0: .waiting
        case 1: .ignored
        default: .held
        }
    }

    /// Its place among those that something is done with; nil where nothing is. Its ``since`` is not known meanwhile.
    var place: UInt32? {
        get { code & 0x40 != 0 ? seconds : nil }
        set {
            code = code & 0xBF | (newValue == nil ? 0 : 0x40)
            seconds = newValue ?? 0
        }
    }

    /// The current reading of the arrival's folder has met it.
    var isMet: Bool {
        get { code & 0x80 != 0 }
        set { code = code & 0x7F | (newValue ? 0x80 : 0) }
    }

    /// Its name is its own, and no other's yet.
    fileprivate var hasName: Bool {
        get { code & 0x20 != 0 }
        set { code = code & 0xDF | (newValue ? 0x20 : 0) }
    }

    /// Since when, to 4 ms.
    var since: Timestamp {
        get { Timestamp(seconds: Int64(seconds), nanoseconds: UInt32(fraction) * 3_906_250) }
        set {
            seconds = UInt32(clamping: newValue.seconds)
            fraction = UInt8(clamping: newValue.nanoseconds / 3_906_250)
        }
    }

    /// The size in bytes; above 2 GiB to 4 KiB.
    var size: UInt64 {
        get { codedSize >> 31 == 0 ? UInt64(codedSize) : UInt64(codedSize & 0x7FFF_FFFF) << 12 }
        set {
            codedSize =
                newValue < 1 << 31 ? UInt32(newValue) : UInt32(min(newValue >> 12, 0x7FFF_FFFF)) | 1 << 31
        }
    }
}

extension FileName {
    /// Returns the number of places that an arrival with a name of so many bytes takes: 1, unless the name is longer
    /// than most filesystems allow. Thus longer names cannot fill more memory.
    static func room(of count: Int) -> Int { count / (longest + 1) + 1 }
}
