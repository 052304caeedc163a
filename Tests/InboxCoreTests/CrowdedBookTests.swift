import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite("A book of a million arrivals")
struct CrowdedBookTests {
    @Test("A slot takes 32 bytes, and a cell of a table can name each")
    func sizes() {
        #expect(MemoryLayout<ArrivalSlots.Slot>.stride == 32)
        #expect(ArrivalSlots.most < 1 << 20)
    }

    @Test("What rests keeps its name, state, time and size, and is another arrival when its slot is used again")
    func resting() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "four")
        let status = try folder.status("a")
        let place = Self.place(1)
        let book = ArrivalBook()
        let wall = Timestamp(seconds: 1_700_000_000, nanoseconds: 500_000_000)
        let moment = Moment(now: .now(), wall: wall)
        var former: [ArrivalID] = []
        for state in [ArrivalState.ignored] + HoldReason.allCases.map(ArrivalState.held) {
            let id = try #require(book.add(aName("name \(state)"), in: place, status, at: moment))
            #expect(!former.contains(id) && former.allSatisfy { book[$0] == nil })
            _ = book.report(id, as: state, detail: "why", at: moment)
            book.transition(id, to: .resting)
            let arrival = try #require(book[id])
            #expect(arrival.state == state && arrival.since == wall && arrival.size == 4 && arrival.detail == "why")
            #expect(arrival.name == aName("name \(state)") && arrival.folder === place && arrival.facts == nil)
            #expect(arrival.isFile(status, FileMark(status)) && !arrival.hasChanged(status, FileMark(status)))
            #expect(book.activeCount == 0 && book.isConsistent)
            book.wake(id, status, at: moment)
            #expect(book[id]?.facts?.status.size == 4 && book.activeCount == 1)
            book.remove(id)
            former.append(id)
        }
        #expect(book.count == 0 && book.isFree(place))
    }

    @Test("An arrival that was asked for stays as it was then, whatever the book changes")
    func lent() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let book = ArrivalBook()
        let moment = Moment.current()
        let id = try #require(book.add(aName("a"), in: Self.place(1), try folder.status("a"), at: moment))
        let before = try #require(book[id])
        book.update(id) { $0.failures = 7 }
        _ = book.report(id, as: .waiting(.retrying), detail: "why", at: moment)
        book.transition(id, to: .inFlight)
        #expect(before.facts?.failures == 0 && before.state == .waiting(.settling))
        #expect(before.detail == nil && !before.isInFlight)
        let after = try #require(book.remove(id))
        #expect(after.facts?.failures == 7 && after.state == .waiting(.retrying))
        #expect(after.detail == "why" && after.isInFlight)
    }

    @Test("The first of a list are found without reading the rest, and each group is listed whole")
    func lists() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let status = try folder.status("a")
        let book = ArrivalBook()
        let moment = Moment.current()
        var expected: [ArrivalState.Group: Set<ArrivalID>] = [:]
        let states: [ArrivalState] = [.waiting(.settling), .held(.symlink), .ignored]
        for number in 0..<6_000 {
            let id = try #require(book.add(aName("\(number)"), in: Self.place(1), status, at: moment))
            let state = states[number % states.count]
            _ = book.report(id, as: state, detail: nil, at: moment)
            // Some of what is held or ignored is still being inspected.
            if number % 2 == 0 { book.transition(id, to: .resting) }
            expected[state.group, default: []].insert(id)
        }
        for group in ArrivalState.Group.allCases {
            #expect(Set(book.ids(group)) == expected[group] && book.ids(group).count == 2_000)
            var position: UInt32 = 0
            for _ in 0..<8 { #expect(book.nextID(group, from: &position).map { book[$0]?.state.group } == group) }
            #expect(position <= 24, "\(position) were inspected for 8 of them")
        }
        #expect(book.ids().count == 6_000)
        // What has gone is in no list, and what changes its state is in another one.
        for id in try #require(expected[.held]) { book.remove(id) }
        #expect(book.ids(.held).isEmpty)
        for id in try #require(expected[.ignored]) { _ = book.report(id, as: .held(.name), detail: nil, at: moment) }
        #expect(Set(book.ids(.held)) == expected[.ignored] && book.ids(.ignored).isEmpty && book.isConsistent)
    }

    @Test(
        "Sizes are exact up to 2 GiB, and to 4 KiB beyond",
        arguments: [0, 1, 1 << 31 - 1, 1 << 31, 1 << 42] as [UInt64])
    func size(_ size: UInt64) {
        var slot = ArrivalSlots.Slot()
        slot.size = size
        #expect(slot.size == size)
    }

    @Test("A table of names finds each as long as it is there, whatever else comes and goes")
    func table() {
        let seed: UInt64 = 0x51075
        var random = SeededRandom(seed: seed)
        // Few hashes, so that many names want one cell.
        func hash(_ slot: UInt32) -> UInt32 { (slot % 7) &* 0x2492_4924 }
        var table = SlotTable()
        var model: Set<UInt32> = []
        for step in 0..<4_000 {
            let slot = UInt32.random(in: 0..<60, using: &random)
            if model.insert(slot).inserted {
                table.insert(slot, hash(slot), rehash: hash)
            } else {
                model.remove(slot)
                table.remove(slot, hash(slot), rehash: hash)
            }
            #expect(table.count == model.count, "seed \(seed), step \(step)")
            let found = (0..<60).filter { slot in table.find(hash(slot)) { $0 == slot } != nil }
            try? #require(Set(found) == model, "seed \(seed), step \(step)")
        }
        #expect(Set(table.slots) == model)
    }

    @Test("A name is found among many after a few probes")
    func probes() {
        let seed: UInt64 = 0x9120BE
        var random = SeededRandom(seed: seed)
        let hashes = (0..<20_000).map { _ in UInt32.random(in: 0 ... .max, using: &random) }
        var table = SlotTable()
        for (slot, hash) in hashes.enumerated() { table.insert(UInt32(slot), hash) { hashes[Int($0)] } }
        var compared = 0
        for (slot, hash) in hashes.enumerated() {
            let found = table.find(hash) { candidate in
                compared += 1
                return candidate == UInt32(slot)
            }
            #expect(found == UInt32(slot))
        }
        #expect(compared < 21_000, "\(compared) names were compared")
        // The longest row of cells without a gap, round the end, is what a search inspects at most.
        var (longest, current) = (0, 0)
        for cell in table.cells + table.cells {
            current = cell == 0 ? 0 : current + 1
            longest = max(longest, current)
        }
        #expect(longest < 400, "seed \(seed)")
    }

    @Test("Names that an arrival had before it was renamed do not fill the memory")
    func renames() throws {
        let place = Self.place(1)
        let long = String(repeating: "n", count: 240)
        var slots = ArrivalSlots()
        let kept = slots.add(aName("kept"), in: place, owner: 0)
        let renamed = slots.add(aName("0"), in: place, owner: 0)
        for number in 1...12_000 {
            slots.move(renamed, to: place, as: aName("\(long)\(number)"))
            try #require(slots.nameSize < 2 << 20, "rename \(number)")
        }
        #expect(slots.find(aName("\(long)12000"), in: place) == renamed)
        #expect(slots.find(aName("kept"), in: place) == kept)
    }

    @Test("Names that are gone leave no room for ever")
    func arena() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let status = try folder.status("a")
        let book = ArrivalBook()
        let place = Self.place(1)
        let long = String(repeating: "n", count: 240)
        let kept = try #require(book.add(aName("kept"), in: place, status, at: .current()))
        for number in 0..<12_000 {
            let id = try #require(book.add(aName("\(long)\(number)"), in: place, status, at: .current()))
            book.remove(id)
        }
        #expect(book[kept]?.name == aName("kept") && book.id(of: aName("kept"), in: place) == kept)
    }

    private static func place(_ number: UInt64) -> Folder {
        Folder(
            inbox: Inbox(IntakeStage.configured(BytePath("/nowhere"))), location: .top,
            key: FileKey(device: 0, inode: number, birth: nil), touched: .now())
    }
}

