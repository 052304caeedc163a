import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// sshfs: files of another machine, which keeps what it has learnt of them for 20 s. sftp-server(8) is started here
    /// without ssh(1).
    @Suite("sshfs", .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)))
    struct SSHFSTests {
        private static let server = (["/usr/lib/openssh", "/usr/lib/ssh", "/usr/libexec/openssh"] as [TestPath])
            .map { $0 / "sftp-server" }.first { $0.withCString { access($0, X_OK) } == 0 }
        static let means = Means.needed(.fuse, .program("sshfs"))
        static let hasServer = ConditionTrait.enabled(if: server != nil, "sftp-server is not installed")

        private func mount(_ tree: TestPath, at point: TestPath, _ stage: Stage, _ mounts: Mounts) throws {
            try Disk.makeFolders(tree)
            // Called as ssh(1) would be, with a host and options that mean nothing here.
            let ssh = stage.root / "ssh"
            try Disk.put(Array("#!/bin/sh\nexec \(try #require(Self.server))\n".utf8), at: ssh)
            chmod("\(ssh)", 0o755)
            let options = TestPath("ssh_command=\(ssh)")
            try mounts.serve("sshfs", ["-f", "-o", options, TestPath("host:\(tree)"), point], at: point)
        }

        @Test(
            "A document that somebody on the other machine writes every four seconds is filed whole, also across",
            means, hasServer, arguments: [false, true])
        func slowWriter(isAcross: Bool) async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let tree = stage.root / "tree"
                let inbox = isAcross ? stage.root / "in" : stage.inbox
                if isAcross {
                    try mount(tree, at: inbox, stage, mounts)
                    try stage.useInbox(inbox)
                } else {
                    try Disk.makeFolders(tree / "Inbox")
                    try mount(tree, at: stage.documents, stage, mounts)
                }
                let written = (isAcross ? tree : tree / "Inbox") / "letter.txt"
                try await stage.start()
                try Disk.put([1], at: written)
                for part: UInt8 in 2...4 {
                    try await Task.sleep(for: .seconds(4))
                    try Disk.append([part], to: written)
                }
                try await stage.expectFiled(stage.documents / "letter.txt", [1, 2, 3, 4], from: inbox / "letter.txt")
                try await stage.expectRecord([("proof", "quiet-time")])
                #expect(!Disk.exists(written))
                try await stage.expectNothingStaged(beneath: stage.root)
            }
        }
    }
}
