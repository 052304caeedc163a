import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("Who is checked next")
struct CheckTurnsTests {
    private static func check(_ name: String) throws -> CheckInForce {
        CheckInForce(.documentType(name), try CommandTemplate(Array("/bin/true".utf8)), concurrency: 1)
    }

    @Test("One arrival of each user is taken in turn, each once, and each check has a row of its own")
    func turns() throws {
        var turns = CheckTurns()
        let (first, second) = (try Self.check("A"), try Self.check("B"))
        func append(_ number: UInt64, _ owner: UInt32, _ check: CheckInForce) {
            turns.append(ArrivalID(number: number), of: owner, for: check) { _ in (true, owner) }
        }
        for number in 1...3 { append(UInt64(number), 1, first) }
        append(2, 1, first)
        append(4, 2, first)
        append(5, 1, second)
        var taken: [UInt64] = []
        while let id = turns.popFirst(of: first) { taken.append(id.number) }
        #expect(taken == [1, 4, 2, 3])
        #expect(turns.awaited.count == 1 && turns.awaited[0] === second)
        #expect(turns.takeAll { $0 === second }.map(\.number) == [5])
        #expect(turns.awaited.isEmpty)
    }

    @Test("Where very many wait, those that have gone make room, and nobody who waits loses a turn")
    func limit() throws {
        var turns = CheckTurns()
        let check = try Self.check("A")
        let most = 1 << 16
        for number in 1...most + 10 {
            turns.append(ArrivalID(number: UInt64(number)), of: 1, for: check) { id in (id.number % 2 == 0, 1) }
        }
        #expect(turns.count(of: check) == most / 2 + 10)
        #expect(turns.popFirst(of: check)?.number == 2)
    }
}
