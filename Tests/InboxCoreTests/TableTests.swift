import InboxLinux
import Testing

@testable import InboxCore

@Suite struct DeadlinesTests {
    @Test("Entries come out in the order of their times, those of never not at all")
    func random() {
        let seed: UInt64 = 0xDEAD
        var random = UnitRandom(seed: seed)
        for _ in 0..<50 {
            var deadlines = Deadlines<Int>()
            var model: [(Int64, Int)] = []
            for key in 0..<100 {
                let moment = Int64.random(in: 0..<50, using: &random)
                deadlines.add(key, at: Instant(nanoseconds: moment))
                deadlines.add(-1, at: .never)
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
}

@Suite struct ArrivalTableTests {
    @Test("The running counts are always those of a recount, whatever happens")
    func counts() throws {
        let seed: UInt64 = 0x7AB1E
        var random = UnitRandom(seed: seed)
        let folder = try UnitFolder()
        try folder.write("a")
        try folder.write("b")
        let statuses = [try folder.status("a"), try folder.status("b")]
        let inbox = Inbox(IntakeStage.configured(BytePath("/nowhere")))
        let folders = (0..<2).map { number in
            Folder(
                inbox: inbox, place: .top, key: FileKey(device: 0, inode: UInt64(number), birth: nil), depth: 0,
                touched: .now())
        }
        let states: [ArrivalState] = [.waiting(.settling), .waiting(.writing), .held(.name), .ignored]
        var table = ArrivalTable()
        var ids: [ArrivalID] = []
        for step in 0..<3_000 {
            let place = folders[Int.random(in: 0..<2, using: &random)]
            let name = aName("n\(Int.random(in: 0..<30, using: &random))")
            let id = ids.randomElement(using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                guard place.arrivals[name] == nil else { continue }
                let status = statuses[Int.random(in: 0..<2, using: &random)]
                ids.append(table.insert(folder: place, name: name, status: status, moment: .current()))
            case 1:
                if let id {
                    let stood = table[id] != nil
                    #expect((table.remove(id) != nil) == stood && table[id] == nil)
                }
            case 2:
                if let id, place.arrivals[name] == nil { table.move(id, to: place, as: name) }
            default:
                let state = states[Int.random(in: 0..<4, using: &random)]
                if let id { table.update(id) { $0.state = state } }
            }
            for group in ArrivalState.Group.allCases {
                try #require(table.count(of: group) == table.recount(of: group), "seed \(seed), step \(step)")
            }
            let named = statuses.reduce(0) { $0 + table.names(of: $1.identity.file).count }
            try #require(named == table.count, "seed \(seed), step \(step)")
            try #require(folders.reduce(0) { $0 + $1.arrivals.count } == table.count, "seed \(seed), step \(step)")
        }
        #expect(ids.count > 100)
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
}

@Suite struct ProblemsTests {
    private func words(_ happening: Happening?) -> String? {
        switch happening {
        case .problemBegan(let text): "+" + text
        case .problemEnded(let text): "-" + text
        default: nil
        }
    }

    @Test("A problem is told when it begins, when its words change and when it ends, and not in between")
    func told() {
        var problems = Problems()
        #expect(words(problems.begin(.watchLimit, "a")) == "+a")
        #expect(words(problems.begin(.watchLimit, "a")) == nil)
        #expect(words(problems.begin(.documents, "b")) == "+b")
        #expect(words(problems.begin(.watchLimit, "c")) == "+c")
        #expect(problems.all == ["c", "b"] && problems.stands(.watchLimit) && !problems.isEmpty)
        #expect(words(problems.end(.watchLimit)) == "-c")
        #expect(words(problems.end(.watchLimit)) == nil)
        #expect(problems.all == ["b"] && !problems.stands(.watchLimit))
        #expect(words(problems.begin(.inbox(BytePath("/x")), "d")) == "+d")
        #expect(words(problems.end(.inbox(BytePath("/y")))) == nil)
    }
}