@Suite("A full book")
struct FullBookTests {
    @Test("What one user holds makes room for another's document, and is seen again when there is room")
    func ignored() throws {
        let stage = try IntakeStage()
        stage.intake.parts.book.limits.all = 128
        for number in 0..<200 { try stage.folder.write("inbox/\(number).part") }
        stage.intake.requestFullScan(at: stage.moment)
        stage.advance(.seconds(2))
        stage.settle()
        #expect(stage.intake.accounting.ignored == 128)
        #expect(stage.intake.problems.all.contains { $0.contains("more than 128 arrivals") })
        // What would be listed only makes no room; a document does, even where all that is there is its owner's.
        try stage.drop("one more.part", "1")
        #expect(stage.id("one more.part") == nil && stage.intake.accounting.ignored == 128)
        try stage.drop("own", "1")
        #expect(stage.id("own") != nil && stage.intake.accounting.ignored == 126)
        #expect(stage.intake.problems.all.contains { $0.contains("more than 128 arrivals") })
        unlink(stage.folder.path + "/inbox/one more.part")
        for number in 0..<100 { unlink(stage.folder.path + "/inbox/\(number).part") }
        stage.intake.requestFullScan(at: stage.moment)
        for _ in 0..<4 { stage.advance(.seconds(2)) }
        #expect(stage.id("own") != nil)
        #expect(stage.intake.accounting.ignored == 100)
        #expect(stage.intake.problems.isEmpty && stage.intake.isConsistent)
    }

