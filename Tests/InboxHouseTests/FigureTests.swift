import Testing

@Suite("The figures of the house")
struct FigureTests {
    @Test("Each figure is within its limit")
    func figures() throws {
        let house = try House.checkout()
        for figure in Figure.all {
            let found = try figure.found(house)
            print("\(found.count) \(figure.name) (at most \(figure.limit))")
            #expect(found.count <= figure.limit, "\(figure.name): \(found.joined(separator: "\n"))")
        }
    }

    /// A house of these files, and of nothing else.
    private static func house(_ files: [String: String], readme: String = "") -> House {
        House(files: files.sorted { $0.key < $1.key }.map { House.File($0.key, $0.value) }, readme: readme)
    }

    @Test("Two folders that use each other are a circle, also by way of a third")
    func circles() {
        let direct = Self.house([
            "Sources/InboxCore/Intake/A.swift": "struct A { let b: B }",
            "Sources/InboxCore/Record/B.swift": "struct B {}\nextension A {}",
        ])
        #expect(direct.circles == ["InboxCore: Intake and Record"])
        let third = Self.house([
            "Sources/InboxCore/Intake/A.swift": "struct A { let b: B }",
            "Sources/InboxCore/Record/B.swift": "struct B { let c: C }",
            "Sources/InboxCore/Handlers/C.swift": "struct C { let a: A }",
        ])
        #expect(third.circles.count == 3)
    }

    @Test("The intake is seen in the folders that receive values, and only in code")
    func intake() {
        let house = Self.house([
            "Sources/InboxCore/Engine/A.swift": "let intake: Intake",
            "Sources/InboxCore/Record/B.swift": "// the intake\nfunc f(_ work: Intake) {}",
            "Sources/InboxFiling/Copying/C.swift": "let text = \"intake\"\nintake.retry()",
        ])
        #expect(
            house.intakeUses == [
                "Sources/InboxCore/Record/B.swift: Intake", "Sources/InboxFiling/Copying/C.swift: intake",
            ])
    }

    @Test("The largest class is found wherever it is declared")
    func largest() {
        let house = Self.house([
            "Sources/InboxCore/Engine/A.swift": "final class A {\n    let a = 1\n}",
            "Sources/inboxctl/B.swift":
                "struct B {\n    final class C {\n        let a = 1\n        var b = 2\n    }\n}",
        ])
        #expect(house.largestClass == ["C.a", "C.b"])
    }

    @Test("A type is found at any level, whatever its kind, and its uses are not counted")
    func places() {
        let house = Self.house([
            "Sources/A.swift": "struct A {\n    private enum Place { case here }\n    let place: Place\n}",
            "Tests/B.swift": "typealias Place = Int\nfunc place(_ place: Place) {}\n// struct Place",
        ])
        #expect(house.types(called: "Place") == ["Sources/A.swift", "Tests/B.swift"])
    }

    @Test("A function of filing that returns a Result is seen")
    func results() {
        let house = Self.house([
            "Sources/InboxFiling/A.swift": "func a() -> Result<Int, Refusal> { b() }",
            "Sources/inboxctl/B.swift": "func a() -> Result<Int, Refusal> { b() }",
        ])
        #expect(house.returnedResults == ["Sources/InboxFiling/A.swift"])
    }

    @Test(
        "An invented error number is seen in every room",
        arguments: [
            "throw SyscallError(.openat, .noEntry)", "throw .failed(path, SyscallError(.statx, Errno(rawValue: 2)))",
            "let error = SyscallError.init(.openat, code)", "let code = Errno(rawValue: 2)", "errno = EINVAL;",
        ])
    func invented(_ line: String) {
        let house = Self.house([
            "Sources/InboxFiling/A.swift": "func a() {\n    \(line)\n}", "Sources/InboxLinux/SyscallError.swift": line,
            "Sources/InboxLinux/B.swift": "throw SyscallError(call, Errno(rawValue: code))",
            "Sources/inboxctl/C.swift":
                "func c() throws(SyscallError) -> Errno { error.errno == .noEntry }\n// \(line)\nprint(\"\(line)\")",
        ])
        #expect(
            house.inventedErrnos == [
                "Sources/InboxFiling/A.swift:     \(line)",
                "Sources/InboxLinux/B.swift: throw SyscallError(call, Errno(rawValue: code))",
                "Sources/InboxLinux/SyscallError.swift: \(line)",
            ])
    }

    @Test("The choke point, and whoever names, observes or plans a failure, invents nothing")
    func given() {
        let house = Self.house([
            "Sources/InboxLinux/SyscallError.swift": "throw SyscallError(call, Errno(rawValue: code))",
            "Sources/InboxLinux/Errno.swift": "package static let noEntry = Errno(rawValue: ENOENT)",
            "Sources/CInboxLinux/files.c": "errno = code;",
        ])
        #expect(house.inventedErrnos.isEmpty)
    }

    private static let files = [
        "Sources/Room/A.swift": "struct A { let b: B }", "Sources/Room/B.swift": "struct B {}",
        "Sources/Room/B+More.swift": "extension B {}", "Sources/Room/C.swift": "struct C {}",
    ]

    private static func readme(_ steps: String...) -> String {
        "## Before\n    Room/X.swift\n### Reading the sources\ntext\n\n"
            + steps.map { "    Room/\($0).swift   what it does\n" }.joined() + "\n## After\n    Room/Y.swift\n"
    }

    @Test("The way is what the README lists below its heading")
    func way() throws {
        let house = Self.house(Self.files, readme: Self.readme("A", "B", "B+More"))
        #expect(try house.way() == ["Room/A.swift", "Room/B.swift", "Room/B+More.swift"])
    }

    @Test("A way with a file that is missing, or that no earlier step uses, or without steps, is refused")
    func brokenWay() {
        for readme in [Self.readme("A", "Missing"), Self.readme("A", "C"), Self.readme("A"), ""] {
            #expect(throws: House.BrokenWay.self) { try Self.house(Self.files, readme: readme).way() }
        }
    }
}
