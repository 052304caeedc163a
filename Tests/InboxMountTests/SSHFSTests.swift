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

        /// - Parameter lag: how many seconds everything takes on its way there, and on its way back, at least.
        private func mount(
            _ tree: TestPath, at point: TestPath, _ stage: Stage, _ mounts: Mounts, lag: Double = 0
        ) throws {
            try Disk.makeFolders(tree)
            // Called as ssh(1) would be, with a host and options that mean nothing here.
            let ssh = stage.root / "ssh"
            let server = try #require(Self.server)
            let script =
                """
                #!/bin/sh
                late() { perl -e 'while (sysread STDIN, $_, 65536) { select undef, undef, undef, \(lag); syswrite STDOUT, $_ }'; }
                \(lag > 0 ? "late | \(server) | late" : "exec \(server)")

                """
            try Disk.put(Array(script.utf8), at: ssh)
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

        @Test(
            "Everything is filed where each call takes a third of a second, and that is no problem",
            means, hasServer, Means.needed(.program("perl")))
        func distant() async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree / "Inbox")
                try mount(tree, at: stage.documents, stage, mounts, lag: 0.15)
                try await stage.start()
                for number in 1...12 {
                    try Disk.put([UInt8(number)], at: tree / "Inbox" / TestPath("letter-\(number).txt"))
                }
                try await eventually(within: .seconds(300)) {
                    let filed = try stage.filedRecords().count
                    return filed == 12 ? nil : "\(filed) are filed"
                }
                for number in 1...12 {
                    #expect(try Disk.read(tree / TestPath("letter-\(number).txt")) == [UInt8(number)])
                }
                #expect(stage.logged("does not answer") == 0)
            }
        }
    }
}
