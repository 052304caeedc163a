import CInboxLinux
import InboxConfiguration
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("Requests that wait for a worker")
struct OwnerQueueTests {
    /// A request of an owner; its number says in which order it came.
    private func request(_ number: UInt64, of owner: UInt32, _ size: UInt64 = 1) throws -> FilingRequest {
        let status = try TemporaryFolder().open().status().owned(by: owner, size: size)
        return FilingRequest(
            id: ArrivalID(number: number), inbox: BytePath("/inbox"), settings: InboxSettings(), folder: nil,
            name: aName("\(number)"), status: status, isPackage: false, acceptance: .lease, writerSeen: nil)
    }

    @Test("Of other owners than some the one is taken whose turn it is, and those keep their elements")
    func besides() {
        var queue = OwnerQueue<Int>()
        for (number, owner) in [(1, 10), (2, 10), (3, 20), (4, 30)] { queue.append(number, of: UInt32(owner)) }
        #expect(queue.hasOwner(besides: [10, 20]) && !queue.hasOwner(besides: [10, 20, 30]))
        #expect(queue.popFirst(besides: [10]) == 3)
        #expect(queue.popFirst(besides: [10]) == 4)
        #expect(queue.popFirst(besides: [10]) == nil && queue.count == 2)
        #expect(queue.popFirst(besides: []) == 1 && queue.popFirst() == 2 && queue.isEmpty)
        #expect(!queue.hasOwner(besides: []))
    }

    @Test("One of each owner is taken in turn, in the order in which each owner's came")
    func turns() throws {
        var queue = OwnerQueue<FilingRequest>()
        for number: UInt64 in 1...100 { queue.append(try request(number, of: 1000)) }
        queue.append(try request(201, of: 2000))
        queue.append(try request(301, of: 3000))
        queue.append(try request(202, of: 2000))
        #expect(queue.take(most: 6, bytes: .max).map(\.id.number) == [1, 201, 301, 2, 202, 3])
        #expect(queue.count == 97)
        #expect(queue.take(most: 2, bytes: .max).map(\.id.number) == [4, 5])
    }

    @Test("Nobody who comes later waits for the rest of a long row")
    func late() throws {
        var queue = OwnerQueue<FilingRequest>()
        for number: UInt64 in 1...100 { queue.append(try request(number, of: 1000)) }
        _ = queue.take(most: 10, bytes: .max)
        queue.append(try request(201, of: 2000))
        #expect(queue.take(most: 2, bytes: .max).map(\.id.number).contains(201))
    }

    @Test("What a batch did not get to is taken before what waits, each owner's in its order")
    func putBack() throws {
        var queue = OwnerQueue<FilingRequest>()
        for number: UInt64 in 1...4 { queue.append(try request(number, of: 1000)) }
        queue.append(try request(201, of: 2000))
        let taken = queue.take(most: 4, bytes: .max)
        #expect(taken.map(\.id.number) == [1, 201, 2, 3])
        queue.putBack(Array(taken.dropFirst()))
        #expect(queue.count == 4)
        #expect(Set(queue.take(most: 2, bytes: .max).map(\.id.number)) == [2, 201])
        #expect(queue.takeAll().map(\.id.number) == [3, 4])
    }

    @Test("The bytes of a batch are limited, but one document is always taken")
    func bytes() throws {
        var queue = OwnerQueue<FilingRequest>()
        for number: UInt64 in 1...4 { queue.append(try request(number, of: 1000, 60)) }
        #expect(queue.take(most: 10, bytes: 100).count == 2)
        #expect(queue.take(most: 10, bytes: 1).count == 1)
        #expect(queue.takeAll().count == 1)
        #expect(queue.isEmpty)
    }
}

extension FileStatus {
    /// The same with another owner and size.
    fileprivate func owned(by owner: UInt32, size: UInt64) throws -> FileStatus {
        var reported = inbox_status()
        reported.mode = 0o100_644
        reported.owner = owner
        reported.size = size
        return FileStatus(reported)
    }
}
