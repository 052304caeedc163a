import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import inboxctl

@Suite("The search for writers")
struct WriterSearchTests {
    private let folder: TemporaryFolder
    /// No search takes so long.
    private let time = Duration.seconds(120)

    init() throws { folder = try TemporaryFolder() }

    /// The numbers of the processes that write to a file.
    private func writers(of name: String) -> [Int32] {
        let path = folder.bytePath(name)
        return (WriterSearch.writers(of: [path], within: time)[path] ?? []).map(\.number)
    }

    /// A program that another test starts has this one's descriptors for a moment.
    private func nobodyWrites(_ name: String) -> Bool {
        let end = Instant.now() + time
        while Instant.now() < end {
            if writers(of: name).isEmpty { return true }
            usleep(1000)
        }
        return writers(of: name).isEmpty
    }

    @Test("Who has a file open for writing is found by number and name, and who reads it is not")
    func descriptor() throws {
        try folder.write("a")
        try folder.write("b")
        let path = folder.bytePath("a")
        let reader = try FileDescriptor.reading(path: folder.bytePath("b"))
        for flags in [O_WRONLY, O_RDWR, O_WRONLY | O_APPEND] {
            let writer = try FileDescriptor.open(path: path, flags: flags | O_CLOEXEC)
            let found = WriterSearch.writers(of: [path, folder.bytePath("missing")], within: time)
            let own = try #require(found[path]?.first { $0.number == Process.current })
            #expect(String(decoding: own.name, as: UTF8.self) + "\n" == Disk.text("/proc/self/comm"))
            #expect(WriterSearch.writers(of: [path], leavingOut: own.number, within: time)[path]?.contains(own) != true)
            try writer.close()
        }
        #expect(nobodyWrites("a") && nobodyWrites("b"))
        try reader.close()
    }

    @Test("A file is found by whichever of its names, and whatever it was renamed to")
    func names() throws {
        try folder.write("a")
        let writer = try FileDescriptor.open(path: folder.bytePath("a"), flags: O_WRONLY | O_CLOEXEC)
        link(folder.path + "/a", folder.path + "/b")
        rename(folder.path + "/a", folder.path + "/c")
        folder.makeLink("link", to: "c")
        #expect(writers(of: "b").contains(Process.current) && writers(of: "c").contains(Process.current))
        // The link itself is not written.
        #expect(writers(of: "link").isEmpty)
        try writer.close()
    }

    @Test("Of a folder those are found that write to a file in it")
    func package() throws {
        folder.makeFolder("p")
        folder.makeFolder("p/inner")
        try folder.write("p/inner/a")
        try folder.write("pa")
        let beside = try FileDescriptor.open(path: folder.bytePath("pa"), flags: O_WRONLY | O_CLOEXEC)
        #expect(nobodyWrites("p"))
        let inside = try FileDescriptor.open(path: folder.bytePath("p/inner/a"), flags: O_WRONLY | O_CLOEXEC)
        #expect(writers(of: "p").contains(Process.current))
        unlink(folder.path + "/p/inner/a")
        #expect(nobodyWrites("p"))
        try inside.close()
        try beside.close()
    }

    @Test("Who has closed a file but writes to it in memory is found")
    func mapped() throws {
        try folder.write("a", "content")
        let file = try FileDescriptor.open(path: folder.bytePath("a"), flags: O_RDWR | O_CLOEXEC)
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        try #require(memory != MAP_FAILED)
        try file.close()
        #expect(ReadLease.take(try folder.open().file(aName("a"))) == .writer)
        #expect(writers(of: "a").contains(Process.current))
        munmap(memory, 4096)
        #expect(nobodyWrites("a"))
    }

