import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxFiling
@testable import InboxProperties

@Suite("What checks say")
struct FactLinesTests {
    private static func lines(_ text: String) -> FactLines { FactLines(Array(text.utf8)) }

    @Test("A line is a fact where a key of an annotation, an equals sign and text follow each other")
    func pairs() {
        let lines = Self.lines("a=1\nb_2=x=y\r\n\nC=\na=2\nno pair\n=x\nd e=f\n\u{e9}=1\nlast= blank ")
        #expect(lines.facts == ["a": "2", "b_2": "x=y", "C": "", "last": " blank "])
        #expect(lines.others.map { String(decoding: $0, as: UTF8.self) } == ["no pair", "=x", "d e=f", "\u{e9}=1"])
    }

    @Test("What is no text, or has a NUL, is no fact")
    func noText() {
        let lines = FactLines([0x61, 0x3D, 0xFF, 0x0A] + Array("b=\0\nc=1\n".utf8))
        #expect(lines.facts == ["c": "1"])
        #expect(lines.others.count == 2)
    }

    @Test("Of random lines every fact has a key and a value that a variable of the environment can have")
    func fuzz() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("ab=_\n\r \0\u{e9}".utf8) + [0xFF, 0x80]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let lines = FactLines(bytes)
            for (key, value) in lines.facts {
                #expect(Annotations.isKey(key), "\(bytes)")
                #expect(!value.utf8.contains(0) && !value.utf8.contains(0x0A), "\(bytes)")
            }
            let all = bytes.split(separator: 0x0A).count
            #expect(lines.others.count + lines.facts.count <= all, "\(bytes)")
        }
    }

    @Test("A date of a fact is one of RFC 3339 and of the calendar, as a whole")
    func dates() {
        for text in ["2024-03-01", "2024-03-01T17:45:01Z", "2024-02-29T00:00:00.25+01:00", "2024-03-01 17:45:01-05:30"]
        {
            #expect(DocumentDate(rfc3339: text) != nil, "\(text)")
        }
        let others = [
            "", "2024", "2024-03", "2024-3-1", "2024-02-30", "2024-13-01", "2024-03-01T17:45", "2024-03-01T17:45:01",
            "2024-03-01T25:00:00Z", "2024-03-01T17:45:01Z ", "2024-03-01x", "2024-03-01T17:45:01+1:00",
        ]
        for text in others { #expect(DocumentDate(rfc3339: text) == nil, "\(text)") }
        #expect(DocumentDate(rfc3339: "2024-02-29T00:00:00.25+01:00")?.text == "2024-02-29T00:00:00+01:00")
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("0123456789-:TZ+. ")
        for _ in 0..<20_000 {
            let text = String((0..<Int.random(in: 0...30, using: &random)).map { _ in alphabet.randomElement() ?? "0" })
            _ = DocumentDate(rfc3339: "2024-03-01" + text)
            _ = DocumentDate(rfc3339: text)
        }
    }
}

@Suite("Verdicts of checks")
struct CheckVerdictsTests {
    private static func check(_ subject: CheckInForce.Subject) throws -> CheckInForce {
        CheckInForce(subject, try CommandTemplate(Array("/bin/true".utf8)), concurrency: 1)
    }

    private static func state(size: UInt64 = 1, changed: Int64 = 5) -> CheckVerdicts.State {
        CheckVerdicts.State(
            identity: FileIdentity(
                file: FileKey(device: 1, inode: 2, birth: nil), size: size,
                modified: Timestamp(seconds: 4, nanoseconds: 0)),
            changed: Timestamp(seconds: changed, nanoseconds: 0))
    }

    @Test("A verdict is about one state of one document, and about the check that has spoken")
    func scope() throws {
        let inbox = try Self.check(.inbox(BytePath("/i")))
        let id = RecordIdentifiers().next(at: .now())
        let verdicts = CheckVerdicts(
            .accepted(["a": "1"]), by: inbox, on: Self.state(), members: [:], id: id, after: nil)
        #expect(verdicts.ruling(by: inbox) == .accepted(["a": "1"]))
        #expect(verdicts.ruling(by: try Self.check(.inbox(BytePath("/i")))) == nil, "the same command after a reload")
        #expect(verdicts.isAbout(Self.state()))
        #expect(!verdicts.isAbout(Self.state(changed: 6)))
        #expect(!verdicts.isAbout(Self.state(size: 2)))
    }

    @Test(
        "The verdict of a document type's check keeps that of the Inbox's on the same state, and never survives a new one of that"
    )
    func succession() throws {
        let inbox = try Self.check(.inbox(BytePath("/i")))
        let own = try Self.check(.documentType("T"))
        let id = RecordIdentifiers().next(at: .now())
        let first = CheckVerdicts(
            .accepted(["a": "1", "b": "1"]), by: inbox, on: Self.state(), members: [:], id: id, after: nil)
        let second = CheckVerdicts(
            .accepted(["a": "2"]), by: own, on: Self.state(), members: [:], id: id, after: first)
        #expect(second.ruling(by: inbox) == .accepted(["a": "1", "b": "1"]))
        #expect(second.facts == ["a": "2", "b": "1"])
        let other = CheckVerdicts(
            .accepted([:]), by: own, on: Self.state(changed: 6), members: [:], id: id, after: first)
        #expect(other.ruling(by: inbox) == nil)
        let again = CheckVerdicts(.accepted([:]), by: inbox, on: Self.state(), members: [:], id: id, after: second)
        #expect(again.ruling(by: own) == nil)
        let rejected = CheckVerdicts(.rejected("no"), by: own, on: Self.state(), members: [:], id: id, after: first)
        #expect(rejected.isRejection && !second.isRejection)
    }

    @Test("A reload keeps a check in force that it leaves as it is, and no other")
    func reload() throws {
        let text = "[Inbox]\nCheck=/bin/a\n[DocumentType T]\nCheck=/bin/b\n"
        let first = try RoutingFixture(text).configuration
        let former = RoutingRules(first)
        let inbox = try #require(former.check(of: BytePath("/home/u/Documents/Inbox")))
        #expect(RoutingRules(first, after: former).has(inbox))
        #expect(RoutingRules(first, after: former).allChecks.allSatisfy(former.has))
        let changed = try RoutingFixture(text.replacing("/bin/a", with: "/bin/c")).configuration
        #expect(!RoutingRules(changed, after: former).has(inbox))
        let removed = RoutingRules(try RoutingFixture("").configuration, after: former)
        #expect(!removed.has(inbox) && !removed.hasChecks)
        // Removed and added again: what it said before is void.
        #expect(!RoutingRules(first, after: removed).has(inbox))
    }
}
