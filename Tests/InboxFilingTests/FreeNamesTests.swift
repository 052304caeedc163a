import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite struct FreeNamesTests {
    /// A folder with a row of files, and the names that were offered.
    private final class Row {
        let folder: TemporaryFolder
        let opened: OpenFolder
        var tries: [FileName] = []

        init() throws {
            folder = try TemporaryFolder()
            opened = OpenFolder(try folder.open())
        }

        /// Creates the file where the name is free, as a rename that never replaces does.
        func take(_ wanted: FileName, _ names: inout FreeNames) throws -> Int? {
            try names.take(wanted, in: opened) { (name) throws(SyscallError) in
                tries.append(name)
                guard try !opened.directory.has(name) else { return false }
                _ = try opened.directory.newFile(name)
                return true
            }?.number
        }
    }

    @Test("Beside 5,000 names of the row the next number is found by few tries, and the one after it by two")
    func long() throws {
        let row = try Row()
        try row.folder.write("scan.pdf")
        for number in 1..<5_000 { try row.folder.write("scan-\(number).pdf") }
        var names = FreeNames()
        #expect(try row.take(aName("scan.pdf"), &names) == 5_000)
        #expect(row.tries.count == 3)
        #expect(try row.take(aName("scan.pdf"), &names) == 5_001)
        #expect(row.tries.count == 5)
    }

    @Test("A name of 255 bytes is numbered as quickly")
    func longest() throws {
        let row = try Row()
        let name = aName(String(repeating: "x", count: 251) + ".pdf")
        let names = NumberedName(name)
        for number in 0..<3_000 {
            _ = try row.opened.directory.newFile(try #require(names.numbered(number)))
        }
        var free = FreeNames()
        #expect(try row.take(name, &free) == 3_000)
        #expect(row.tries.count == 3)
    }

    @Test("The number that is found is free, and the one before it taken, for every length of a row up to 300")
    func bisection() {
        let names = NumberedName(aName("a.txt"))
        for length in 0...300 {
            var calls = 0
            let found = names.firstFree(after: 0) { name in
                calls += 1
                return (names.number(of: name) ?? 0) <= length
            }
            #expect(found == length + 1)
            #expect(calls <= 20)
        }
    }

    @Test("The name itself is used again when it is free, whatever numbers were given")
    func freed() throws {
        let row = try Row()
        var names = FreeNames()
        for expected in [0, 1, 2] { #expect(try row.take(aName("a"), &names) == expected) }
        try row.opened.directory.removeFile(aName("a"))
        #expect(try row.take(aName("a"), &names) == 0)
        #expect(try row.take(aName("a"), &names) == 3)
    }

    @Test("The last numbers are used again when they are free, as after an undo")
    func freedNumber() throws {
        let row = try Row()
        var names = FreeNames()
        for expected in [0, 1, 2, 3] { #expect(try row.take(aName("a"), &names) == expected) }
        try row.opened.directory.removeFile(aName("a-3"))
        #expect(try row.take(aName("a"), &names) == 3)
        for name in ["a-2", "a-3"] { try row.opened.directory.removeFile(aName(name)) }
        for expected in [2, 3, 4] { #expect(try row.take(aName("a"), &names) == expected) }
    }

    @Test("Two searches share what they remember, and each row has numbers of its own")
    func shared() throws {
        let row = try Row()
        let numbers = LastNumbers()
        var (first, second) = (FreeNames(numbers), FreeNames(numbers))
        for _ in 0..<9 { _ = try row.take(aName("a"), &first) }
        row.tries = []
        #expect(try row.take(aName("a"), &second) == 9)
        #expect(row.tries.count == 2)
        #expect(try row.take(aName("b"), &second) == 0)
    }

    @Test("No more than 4,096 rows are remembered")
    func bounded() throws {
        let numbers = LastNumbers()
        let folder = try TemporaryFolder().open().status().identity.file
        for number in 0..<10_000 { numbers.remember(1, for: .init(folder: folder, name: aName("\(number)"))) }
        #expect(numbers.count <= LastNumbers.limit)
        #expect(numbers.last(of: .init(folder: folder, name: aName("9999"))) == 1)
    }

    @Test("A name that is taken at that moment all the same is passed over")
    func race() throws {
        let row = try Row()
        var names = FreeNames()
        let taken = try names.take(aName("a"), in: row.opened) { (name) throws(SyscallError) in name == aName("a-20") }
        #expect(taken?.number == 20 && taken?.name == aName("a-20"))
    }

    @Test("A failure ends the search, and the next one begins at the same name")
    func failing() throws {
        let row = try Row()
        var names = FreeNames()
        var reported: Errno?
        do throws(SyscallError) {
            _ = try names.take(aName("a"), in: row.opened) { (_) throws(SyscallError) in
                throw SyscallError(.renameat2, .noSpace)
            }
        } catch {
            reported = error.errno
        }
        #expect(reported == .noSpace)
        #expect(try row.take(aName("a"), &names) == 0)
    }
}