    /// Makes a process of a false proc(5), which has a file open under as many numbers.
    private func makeProcess(_ number: String, comm: [UInt8], file: String, count: Int = 1) throws {
        folder.makeFolder("proc")
        folder.makeFolder("proc/\(number)")
        folder.makeFolder("proc/\(number)/fd")
        try Disk.put(comm, at: TestPath(folder.path + "/proc/\(number)/comm"))
        for descriptor in 0..<count { folder.makeLink("proc/\(number)/fd/\(descriptor)", to: "\(folder.path)/\(file)") }
    }

    private func found(mostDescriptors: Int = 100_000) -> [WritingProcess] {
        let path = folder.bytePath("a")
        let found = WriterSearch.writers(
            of: [path], within: time, mostDescriptors: mostDescriptors, in: folder.bytePath("proc"))
        return found[path] ?? []
    }

    @Test("Names are taken as bytes, and too long ones and folders of no process are left out")
    func hostile() throws {
        try folder.write("a")
        let name = Array("\u{1B}[2J\n)".utf8) + [0xFF]
        try makeProcess("12", comm: name + [0x0A], file: "a", count: 3)
        try makeProcess("13", comm: [UInt8](repeating: 0x41, count: 1 << 20), file: "a")
        try makeProcess("14", comm: [], file: "a/no")
        try makeProcess("99999999999", comm: [], file: "a")
        try makeProcess("self", comm: [], file: "a")
        folder.makeFolder("proc/15")
        try folder.write("proc/16", "no folder")
        try makeProcess("17", comm: [], file: "other")
        try folder.write("proc/17/maps", "garbage\n\n - - -\n7f-80 rw-s 0 zz:1 5\n")
        #expect(found() == [WritingProcess(number: 12, name: name), WritingProcess(number: 13, name: [])])
    }

    @Test("No more descriptors are inspected than allowed")
    func manyDescriptors() throws {
        try folder.write("a")
        try folder.write("b")
        try makeProcess("1", comm: [], file: "b", count: 10_000)
        try makeProcess("2", comm: [], file: "a")
        #expect(found(mostDescriptors: 10_000) == [])
        #expect(found(mostDescriptors: 10_001).map(\.number) == [2])
    }

    @Test("A search that takes too long is abandoned, with what was found until then")
    func late() throws {
        try folder.write("a")
        try makeProcess("1", comm: [], file: "a", count: 10_000)
        let begun = Instant.now()
        let found = WriterSearch.writers(of: [folder.bytePath("a")], within: .zero, in: folder.bytePath("proc"))
        #expect(found.count <= 1 && Instant.now() - begun < time)
    }

    @Test(
        "A line of a memory map is a written file or none",
        arguments: [
            ("7f00-7f01 rw-s 00000000 fe:01 42                   /a b", 0xFE_0000_0001, 42),
            ("7f00-7f01 rwxs 00000000 00:2d 18446744073709551615", 0x2D, UInt64.max),
            ("7f00-7f01 -w-s 00000000 fe:01 42 /a", 0xFE_0000_0001, 42), ("7f00-7f01 r--s 0 fe:01 42 /a", nil, nil),
            ("7f00-7f01 rw-p 0 fe:01 42 /a", nil, nil), ("7f00-7f01 rw-s 0 fe:01", nil, nil), ("", nil, nil),
            ("7f00-7f01 rw-s 0 fe01 42 /a", nil, nil), ("7f00-7f01 rw-s 0 fe:01:2 42 /a", nil, nil),
            ("7f00-7f01 rw-s 0 -1:1 42 /a", nil, nil), ("7f00-7f01 rw-s 0 fe:01 -42 /a", nil, nil),
            ("7f00-7f01 rw-sx 0 fe:01 42 /a", nil, nil), ("7f00-7f01 rw-s 0 fe:01 18446744073709551616", nil, nil),
        ] as [(String, UInt64?, UInt64?)])
    func lines(line: String, device: UInt64?, inode: UInt64?) {
        let file = MappedFile(written: Array(line.utf8)[...])
        #expect(file?.device == device && file?.inode == inode)
    }
}
