#if DEBUG
    import Glibc
    import InboxTestSupport
    import Testing

    @testable import InboxFiling
    @testable import InboxLinux

    @Suite("An attribute that cannot be read or written")
    struct CopyAttributesTests {
        /// Copies the attributes of a file that has one, while each such call fails, or one of them.
        private static func losses(
            failing code: Int32, of call: SystemCall = .fgetxattr, at occasion: FaultPlan.Occasion = .every
        ) throws -> [String] {
            let folder = try TemporaryFolder()
            for name in ["source", "copy"] { try folder.write(name) }
            func open(_ name: String) throws -> OpenFile {
                OpenFile(try FileDescriptor.open(path: folder.bytePath(name), flags: O_RDWR, mode: 0))
            }
            let (source, copy) = (try open("source"), try open("copy"))
            if call == .fchown { try source.descriptor.changeOwner(12345, group: 12345) }
            try source.descriptor.setAttribute(try #require(AttributeName("user.note")), to: [1])
            FaultPlan.arm(FaultPlan(at: occasion, action: .fail(Errno(rawValue: code)), only: call))
            defer { FaultPlan.disarm() }
            var attributes = CopyAttributes()
            try attributes.copy(try source.descriptor.status(), from: source.descriptor, to: copy.descriptor)
            return attributes.losses.map(\.what)
        }

        @Test("Where that passes, the copy is tried again", arguments: [EIO, ESTALE, ETIMEDOUT, ENOMEM])
        func passing(_ code: Int32) async {
            await #expect(processExitsWith: .success) { [code] in
                let failure = #expect(throws: CopyFailure.self) { try CopyAttributesTests.losses(failing: code) }
                guard case .source(let error) = failure else { throw Failure("it is not the source's failure") }
                #expect(error.errno.rawValue == code)
            }
        }

        @Test(
            "Where it cannot be written for now, the copy is tried again",
            arguments: [EIO, EDQUOT, ETIMEDOUT, ENOMEM])
        func passingAtDestination(_ code: Int32) async {
            await #expect(processExitsWith: .success) { [code] in
                let failure = #expect(throws: CopyFailure.self) {
                    try CopyAttributesTests.losses(failing: code, of: .fsetxattr)
                }
                guard case .copy(let error) = failure else { throw Failure("it is not the copy's failure") }
                #expect(error.errno.rawValue == code)
            }
        }

        @Test(
            "Where its owner cannot be set for now, the copy is tried again",
            .enabled(if: geteuid() == 0, "needs root"), arguments: [EIO, EDQUOT, ENOSPC, ETIMEDOUT, ENOMEM])
        func passingOwner(_ code: Int32) async {
            await #expect(processExitsWith: .success) { [code] in
                let failure = #expect(throws: CopyFailure.self) {
                    try CopyAttributesTests.losses(failing: code, of: .fchown, at: .nth(1))
                }
                guard case .copy(let error) = failure else { throw Failure("it is not the copy's failure") }
                #expect(error.errno.rawValue == code)
            }
        }

        @Test("Where that stays so, the document goes without it", arguments: [EACCES, EOPNOTSUPP, E2BIG])
        func lasting(_ code: Int32) async {
            await #expect(processExitsWith: .success) { [code] in
                for call in [SystemCall.fgetxattr, .fsetxattr] {
                    let losses = try CopyAttributesTests.losses(failing: code, of: call)
                    #expect(losses == ["the extended attribute user.note"])
                }
            }
        }
    }
#endif