    @Test("A user's own document takes the place of ignored arrivals first, then of held ones, of none that waits")
    func own() throws {
        let stage = try IntakeStage()
        stage.intake.parts.book.limits.all = 128
        for number in 0..<8 { try stage.drop("waiting \(number)", "1") }
        for number in 0..<20 { try stage.drop("\(number).part") }
        for number in 0..<100 {
            try #require(symlink("nowhere", stage.folder.path + "/inbox/link \(number)") == 0)
            stage.event(.created, "link \(number)")
        }
        #expect(stage.sums == [128, 8, 100, 20, 0])
        // A link that would be held makes no room.
        try #require(symlink("nowhere", stage.folder.path + "/inbox/link 100") == 0)
        stage.event(.created, "link 100")
        #expect(stage.sums == [128, 8, 100, 20, 0])
        for number in 8..<28 { try stage.drop("waiting \(number)", "1") }
        #expect(stage.sums == [128, 28, 100, 0, 0])
        for number in 28..<128 { try stage.drop("waiting \(number)", "1") }
        #expect(stage.sums == [128, 128, 0, 0, 0])
        try stage.drop("one too many", "1")
        #expect(stage.sums == [128, 128, 0, 0, 0] && stage.id("one too many") == nil)
        #expect(stage.intake.isConsistent)
    }

