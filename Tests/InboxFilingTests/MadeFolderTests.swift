import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("A folder that is made for documents")
struct MadeFolderTests {
    @Test(
        "It allows no more than the folder that it stands for, but to its owner where nothing could be filed into it",
        arguments: [0o555, 0o500, 0o750, 0o711] as [UInt32])
    func closed(_ allowed: UInt32) throws {
        let around = try TemporaryFolder()
        #expect(chmod(around.path, 0o755) == 0)
        let parent = try around.open()
        try FolderMaking().make(aName("letters"), in: parent, at: BytePath(around.path), allowing: allowed)
        let wanted = Process.overridesModes ? allowed & 0o755 : allowed & 0o055 | 0o700
        #expect(try parent.status(of: aName("letters")).permissions == wanted)
    }

    #if DEBUG
        @Test("A folder that cannot get its mode is not left for the next try to file into")
        func mode() async {
            await #expect(processExitsWith: .success) { try Self.make(failing: .fchmod) }
        }

        @Test(
            "A folder that cannot be given to its owner, whose quota is full, is not left for the next try to file into",
            .enabled(if: geteuid() == 0, "needs root"))
        func owner() async {
            await #expect(processExitsWith: .success) { try Self.make(failing: .fchown) }
        }

        @Test("A folder that cannot be inspected is not left for the next try to file into")
        func inspection() async {
            // The first status is that of the folder around it.
            await #expect(processExitsWith: .success) { try Self.make(failing: .statx, nth: 2) }
        }

        private static func make(failing call: SystemCall, nth: Int = 1) throws {
            let around = try TemporaryFolder()
            #expect(chmod(around.path, 0o755) == 0)
            if geteuid() == 0 { #expect(chown(around.path, 1234, 1234) == 0) }
            let parent = try around.open()
            FaultPlan.arm(FaultPlan(nth: nth, action: .fail(.inputOutput), only: call))
            #expect(throws: FolderMakingError.self) {
                try FolderMaking().make(aName("letters"), in: parent, at: BytePath(around.path))
            }
            #expect(FaultPlan.disarm() >= nth)
            #expect(try !parent.has(aName("letters")))
            try FolderMaking().make(aName("letters"), in: parent, at: BytePath(around.path))
            let (made, model) = (try parent.status(of: aName("letters")), try parent.status())
            #expect(made.permissions == 0o755 && made.owner == model.owner)
        }
    #endif
}
