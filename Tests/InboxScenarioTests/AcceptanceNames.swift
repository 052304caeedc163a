import InboxTestSupport
import Testing

@Suite("Names that must not be harmed", .serialized)
struct AcceptanceNames {
    /// The name of every byte that Linux allows.
    static let everyByte = TestPath((1...255).map { UInt8($0) }.filter { $0 != UInt8(ascii: "/") })

    /// A name, and the one it gets where it is taken.
    static let names: [(name: TestPath, numbered: TestPath)] = [
        ("README", "README-1"),
        (".profile", ".profile-1"),
        ("a.tar.gz", "a-1.tar.gz"),
        (
            TestPath(repeatElement(UInt8(ascii: "n"), count: 255)),
            TestPath(Array(repeating: 0x6E, count: 253) + [0x2D, 0x31])
        ),
        (everyByte, TestPath(everyByte.bytes.dropLast() + [0x2D, 0x31])),
        ("two\nlines.txt", "two\nlines-1.txt"),
        (
            TestPath(Array("caf".utf8) + [0xE9] + Array(".pdf".utf8)),
            TestPath(Array("caf".utf8) + [0xE9] + Array("-1.pdf".utf8))
        ),
    ]

    @Test("Every name is filed byte for byte, and numbered by the rules where it is taken")
    func every() async throws {
        #expect(Self.everyByte.bytes.count == 254)
        try await onStage(settings: ["Inbox.Settle=0", "Inbox.IgnoreHidden=no"]) { stage in
            try await stage.start()
            for (name, numbered) in Self.names {
                for (wanted, content) in [(name, "first"), (numbered, "second")] {
                    let target = stage.documents / wanted
                    try Disk.put(Array(content.utf8), at: stage.inbox / name)
                    try await eventually {
                        guard Disk.exists(target) else { return "\(name) has not come to be \(target)" }
                        return Disk.text(target) == content ? nil : "\(target) holds \(Disk.text(target))"
                    }
                }
            }
            let expected = Set(Self.names.flatMap { [$0.name, $0.numbered] })
            try stage.expectNames(beneath: stage.documents, expected)
            try await stage.expectCounters(["seen": 14, "filed": 14, "waiting": 0])
            try await expectNamesInHistory(stage)
        }
    }

    /// Paths in the history turn back into the very bytes.
    private func expectNamesInHistory(_ stage: Stage) async throws {
        try await stage.expectFiledRecords(Self.names.count * 2)
        let destinations = try stage.filedRecords().map { TestPath(pathBytes(fromJSON: $0["destination"]?.word ?? "")) }
        let expected = Self.names.flatMap { [stage.documents / $0.name, stage.documents / $0.numbered] }
        #expect(Set(destinations) == Set(expected))
    }

    @Test("The same name again and again: x.pdf, x-1.pdf, x-2.pdf and so on are all there")
    func sameName() async throws {
        let count = Extent.times(1500, part: 150)
        try await onStage { stage in
            try await stage.start()
            let next = stage.root / "outside/next"
            let target = stage.inbox / "x.pdf"
            for index in 0..<count {
                try Disk.put(Array("document \(index)".utf8), at: next)
                try await eventually(every: .milliseconds(1)) { Disk.exists(target) ? "\(target) has not left" : nil }
                try Disk.move(next, to: target)
            }
            try await stage.expectCounters(["seen": count, "filed": count, "waiting": 0], within: Thousand.limit)
            let names = [TestPath("x.pdf")] + (1..<count).map { TestPath("x-\($0).pdf") }
            try stage.expectNames(beneath: stage.documents, Set(names))
            let contents = try names.map { String(decoding: try Disk.read(stage.documents / $0), as: UTF8.self) }
            #expect(contents == (0..<count).map { "document \($0)" })
        }
    }
}