    @Test("Room is made for a 64th of all arrivals at once, so that few documents inspect all of them")
    func seldom() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let status = try folder.status("a")
        let place = Folder(
            inbox: Inbox(IntakeStage.configured(BytePath("/nowhere"))), location: .top,
            key: FileKey(device: 0, inode: 1, birth: nil), touched: .now())
        let book = ArrivalBook()
        book.limits.all = 6_400
        func rest(_ id: ArrivalID, _ state: ArrivalState) {
            _ = book.report(id, as: state, detail: nil, at: .current())
            book.transition(id, to: .resting)
        }
        for number in 0..<6_400 {
            let id = try #require(book.add(aName("\(number)"), in: place, status, at: .current()))
            // One that is ignored, the others held: the one alone would make room for one document.
            rest(id, number == 3_000 ? .ignored : .held(.symlink))
        }
        var rooms = 0
        for number in 0..<1_000 {
            if book.count == 6_400 {
                #expect(book.makeRoom(for: status.owner, isDocument: false).isEmpty)
                #expect(book.makeRoom(for: status.owner, isDocument: true).first === place)
                #expect(book.count == 6_300)
                rooms += 1
            }
            let id = try #require(book.add(aName("document \(number)"), in: place, status, at: .current()))
            rest(id, .held(.mismatch))
        }
        #expect(rooms == 10 && book.accounting.ignored == 0 && book.isConsistent)
    }

    @Test("A document beside a partial download waits for it, though there was no room to list that")
    func partial() throws {
        let stage = try IntakeStage()
        stage.intake.parts.book.limits.all = 128
        for number in 0..<128 { try stage.drop("\(number).crdownload") }
        try stage.drop("film.mkv.part")
        #expect(stage.id("film.mkv.part") == nil)
        try stage.drop("film.mkv", "the first part")
        stage.advance(.seconds(10))
        #expect(stage.arrivals["film.mkv"] == "sibling" && stage.ready(most: 1).isEmpty)
        unlink(stage.folder.path + "/inbox/film.mkv.part")
        stage.event(.deleted, "film.mkv.part")
        stage.advance(.seconds(10))
        #expect(stage.ready(most: 1) == [stage.id("film.mkv")])
    }

    @Test("What is not listed has a reason that names the limit, whose arrivals they are, and what to do")
    func words() throws {
        let stage = try IntakeStage()
        let root = BytePath(stage.folder.path + "/inbox")
        func reason(_ name: String) -> String? { stage.intake.reasonUnlisted(at: [aName(name)], in: root) }
        stage.intake.parts.book.limits.all = 128
        for number in 0..<200 { try stage.folder.write("inbox/\(number).part") }
        #expect(reason("new") == nil)
        stage.intake.requestFullScan(at: stage.moment)
        stage.advance(.seconds(2))
        stage.settle()
        let words = try #require(reason("new"))
        #expect(words.contains("at most 128 arrivals") && words.contains("128 of them belong to the user \(getuid())"))
        #expect(words.contains("remove what is ignored or held"))
        for number in 0..<150 { unlink(stage.folder.path + "/inbox/\(number).part") }
        stage.intake.requestFullScan(at: stage.moment)
        for _ in 0..<4 { stage.advance(.seconds(2)) }
        #expect(reason("new") == nil)
        stage.intake.parts.book.limits.waiting = 8
        for number in 0..<9 { try stage.drop("\(number)", "1") }
        #expect(stage.id("8") == nil)
        let waiting = try #require(reason("8"))
        #expect(waiting.contains("at most 8 arrivals may wait") && waiting.contains("8 of those that do belong to"))
    }

    @Test("More documents than may wait at once are taken in as others go, each once")
    func waiting() throws {
        let stage = try IntakeStage()
        stage.intake.parts.book.limits.waiting = 64
        for number in 0..<300 {
            try stage.folder.write("inbox/\(number)", "1")
            if number % 2 == 0 { stage.event(.created, "\(number)") }
        }
        stage.intake.requestFullScan(at: stage.moment)
        var gone = 0
        for _ in 0..<300 where gone < 300 {
            stage.advance(.seconds(2))
            #expect(stage.intake.parts.book.activeCount <= 64)
            for arrival in stage.intake.arrivals() {
                unlink(EscapedBytes.text(arrival.path.bytes))
                stage.event(.deleted, EscapedBytes.text(arrival.name.bytes))
                gone += 1
            }
            #expect(stage.ready(most: .max).isEmpty)
            // Nothing may end (as --once does) while a part of the folder has not been read.
            #expect(gone == 300 || stage.intake.isReading || !stage.intake.isWaitingForOthersOnly)
        }
        stage.advance(.seconds(1))
        #expect(gone == 300 && stage.intake.accounting.seen == 300 && stage.intake.accounting.withdrawn == 300)
        #expect(stage.intake.problems.isEmpty && stage.intake.isConsistent)
    }

    @Test("Another user's document takes the place of some of the largest owner's", arguments: [true, false])
    func shares(_ isWaiting: Bool) throws {
        let book = ArrivalBook()
        book.limits.all = 256
        book.limits.waiting = isWaiting ? 128 : 1_000
        let folder = try TemporaryFolder()
        try folder.write("a")
        let status = try folder.status("a")
        let place = Folder(
            inbox: Inbox(IntakeStage.configured(BytePath("/nowhere"))), location: .top,
            key: FileKey(device: 0, inode: 1, birth: nil), touched: .now())
        var count = 0
        while let id = book.add(aName("\(count)"), in: place, status, at: .current()) {
            count += 1
            if !isWaiting {
                _ = book.report(id, as: .ignored, detail: nil, at: .current())
                book.transition(id, to: .resting)
            }
        }
        #expect(count == (isWaiting ? 128 : 256))
        #expect(book.makeRoom(for: status.owner, isDocument: false).isEmpty)
        #expect(book.count == count)
        #expect(book.makeRoom(for: status.owner &+ 1, isDocument: false).first === place)
        #expect(book.count < count && book.accounting.seen == book.count && book.isConsistent)
        #expect(book.add(aName("another's"), in: place, status, at: .current()) != nil)
    }

    @Test("What is ignored from now on keeps none of the words with which it was held")
    func ignoredLater() throws {
        let book = ArrivalBook()
        let folder = try TemporaryFolder()
        try folder.write("a")
        let place = Folder(
            inbox: Inbox(IntakeStage.configured(BytePath("/nowhere"))), location: .top,
            key: FileKey(device: 0, inode: 1, birth: nil), touched: .now())
        let id = try #require(book.add(aName("a"), in: place, try folder.status("a"), at: .current()))
        for (state, detail) in [(ArrivalState.held(.symlink), "it is a link"), (.ignored, nil)] {
            _ = book.report(id, as: state, detail: detail, at: .current())
            book.transition(id, to: .resting)
            #expect(book[id]?.detail == detail)
        }
    }

    @Test(
        "What waits for a long copy, or to be filed, does not keep another user's document out",
        arguments: [ArrivalPhase.queued, .queuedForCopy])
    func queued(_ phase: ArrivalPhase) throws {
        let book = ArrivalBook()
        book.limits.waiting = 128
        let folder = try TemporaryFolder()
        try folder.write("a")
        let status = try folder.status("a")
        let place = Folder(
            inbox: Inbox(IntakeStage.configured(BytePath("/nowhere"))), location: .top,
            key: FileKey(device: 0, inode: 1, birth: nil), touched: .now())
        func take() -> Arrival? { phase == .queued ? book.takeReady() : book.takeForCopy(large: false, besides: []) }
        // Each time all that there is room for waits; the first one is in flight.
        for round in 0..<40 {
            while let id = book.add(aName("\(round)-\(book.accounting.seen)"), in: place, status, at: .current()) {
                book.transition(id, to: phase)
            }
            if round == 0 { #expect(take() != nil) }
            #expect(book.makeRoom(for: status.owner, isDocument: true).isEmpty)
            #expect(book.makeRoom(for: status.owner &+ 1, isDocument: true).first === place)
            #expect(book.activeCount == 126 && book.isConsistent)
        }
        var taken: [Arrival] = []
        while let arrival = take() { taken.append(arrival) }
        #expect(Set(taken.map(\.id)).count == 125 && taken.count == 125)
        #expect(book.readyCount == 0 && !book.hasCopies(large: false, besides: []))
    }
}
