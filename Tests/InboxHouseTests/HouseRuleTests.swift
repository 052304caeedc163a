import Testing

@Suite("The rules of the house")
struct HouseRuleTests {
    @Test("No rule is broken", arguments: HouseRule.all.map(\.name))
    func rules(_ name: String) throws {
        let rule = try #require(HouseRule.all.first { $0.name == name })
        let found = rule.violations(try House.checkout())
        #expect(found.isEmpty, "\(name): \(found.joined(separator: "\n"))")
    }

    /// A house of these files, and of nothing else.
    private static func house(_ files: [String: String]) -> House {
        House(files: files.sorted { $0.key < $1.key }.map { House.File($0.key, $0.value) })
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
            "Sources/InboxFiling/Run/C.swift": "let text = \"intake\"\nintake.retry()",
        ])
        #expect(
            house.intakeUses == [
                "Sources/InboxCore/Record/B.swift: Intake", "Sources/InboxFiling/Run/C.swift: intake",
            ])
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
}
