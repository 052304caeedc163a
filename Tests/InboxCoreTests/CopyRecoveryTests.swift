import Glibc
import InboxDetection
import InboxLinux
import Testing

@testable import InboxCore

@Suite("After an interrupted copy", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct CopyRecoveryTests {
    private let stage: CopyStage
    private let document: CopyDocument
    private let detector = Detector(places: .none)

    init() throws {
        stage = try CopyStage()
        try stage.write([1, 2, 3], to: "\(stage.source)/a.txt")
        document = try stage.document("a.txt")
    }

    private var temporary: FileName { CopyTarget.temporaryName(document.template.id) }

    /// Puts a finished copy under a name, and tells the journal.
    private func place(_ name: String, temporary: FileName? = nil) throws {
        try stage.write([1, 2, 3], to: "\(stage.target)/\(name)")
        let marks = try stage.status("\(stage.target)/\(name)").identity
        try stage.journal.add([document.intent(temporary: temporary, copy: marks)], isDurable: false)
    }

    private func recover() throws -> CopyRecovery.Findings {
        try CopyRecovery.run(stage.journal, stage.history, detector, inboxes: [BytePath(stage.source)])
    }

    private var there: [String] { get throws { try stage.names(in: stage.target) } }
    private var here: [String] { get throws { try stage.names(in: stage.source) } }

    @Test("A hidden temporary goes, and the source is filed anew by the next scan")
    func temporaryGoes() throws {
        try stage.journal.add([document.intent(temporary: temporary)], isDurable: false)
        try stage.write([1], to: "\(stage.target)/\(temporary)")
        try stage.write([9], to: "\(stage.target)/of-others")
        #expect(try recover().records.isEmpty)
        #expect(try there == ["of-others"])
        #expect(try here == ["a.txt"])
        #expect(try stage.journal.leftOver().isEmpty)
    }

    @Test("A finished copy under its hidden name alone was never published")
    func unpublished() throws {
        try place("\(temporary)", temporary: temporary)
        #expect(try recover().records.isEmpty)
        #expect(try there.isEmpty)
        #expect(try here == ["a.txt"])
    }

    @Test("Where both stand, the copy is recorded once and the source goes")
    func both() throws {
        try place("a-7.txt")
        let found = try recover()
        #expect(found.records.count == 1)
        #expect(found.records.first?.renamed == true)
        #expect(try there == ["a-7.txt"])
        #expect(try here.isEmpty)
        #expect(try stage.records.count == 1)
    }

    @Test("A recovery that is interrupted before the journal is cleared does nothing twice")
    func again() throws {
        try place("a.txt")
        let line = document.intent(temporary: nil, copy: try stage.status("\(stage.target)/a.txt").identity)
        _ = try recover()
        try stage.journal.add([line], isDurable: false)
        #expect(try recover().records.isEmpty)
        #expect(try stage.records.count == 1)
        #expect(try there == ["a.txt"])
    }

    @Test("Where the copy stands alone, it is recorded")
    func copyAlone() throws {
        try place("a.txt")
        unlink("\(stage.source)/a.txt")
        #expect(try recover().records.count == 1)
        #expect(try there == ["a.txt"])
    }

    @Test("What is recorded already is not recorded again, and its source goes")
    func recorded() throws {
        try place("a.txt")
        try stage.history.append(document.template.line, isDurable: false)
        #expect(try recover().records.isEmpty)
        #expect(try stage.records.count == 1)
        #expect(try here.isEmpty)
    }

    @Test("A source that was taken aside when the interruption came goes")
    func aside() throws {
        try place("a.txt")
        rename("\(stage.source)/a.txt", "\(stage.source)/\(temporary)")
        #expect(try recover().records.count == 1)
        #expect(try here.isEmpty)
        #expect(try there == ["a.txt"])
    }

    @Test("A source that was taken aside for a copy that was never published gets its name back")
    func asideAlone() throws {
        try place("\(temporary)", temporary: temporary)
        rename("\(stage.source)/a.txt", "\(stage.source)/\(temporary)")
        #expect(try recover().records.isEmpty)
        #expect(try there.isEmpty)
        #expect(try here == ["a.txt"])
        #expect(try stage.read("\(stage.source)/a.txt") == [1, 2, 3])
    }

    @Test("The source of a recorded copy goes where its owner has taken the copy since")
    func copyTaken() throws {
        try place("a.txt")
        try stage.history.append(document.template.line, isDurable: false)
        unlink("\(stage.target)/a.txt")
        #expect(try recover().records.isEmpty)
        #expect(try here.isEmpty)
    }

    @Test("A folder on the source's way that became a link leads to nothing that is removed")
    func linkOnTheWay() throws {
        mkdir("\(stage.source)/inner", 0o755)
        try stage.write([1, 2, 3], to: "\(stage.source)/inner/b.txt")
        let inner = try stage.document("b.txt", in: "\(stage.source)/inner")
        try stage.write([1, 2, 3], to: "\(stage.target)/b.txt")
        let marks = try stage.status("\(stage.target)/b.txt").identity
        try stage.journal.add([inner.intent(temporary: nil, copy: marks)], isDurable: false)
        rename("\(stage.source)/inner", "\(stage.source)-outside")
        symlink("\(stage.source)-outside", "\(stage.source)/inner")
        defer {
            unlink("\(stage.source)-outside/b.txt")
            rmdir("\(stage.source)-outside")
        }
        #expect(try recover().records.count == 1)
        #expect(try stage.names(in: "\(stage.source)-outside") == ["b.txt"])
    }

    @Test("Another document that was taken aside with it gets its name back")
    func foreignAside() throws {
        try place("a.txt")
        unlink("\(stage.source)/a.txt")
        try stage.write([8], to: "\(stage.source)/\(temporary)")
        #expect(try recover().records.count == 1)
        #expect(try here == ["a.txt"])
        #expect(try stage.read("\(stage.source)/a.txt") == [8])
    }

    @Test("A copy with two names keeps its own")
    func twoNames() throws {
        try place("a.txt", temporary: temporary)
        link("\(stage.target)/a.txt", "\(stage.target)/\(temporary)")
        #expect(try recover().records.count == 1)
        #expect(try there == ["a.txt"])
        #expect(try here.isEmpty)
    }

    @Test("A source that has changed since stays")
    func changed() throws {
        try place("a.txt")
        chmod("\(stage.source)/a.txt", 0o600)
        let found = try recover()
        #expect(found.records.count == 1)
        #expect(found.notices.count == 1)
        #expect(try here == ["a.txt"])
    }

    @Test("Another document under the source's name stays, and nothing is said")
    func another() throws {
        try place("a.txt")
        unlink("\(stage.source)/a.txt")
        try stage.write([8], to: "\(stage.source)/a.txt")
        let found = try recover()
        #expect(found.records.count == 1)
        #expect(found.notices.isEmpty)
        #expect(try stage.read("\(stage.source)/a.txt") == [8])
    }

    @Test("A file that somebody else put under the wanted name is not taken for the copy")
    func foreign() throws {
        try place("a.txt")
        unlink("\(stage.target)/a.txt")
        try stage.write([1, 2, 3], to: "\(stage.target)/a.txt")
        #expect(try recover().records.isEmpty)
        #expect(try here == ["a.txt"])
    }

    @Test(
        "A line that was cut off anywhere tells of nothing that was begun",
        arguments: Array(stride(from: 0, to: 400, by: 7)))
    func torn(_ length: Int) throws {
        let marks = try stage.status("\(stage.source)/a.txt").identity
        let whole = document.intent(temporary: temporary, copy: marks).line
        let file = try stage.state.directory.appendingFile(CopyJournal.name)
        try file.write(Array(whole.prefix(min(length, whole.count - 2))))
        #expect(try stage.journal.leftOver().isEmpty)
        #expect(try recover().records.isEmpty)
        #expect(try here == ["a.txt"])
    }

    @Test("While the disk of a copy is not there its lines stay, and it is ended when somebody accepts what is there")
    func diskAway() throws {
        let away = try stage.document("a.txt", on: FilesystemMark(device: 0, identifier: "another disk"))
        try stage.write([1], to: "\(stage.target)/\(temporary)")
        try stage.journal.add([away.intent(temporary: temporary)], isDurable: false)
        let found = try recover()
        #expect(found.open.count == 1 && found.records.isEmpty)
        #expect(try stage.journal.leftOver().count == 1)
        #expect(stage.journal.hasKept)
        #expect(try there == ["\(temporary)"])
        #expect(try here == ["a.txt"])
        let accepted = try CopyRecovery.run(
            stage.journal, stage.history, detector, inboxes: [BytePath(stage.source)], accepting: true)
        #expect(accepted.open.isEmpty)
        #expect(try stage.journal.leftOver().isEmpty)
        #expect(!stage.journal.hasKept)
        #expect(try there.isEmpty)
    }

    @Test("Lines that stay are not lost by later copies, and those do not add up")
    func kept() throws {
        let away = try stage.document("a.txt", on: FilesystemMark(device: 0, identifier: "another disk"))
        try stage.journal.add([away.intent(temporary: temporary)], isDurable: false)
        _ = try recover()
        for name in ["b", "c"] {
            try stage.write([1], to: "\(stage.source)/\(name)")
            #expect(try stage.copy(name).results.map(\.word) == ["filed"])
            #expect(try stage.journal.leftOver().map(\.intent.id) == [away.template.id.text])
        }
        stage.journal.keep()
        try stage.write([1], to: "\(stage.source)/d")
        #expect(try stage.copy("d").results.map(\.word) == ["filed"])
        #expect(try stage.journal.leftOver().count == 2)
        #expect(try recover().records.isEmpty)
        #expect(try stage.records.count == 3)
    }

    @Test("A line says all that recovery needs")
    func line() throws {
        let marks = try stage.status("\(stage.source)/a.txt").identity
        try stage.journal.add([document.intent(temporary: temporary)], isDurable: false)
        try stage.journal.add([document.intent(temporary: temporary, copy: marks)], isDurable: false)
        let found = try stage.journal.leftOver()
        #expect(found.count == 1)
        #expect(found.first?.intent.identity == document.status.identity)
        #expect(found.first?.changed == document.status.changed)
        #expect(found.first?.temporary == temporary)
        #expect(found.first?.copy == marks)
    }
}
