import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite("Whether a folder was made after a change of the folder around it")
struct BirthTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.open().makeFolder(aName("made"), mode: 0o700)
    }

    private func isBorn(after change: Timestamp) throws -> Bool {
        let parent = try folder.open()
        return try parent.folder(aName("made")).status().isBorn(after: change, in: parent)
    }

    @Test("One that was made before that change was not")
    func older() throws {
        let made = try folder.open().folder(aName("made")).status()
        var count = 0
        while try folder.open().status().changed <= made.changed {
            count += 1
            try folder.write("later-\(count)")
        }
        #expect(try !isBorn(after: folder.open().status().changed))
    }

    @Test("One that was made after it was, also where the clock was set back in between")
    func younger() throws {
        let changed = try folder.open().status().changed
        #expect(try isBorn(after: Timestamp(seconds: changed.seconds - 60, nanoseconds: 0)))
        #expect(try isBorn(after: Timestamp(seconds: changed.seconds + 60, nanoseconds: 0)))
    }
}
