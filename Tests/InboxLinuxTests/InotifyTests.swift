import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct InotifyTests {
    private static func encoded(
        _ watch: Int32, _ mask: InotifyMask, _ cookie: UInt32 = 0, field: [UInt8] = []
    ) -> [UInt8] {
        let words = [UInt32(bitPattern: watch), mask.rawValue, cookie, UInt32(field.count)]
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32($0 * 8)) } } + field
    }

    private static func parsed(_ bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        Inotify.parse(bytes) { events.append($0) }
        return events
    }

    private static let row =
        encoded(1, .created, field: Array("a".utf8) + [UInt8](repeating: 0, count: 15))
        + encoded(2, [.movedTo, .isFolder], 77, field: [0xFF, 0x0A] + [UInt8](repeating: 0, count: 14))
        + encoded(-1, .overflow) + encoded(3, .ignored, field: [0, 0, 0, 0])

    @Test("Events come in their order with every field, the name without its padding")
    func several() {
        let events = Self.parsed(Self.row[...])
        #expect(events.map(\.watch) == [1, 2, -1, 3])
        #expect(events.map(\.mask) == [.created, [.movedTo, .isFolder], .overflow, .ignored])
        #expect(events.map(\.cookie) == [0, 77, 0, 0])
        #expect(events.map(\.name) == [FileName("a"), FileName([0xFF, 0x0A]), nil, nil])
    }

    @Test("A read that ends within an event ends in an overflow; the events before it count")
    func cutOff() {
        let ends = [0, 32, 64, 80, 100]
        for count in 0...Self.row.count {
            // A slice that does not begin at 0 is read as well.
            let bytes = [0xEE] + Self.row.prefix(count)
            let events = Self.parsed(bytes.dropFirst())
            let whole = ends.lastIndex { $0 <= count } ?? 0
            let isCut = !ends.contains(count)
            #expect(events.count == whole + (isCut ? 1 : 0), "\(count)")
            if isCut { #expect(events.last?.mask == .overflow && events.last?.watch == -1, "\(count)") }
        }
    }

    @Test("A creation is left out where the close of the same file comes next, and nowhere else")
    func closed() {
        func event(_ watch: Int32, _ mask: InotifyMask, _ name: String) -> [UInt8] {
            Self.encoded(watch, mask, field: Array(name.utf8) + [0, 0])
        }
        let created = event(1, .created, "a")
        #expect(Self.parsed((created + event(1, .closedAfterWriting, "a"))[...]).map(\.mask) == [.closedAfterWriting])
        #expect(Self.parsed(created[...]).map(\.mask) == [.created])
        let others = [
            event(1, .closedAfterWriting, "b"), event(2, .closedAfterWriting, "a"), event(1, .deleted, "a"),
            event(1, .movedFrom, "a"), event(1, .attributes, "a"), created,
        ]
        for other in others {
            let events = Self.parsed((created + other)[...])
            #expect(events.count == 2 && events.first?.mask == .created, "\(events)")
        }
        let folder = event(1, [.created, .isFolder], "a")
        #expect(Self.parsed((folder + event(1, .closedAfterWriting, "a"))[...]).count == 2)
    }

    @Test("A length beyond the buffer, or a name that is none, is an overflow", arguments: [17, 1 << 16, UInt32.max])
    func length(_ length: UInt32) {
        var bytes = Self.encoded(1, .created, field: Array("abcdefghijklmnop".utf8))
        for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: length >> UInt32(index * 8)) }
        let events = Self.parsed(bytes[...])
        #expect(events.map(\.mask) == [.overflow])
        for field in ["a/b", "..", ".", String(repeating: "x", count: 4096)] {
            let bytes = Self.encoded(1, .created, field: Array(field.utf8) + [0]) + Self.encoded(4, .deleted)
            #expect(Self.parsed(bytes[...]).map(\.mask) == [.overflow, .deleted], "\(field)")
        }
    }

    @Test("An event of a name that is longer than most filesystems allow is one of that name", arguments: [300, 4095])
    func longName(_ count: Int) {
        let name = String(repeating: "x", count: count)
        let events = Self.parsed(Self.encoded(1, .movedTo, field: Array(name.utf8) + [0])[...])
        #expect(events.map(\.mask) == [.movedTo])
        #expect(events.map(\.name) == [aName(name)])
    }

    @Test("An event that is larger than the next reading would be is read all the same")
    func largerThanPortion() throws {
        let folder = try TemporaryFolder()
        let inotify = try Inotify()
        _ = try inotify.watch(try folder.open(), for: [.created, .onlyFolder])
        try folder.write("new")
        inotify.portion = 16
        var seen: [FileName?] = []
        #expect(try inotify.read { seen.append($0.name) })
        #expect(seen == [aName("new")])
    }

    @Test("Random bytes never trap, and never make more events than fit")
    func random() {
        let seed: UInt64 = 0x1207
        var random = SeededRandom(seed: seed)
        for _ in 0..<3_000 {
            var bytes = random.bytes(upTo: 120)
            // Small lengths make more of the bytes be read.
            for index in stride(from: 12, to: bytes.count, by: 16) where index + 4 <= bytes.count {
                bytes.replaceSubrange(index..<(index + 4), with: [UInt8.random(in: 0...20, using: &random), 0, 0, 0])
            }
            let events = Self.parsed(bytes[...])
            #expect(events.count <= bytes.count / 16 + 1, "seed \(seed)")
            #expect(bytes.isEmpty == events.isEmpty, "seed \(seed)")
        }
    }

    @Test("A watch reports what happens in the folder that was open, though its path leads elsewhere now")
    func watch() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("watched")
        let inotify = try Inotify()
        let opened = try Directory.open(path: folder.bytePath("watched"))
        try folder.open().rename(aName("watched"), to: try folder.open(), as: aName("moved"))
        let watch = try inotify.watch(opened, for: [.created, .closedAfterWriting, .onlyFolder])
        #expect(try inotify.watch(opened, for: [.created, .closedAfterWriting, .onlyFolder]) == watch)
        #expect(try !inotify.read { _ in })
        try folder.write("moved/new")
        var seen: [InotifyEvent] = []
        #expect(try inotify.read { seen.append($0) })
        #expect(seen.map(\.mask) == [.closedAfterWriting])
        #expect(seen.allSatisfy { $0.watch == watch && $0.name == FileName("new") })
        inotify.unwatch(watch)
        inotify.unwatch(watch)
        inotify.unwatch(12_345)
        seen = []
        #expect(try inotify.read { seen.append($0) })
        #expect(seen.map(\.mask) == [.ignored])
    }

    @Test("The slower the events of one reading are acted upon, the fewer the next one hands over")
    func portions() throws {
        let folder = try TemporaryFolder()
        let inotify = try Inotify()
        _ = try inotify.watch(try folder.open(), for: [.attributes, .onlyFolder])
        for number in 0..<8 { try folder.write("\(number)") }
        // Two equal events in a row would be one.
        for number in 0..<12_000 { #expect(chmod("\(folder.path)/\(number % 8)", 0o600) == 0) }
        func read(during duration: Duration) throws -> Int {
            var count = 0
            _ = try inotify.read { _ in
                if count == 0 { pause(duration) }
                count += 1
            }
            return count
        }
        let first = try read(during: .milliseconds(30))
        #expect(inotify.took >= .milliseconds(30))
        let halves = try (0..<8).map { _ in try read(during: .milliseconds(30)) }
        #expect(first > 1000 && halves[0] <= first / 2 + 1)
        #expect(halves.last ?? 0 > 0 && halves.last ?? 0 <= first / 32)
        let quick = try (0..<4).map { _ in try read(during: .zero) }
        #expect(quick[3] > quick[0])
    }
}
