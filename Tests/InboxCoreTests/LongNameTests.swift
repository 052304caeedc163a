import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite("Names of more than 255 bytes in the book")
struct LongNameTests {
    @Test("Names of every length come back as they were, and can be searched for")
    func everyLength() {
        let place = Self.place()
        var slots = ArrivalSlots()
        let names = [1, 2, 253, 254, 255, 256, 257, 511, 512, 765, 1024, 4094, 4095].flatMap { count in
            (0..<60).map { aName(String(repeating: "n", count: count - 1) + String(UnicodeScalar(UInt8(65 + $0)))) }
        }
        let added = names.map { slots.add($0, in: place, owner: 0) }
        for (slot, name) in zip(added, names) {
            #expect(slots.name(of: slot) == name)
            #expect(slots.find(name, in: place) == slot)
        }
        for slot in added { slots.remove(slot) }
        #expect(slots.count == 0 && slots.room == 0)
    }

    @Test("Where names are long there is room for fewer arrivals, so that they take no more memory")
    func room() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let status = try folder.status("a")
        let (book, place) = (ArrivalBook(), Self.place())
        book.limits.all = 40
        func add(_ count: Int, _ letter: Character) -> ArrivalID? {
            book.add(aName(String(repeating: letter, count: count)), in: place, status, at: .current())
        }
        // As many as sixteen with a name of 255 bytes each.
        let first = try #require(add(4095, "a"))
        let second = try #require(add(4095, "b"))
        #expect(add(4095, "c") == nil)
        #expect(book.isCrowded == false && book.ownerShares.known(status.owner)?.all == 32)
        book.move(second, to: place, as: aName("short"))
        #expect(book.ownerShares.known(status.owner)?.all == 17)
        #expect(add(4095, "c") != nil && add(600, "d") != nil && book.isCrowded)
        book.remove(first)
        #expect(!book.isCrowded && book.ownerShares.known(status.owner)?.all == 20)
    }

    private static func place() -> Folder {
        Folder(
            inbox: Inbox(IntakeStage.configured(BytePath("/nowhere"))), location: .top,
            key: FileKey(device: 0, inode: 1, birth: nil), touched: .now())
    }
}
