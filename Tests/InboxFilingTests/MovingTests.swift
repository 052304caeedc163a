#if DEBUG
    import Glibc
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

    @Suite("A second name that a server has given, though it reports that the name exists")
    struct RepeatedLinkTests {
        /// Moves a file where each renameat2(2) says EINVAL.
        private static func move(
            from here: TemporaryFolder, to there: TemporaryFolder, failing plans: [FaultPlan] = []
        ) throws -> FileName? {
            let (from, target) = (OpenFolder(try here.open()), OpenFolder(try there.open()))
            let status = try from.directory.status(of: aName("a"))
            var names = FreeNames()
            FaultPlan.arm([FaultPlan(at: .every, action: .fail(.invalid), only: .renameat2)] + plans)
            defer { FaultPlan.disarm() }
            return try Moving.move(aName("a"), status, from: from, to: target, as: aName("a"), &names)?.name
        }

        @Test("It is the document's, which gets no other")
        func repeated() async {
            await #expect(processExitsWith: .success) {
                let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
                try here.write("a", "content")
                let late = FaultPlan(nth: 1, action: .failLate(.exists), only: .linkat)
                #expect(try Self.move(from: here, to: there, failing: [late]) == aName("a"))
                #expect(try there.read("a") == "content")
                #expect(try !there.open().has(aName("a-1")))
                #expect(try !here.open().has(aName("a")))
            }
        }

        @Test("A second name that its owner has given it before stays his")
        func owners() async {
            await #expect(processExitsWith: .success) {
                let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
                try here.write("a", "content")
                #expect(Glibc.link(here.path + "/a", there.path + "/a") == 0)
                #expect(try Self.move(from: here, to: there) == aName("a-1"))
                #expect(try there.open().has(aName("a")))
            }
        }
    }

    @Suite("Moving a package over an empty folder")
    struct MovingPackageTests {
        /// Moves a package where each renameat2(2) says EINVAL.
        private static func move(
            failing plans: [FaultPlan]
        ) throws -> (Result<FileName?, SyscallError>, there: TemporaryFolder) {
            let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
            here.makeFolder("p.rtfd")
            try here.write("p.rtfd/a", "content")
            let (from, target) = (OpenFolder(try here.open()), OpenFolder(try there.open()))
            let status = try from.directory.status(of: aName("p.rtfd"))
            var names = FreeNames()
            FaultPlan.arm([FaultPlan(at: .every, action: .fail(.invalid), only: .renameat2)] + plans)
            let result = Result { () throws(SyscallError) in
                try Moving.move(aName("p.rtfd"), status, from: from, to: target, as: aName("p.rtfd"), &names)?.name
            }
            FaultPlan.disarm()
            return (result, there)
        }

        @Test("A rename that a server has carried out, though it reports an error, is reported as that error")
        func carriedOut() async {
            await #expect(processExitsWith: .success) {
                let late = FaultPlan(at: .every, action: .failLate(.inputOutput), only: .renameat)
                let (result, there) = try Self.move(failing: [late])
                #expect(result == .failure(SyscallError(.renameat, .inputOutput)))
                #expect(try there.read("p.rtfd/a") == "content")
            }
        }

        @Test("A rename that has failed leaves no empty folder in the place, so that the next try gets the same name")
        func failed() async {
            await #expect(processExitsWith: .success) {
                let broken = FaultPlan(nth: 1, action: .fail(.inputOutput), only: .renameat)
                let (result, there) = try Self.move(failing: [broken])
                #expect(result == .failure(SyscallError(.renameat, .inputOutput)))
                #expect(try !there.open().has(aName("p.rtfd")))
            }
        }

        @Test("An empty folder that cannot be removed ends the search for a name")
        func stays() async {
            await #expect(processExitsWith: .success) {
                let plans = [
                    FaultPlan(at: .every, action: .fail(.exists), only: .renameat),
                    FaultPlan(at: .every, action: .fail(.inputOutput), only: .unlinkat),
                ]
                let (result, there) = try Self.move(failing: plans)
                #expect(result == .failure(SyscallError(.renameat, .exists)))
                #expect(try !there.open().has(aName("p-1.rtfd")))
            }
        }
    }

    @Suite("What is known by its open folder after a rename")
    struct KnownFolderTests {
        /// Renames a folder that has another number than was known, while these calls fail.
        private static func rename(
            failing plans: [FaultPlan]
        ) throws -> (RenameOutcome, here: TemporaryFolder, there: TemporaryFolder) {
            let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
            here.makeFolder("p.rtfd")
            let (from, target) = (OpenFolder(try here.open()), OpenFolder(try there.open()))
            let opened = OpenFolder(try from.directory.folder(aName("p.rtfd")))
            let known = KnownFile(status: try from.directory.status(), file: nil, folder: opened)
            var names = FreeNames()
            FaultPlan.arm(plans)
            let outcome = try Moving.rename(
                aName("p.rtfd"), known, from: from, to: target, as: aName("p.rtfd"), &names)
            #expect(FaultPlan.disarm() >= (plans.isEmpty ? 0 : 2))
            return (outcome, here, there)
        }

        private static let unknown = FaultPlan(nth: 2, action: .fail(.inputOutput), only: .statx)

        @Test("Its number by the open folder shows that it is the same")
        func shown() throws {
            let (outcome, _, there) = try Self.rename(failing: [])
            guard case .moved = outcome else { throw Failure("\(outcome)") }
            #expect(try there.open().has(aName("p.rtfd")))
        }

        @Test("Where nothing shows that, it is put back")
        func back() async {
            await #expect(processExitsWith: .success) {
                let (outcome, here, _) = try Self.rename(failing: [Self.unknown])
                guard case .replaced = outcome else { throw Failure("\(outcome)") }
                #expect(try here.open().has(aName("p.rtfd")))
            }
        }

        @Test("Where it cannot be put back either, it counts as moved, so that it has a record")
        func stays() async {
            await #expect(processExitsWith: .success) {
                let back = FaultPlan(nth: 2, action: .fail(.inputOutput), only: .renameat2)
                let (outcome, _, there) = try Self.rename(failing: [Self.unknown, back])
                guard case .moved = outcome else { throw Failure("\(outcome)") }
                #expect(try there.open().has(aName("p.rtfd")))
            }
        }
    }
#endif
