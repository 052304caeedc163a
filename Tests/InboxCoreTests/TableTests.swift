import InboxLinux
import InboxTestSupport
import InboxVarlink
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite struct DeadlinesTests {
    @Test("Entries come out in the order of their times, those of never not at all")
    func random() {
        let seed: UInt64 = 0xDEAD
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            var deadlines = Deadlines<Int>()
            var model: [(Int64, Int)] = []
            for key in 0..<100 {
                let moment = Int64.random(in: 0..<50, using: &random)
                deadlines.set(key, at: Instant(nanoseconds: moment))
                deadlines.set(-1, at: .never)
                model.append((moment, key))
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let now = Int64.random(in: 0..<50, using: &random)
                    let popped = deadlines.pop(dueAt: Instant(nanoseconds: now))
                    let least = model.map(\.0).min() ?? .max
                    #expect((popped != nil) == (least <= now), "seed \(seed)")
                    if let popped {
                        #expect(popped.moment.nanoseconds == least, "seed \(seed)")
                        model.removeAll { $0.1 == popped.key }
                    }
                }
            }
            var rest: [(moment: Instant, key: Int)] = []
            #expect(deadlines.first.nanoseconds == model.map(\.0).min())
            while let popped = deadlines.pop(dueAt: Instant(nanoseconds: 50)) { rest.append(popped) }
            #expect(rest.map(\.moment.nanoseconds) == model.map(\.0).sorted(), "seed \(seed)")
            #expect(Set(rest.map(\.key)) == Set(model.map(\.1)))
            #expect(deadlines.first == .never && deadlines.count == 0)
        }
    }

    @Test("A key that is set again and again has one entry, at the last time")
    func setAgain() {
        var deadlines = Deadlines<Int>()
        for number in (0..<1_000).reversed() {
            deadlines.set(1, at: Instant(nanoseconds: Int64(number) + 5))
            deadlines.set(2, at: Instant(nanoseconds: 1_000 - Int64(number)))
        }
        #expect(deadlines.count == 2)
        #expect(deadlines.first == Instant(nanoseconds: 5))
        deadlines.remove(1)
        #expect(deadlines.pop(dueAt: Instant(nanoseconds: 2_000))?.key == 2)
        #expect(deadlines.count == 0)
    }
}

@Suite struct ArrivalBookTests {
    @Test("The running counts are always those of a recount, and each arrival has one name, whatever happens")
    func counts() throws {
        let seed: UInt64 = 0x7AB1E
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        try folder.write("a")
        try folder.write("b")
        let statuses = [try folder.status("a"), try folder.status("b")]
        let inbox = Inbox(IntakeStage.configured(BytePath("/nowhere")))
        let folders = (0..<2).map { Self.walked($0, of: inbox) }
        let states: [ArrivalState] = [.waiting(.settling), .waiting(.writing), .held(.name), .ignored]
        let book = ArrivalBook()
        var ids: [ArrivalID] = []
        for step in 0..<3_000 {
            let place = folders[Int.random(in: 0..<2, using: &random)]
            let name = aName("n\(Int.random(in: 0..<30, using: &random))")
            let id = ids.randomElement(using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                guard book.id(of: name, in: place) == nil else { continue }
                let status = statuses[Int.random(in: 0..<2, using: &random)]
                ids.append(try #require(book.add(name, in: place, status, at: .current())))
            case 1:
                if let id {
                    let wasThere = book[id] != nil
                    #expect((book.remove(id) != nil) == wasThere && book[id] == nil)
                }
            case 2:
                if let id, book.id(of: name, in: place) == nil { book.move(id, to: place, as: name) }
            case 3:
                if let id, book[id]?.state.group != .waiting { book.transition(id, to: .resting) }
            default:
                let state = states[Int.random(in: 0..<4, using: &random)]
                if let id { _ = book.report(id, as: state, detail: nil, at: .current()) }
            }
            try #require(book.isConsistent, "seed \(seed), step \(step)")
            let named = statuses.reduce(0) { $0 + book.names(of: FileMark($1), most: .max).count }
            try #require(named == book.activeCount, "seed \(seed), step \(step)")
            try #require(book.ids().compactMap { book[$0] }.allSatisfy(book.hasName))
            let listed = folders.reduce(0) { sum, folder in
                [true, false].reduce(sum) { $0 + book.arrivals(in: folder, areActive: $1).count }
            }
            try #require(listed == book.count, "seed \(seed), step \(step)")
        }
        #expect(ids.count > 100)
    }

    /// A walked folder with this number in place of an inode.
    private static func walked(_ number: UInt64, of inbox: Inbox) -> Folder {
        Folder(
            inbox: inbox, location: .top, key: FileKey(device: 0, inode: number, birth: nil), touched: .now())
    }

    @Test("What was queued and has changed its phase is not handed over, and what is handed over is in flight")
    func phases() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let place = Self.walked(1, of: Inbox(IntakeStage.configured(BytePath("/nowhere"))))
        let book = ArrivalBook()
        let moment = Moment.current()
        let ids = try (0..<3).map {
            try #require(book.add(aName("n\($0)"), in: place, try folder.status("a"), at: moment))
        }
        for id in ids { book.transition(id, to: .queued) }
        book.transition(ids[1], to: .observing(until: moment.now))
        book.transition(ids[2], to: .queued)
        #expect(book.nextDeadline == moment.now)
        #expect((0..<9).compactMap { _ in book.takeReady()?.id } == [ids[0], ids[2]])
        #expect(book[ids[0]]?.phase == .inFlight && book[ids[1]]?.phase == .observing(until: moment.now))
        #expect(book.popDue(at: moment.now) == ids[1] && book.nextDeadline == .never)
        #expect(book.readyCount == 0)
    }

