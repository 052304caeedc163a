#if DEBUG
    import InboxTestSupport
    import Testing

    @testable import InboxFiling
    @testable import InboxLinux

    @Suite("Moving over a placeholder")
    struct MovingTests {
        @Test("A placeholder that nothing came to replace does not stay")
        func placeholder() async {
            await #expect(processExitsWith: .success) {
                let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
                try here.write("a", "content")
                let (from, target) = (OpenFolder(try here.open()), OpenFolder(try there.open()))
                var names = FreeNames()
                FaultPlan.arm(FaultPlan(nth: 1, action: .fail(.inputOutput), only: .renameat))
                #expect(throws: SyscallError(.renameat, .inputOutput)) {
                    try Moving.moveOverPlaceholder(aName("a"), from: from, to: target, as: aName("a"), &names)
                }
                #expect(FaultPlan.disarm() == 1)
                #expect(try !target.directory.has(aName("a")))
                let moved = try Moving.moveOverPlaceholder(aName("a"), from: from, to: target, as: aName("a"), &names)
                #expect(moved?.number == 0)
                #expect(try there.read("a") == "content")
            }
        }
    }
#endif
