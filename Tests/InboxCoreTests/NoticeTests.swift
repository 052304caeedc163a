import InboxConfiguration
import InboxFiling
import InboxLinux
import Testing

@testable import InboxCore

/// What notices gather, and how it is written.
@Suite("Notices") struct NoticeTests {
    private static let now = Instant(nanoseconds: 1)

    private static func event(_ kind: Event.Kind, _ number: UInt64, _ path: String = "/in/a") -> Event {
        Event(
            number: Int(number), time: Timestamp(seconds: 0, nanoseconds: 0), arrival: ArrivalID(number: number),
            place: .path(BytePath(path)), kind: kind)
    }

    private static func problem(_ subject: Problems.Subject, isOver: Bool) -> Event {
        let problem = Problem("words", as: subject)
        return Event(
            number: 1, time: Timestamp(seconds: 0, nanoseconds: 0), arrival: nil, place: nil,
            kind: isOver ? .problemOver(problem) : .problem(problem))
    }

    private static func text(_ gathered: GatheredEvents) -> NoticeText {
        NoticeText(counts: gathered.counts, events: gathered.events, host: Array("host\n".utf8))
    }

    @Test("What is held no longer is not told, and nothing is told when nothing is left")
    func cancelled() {
        var gathered = GatheredEvents()
        for number in 1...3 {
            gathered.take(Self.event(.held(.symlink, detail: nil), UInt64(number)), [.held], at: Self.now)
        }
        gathered.take(Self.event(.withdrawn, 1), [.held], at: Self.now)
        gathered.take(Self.event(.waiting(.settling, detail: nil), 2), [.held], at: Self.now)
        #expect(gathered.counts == [.held: 1] && gathered.events.map(\.event.number) == [3])
        gathered.take(Self.event(.withdrawn, 3), [.held], at: Self.now)
        #expect(gathered.begun == nil && gathered.counts.isEmpty)
    }

    @Test("Of ten thousand held documents a hundred have lines, and the others are a number")
    func bounded() {
        var gathered = GatheredEvents()
        for number in 1...12_000 {
            gathered.take(Self.event(.held(.special, detail: "x"), UInt64(number)), [.held], at: Self.now)
        }
        #expect(gathered.counts == [.held: 12_000] && gathered.events.count == 100)
        let text = String(decoding: Self.text(gathered).text, as: UTF8.self)
        #expect(text.hasPrefix("inboxd on host: 12000 documents are held\n\nheld (special): /in/a: x\n"))
        #expect(text.contains("\n... and 11900 more\n"))
    }

    @Test("A problem that is over within the time is not told, nor is its end; one that was told before is")
    func problems() {
        var gathered = GatheredEvents()
        for isOver in [false, true] {
            gathered.take(Self.problem(.state, isOver: isOver), [.problem, .recovered], at: Self.now)
            gathered.take(Self.problem(.names, isOver: isOver), [.recovered], at: Self.now)
        }
        #expect(gathered.counts.isEmpty && gathered.begun == nil)
        gathered.take(Self.problem(.state, isOver: true), [.problem, .recovered], at: Self.now)
        #expect(gathered.counts == [.recovered: 1])
        gathered.take(Self.problem(.state, isOver: false), [.problem, .recovered], at: Self.now)
        #expect(gathered.counts.isEmpty)
    }

    @Test("A document that is renamed while it is held is told under its new name")
    func renamed() {
        var gathered = GatheredEvents()
        gathered.take(Self.event(.held(.special, detail: nil), 1), [.held], at: Self.now)
        gathered.take(Self.event(.renamed(from: BytePath("/in/a")), 1, "/in/b"), [.held], at: Self.now)
        #expect(gathered.events.map(\.event.path) == [BytePath("/in/b")])
    }

    @Test("A document that a check has moved away is not told as one that was filed")
    func rejected() throws {
        var gathered = GatheredEvents()
        let record = FiledRecord(
            id: try #require(RecordID("0000000000000001")), time: Timestamp(seconds: 0, nanoseconds: 0),
            source: BytePath("/in/a"), destination: BytePath("/bad/a"), type: "public.data", mime: nil, size: 1,
            evidence: "none", renamed: false, proof: .lease, rejection: "a virus\nFrom: it")
        gathered.take(Self.event(.filed(record), 1), [.filed], at: Self.now)
        let text = String(decoding: Self.text(gathered).text, as: UTF8.self)
        #expect(text.hasSuffix("\n\nrejected: /in/a, now /bad/a: a virus\u{FFFD}From: it\n"))
    }

    @Test("No name becomes a header, a line, or the end of a mail")
    func mail() {
        var gathered = GatheredEvents()
        let name = "/in/\r\nBcc: evil@example.com\r\n\r\n.\r\nFrom caf\u{e9} " + String(repeating: "x", count: 200)
        gathered.take(Self.event(.held(.name, detail: name), 1, name), [.held], at: Self.now)
        let mail = Self.text(gathered).mail(
            to: [Array("a@example.com".utf8), Array("b@example.com".utf8)],
            at: Timestamp(seconds: 1_795_915_213, nanoseconds: 0))
        let lines = mail.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let headers = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            headers == [
                "To: a@example.com,", " b@example.com", "Subject: inboxd on host: 1 document is held",
                "Date: Sun, 29 Nov 2026 01:20:13 +0000", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
            ])
        #expect(lines.allSatisfy { $0.count <= 76 && $0.allSatisfy { (0x20..<0x7F).contains($0) } })
        #expect(!lines.contains { $0.elementsEqual(".".utf8) || $0.starts(with: "From ".utf8) })
        let rest = Array(lines.dropFirst(headers.count + 1).joined(separator: [UInt8(ascii: "\n")]))
        let body = String(decoding: rest, as: UTF8.self)
        #expect(body.replacing("=\n", with: "").contains("/in/\\x0d\\x0aBcc: evil@example.com"))
    }

    @Test("Quoted-printable text is what it was", arguments: ["", "a=b", ".\n..\nFrom x\nF", "end \n", "é\n", "a"])
    func encoded(_ text: String) {
        var (decoded, rest) = ([UInt8](), NoticeText.quotedPrintable(Array(text.utf8))[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                decoded.append(byte)
                continue
            }
            let pair = rest.prefix(2)
            if pair.first == UInt8(ascii: "\n") {
                rest = rest.dropFirst()
            } else {
                decoded.append(UInt8(String(decoding: pair, as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
        }
        #expect(decoded == Array(text.utf8))
    }
}