    @Test("A state that comes back after another try keeps its time, and is known as the same trouble")
    func trouble() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let place = Self.walked(1, of: Inbox(IntakeStage.configured(BytePath("/nowhere"))))
        let book = ArrivalBook()
        let first = Moment(now: .now(), wall: Timestamp(seconds: 1_000, nanoseconds: 0))
        let later = Moment(now: .now(), wall: Timestamp(seconds: 2_000, nanoseconds: 0))
        let id = try #require(book.add(aName("n"), in: place, try folder.status("a"), at: first))
        #expect(book.report(id, as: .waiting(.retrying), detail: nil, at: first)?.isAgain == false)
        #expect(book.report(id, as: .waiting(.copying), detail: nil, at: later)?.isAgain == false)
        #expect(book[id]?.since == later.wall)
        #expect(book.report(id, as: .waiting(.retrying), detail: nil, at: later)?.isAgain == true)
        #expect(book[id]?.since == first.wall)
    }
}

@Suite struct UniqueOwnerQueueTests {
    @Test("One element of each owner in turn, each once")
    func turns() {
        var row = UniqueOwnerQueue<Int>()
        for number in 0..<4 { row.append(number, of: 1) }
        row.append(10, of: 2)
        row.append(11, of: 2)
        row.append(0, of: 1)
        #expect(row.count == 6)
        var taken: [Int] = []
        while let next = row.popFirst() { taken.append(next) }
        #expect(taken == [0, 10, 1, 11, 2, 3])
        #expect(row.count == 0 && row.popFirst() == nil)
        row.append(0, of: 1)
        #expect(row.popFirst() == 0)
    }
}

@Suite struct AccountingTests {
    @Test("The sum holds exactly where every arrival is counted once")
    func balance() {
        var sum = Accounting()
        #expect(sum.isBalanced)
        sum.seen = 21
        #expect(!sum.isBalanced)
        (sum.filed, sum.duplicates, sum.ignored, sum.waiting, sum.held, sum.withdrawn) = (1, 2, 3, 4, 5, 6)
        #expect(sum.isBalanced)
        (sum.bytesFiled, sum.overflows, sum.rescans) = (7, 8, 9)
        #expect(sum.isBalanced)
    }

    @Test("The bytes that were filed stay at the greatest number that there is")
    func greatest() {
        let book = ArrivalBook()
        var source = RecordID.Source()
        let sizes: [UInt64] = [1 << 63, 1 << 63 - 1, 2, 1]
        for size in sizes {
            book.addFiled(
                FiledRecord(
                    id: source.next(at: .now()), time: .now(), source: BytePath("/i/a"), destination: BytePath("/d/a"),
                    type: "public.data", mime: nil, size: size, documentType: nil, evidence: "none", renamed: false,
                    proof: .lease))
        }
        #expect(book.accounting.bytesFiled == .max && book.accounting.filed == sizes.count)
    }
}

@Suite struct ProblemsTests {
    private func words(_ happening: Happening?) -> String? {
        switch happening {
        case .problemBegan(let problem): "+" + problem.text
        case .problemChanged(let problem): "=" + problem.text
        case .problemEnded(let problem): "-" + problem.text
        default: nil
        }
    }

    @Test("A problem is reported when it begins, when its words change and when it ends, and not in between")
    func reported() {
        var problems = Problems()
        #expect(words(problems.begin(.watchLimit, "a")) == "+a")
        #expect(words(problems.begin(.watchLimit, "a")) == nil)
        #expect(words(problems.begin(.documents, "b")) == "+b")
        #expect(words(problems.begin(.watchLimit, "c")) == "=c")
        #expect(problems.all == ["c", "b"] && problems.has(.watchLimit) && !problems.isEmpty)
        #expect(words(problems.end(.watchLimit)) == "-c")
        #expect(words(problems.end(.watchLimit)) == nil)
        #expect(problems.all == ["b"] && !problems.has(.watchLimit))
        #expect(words(problems.begin(.inbox(BytePath("/x")), "d")) == "+d")
        #expect(words(problems.end(.inbox(BytePath("/y")))) == nil)
    }

    @Test("What is over is what was said to have begun, though the words were revised meanwhile")
    func revised() {
        var problems = Problems()
        #expect(words(problems.begin(.watchLimit, "3 folders")) == "+3 folders")
        let isRevised = problems.revise(.watchLimit, "2 folders")
        #expect(isRevised)
        #expect(problems.all == ["2 folders"])
        #expect(words(problems.end(.watchLimit)) == "-3 folders")
        #expect(words(problems.begin(.watchLimit, "3 folders")) == "+3 folders")
    }
}
