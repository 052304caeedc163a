import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct SocketTests {
    /// Both ends of a connection.
    private func connected(
        _ folder: TemporaryFolder, _ body: (borrowing UnixSocket, consuming UnixSocket) throws -> Void
    ) throws {
        let listener = try UnixListener(at: folder.address("s"), mode: 0o600)
        let client = try UnixSocket.connect(to: folder.address("s"))
        guard let server = try listener.accept() else { throw SyscallError(.accept4, .again) }
        try body(client, server)
    }

    @Test("The kernel shows each end who the other one is")
    func peer() throws {
        let folder = try TemporaryFolder()
        try connected(folder) { client, server in
            let peer = try server.peer()
            #expect(peer.process == Process.current && peer.user == Process.user && peer.group == getegid())
            var groups = [gid_t](repeating: 0, count: 1024)
            let count = getgroups(1024, &groups)
            #expect(Set(peer.groups) == Set(groups.prefix(Int(count))))
            #expect(try client.peer().process == Process.current)
        }
    }

    @Test("Bytes come as they were sent; nothing is nothing, and the end is the end")
    func bytes() throws {
        let folder = try TemporaryFolder()
        try connected(folder) { client, server in
            var buffer = [UInt8](repeating: 0, count: 16)
            #expect(try Self.word(server.receive(into: &buffer)) == "nothing")
            #expect(try !server.wait(for: .milliseconds(5)))
            #expect(try client.send([1, 2, 3][1...]) == 2)
            #expect(try server.wait(for: .seconds(5)))
            #expect(try Self.word(server.receive(into: &buffer)) == "2 bytes")
            #expect(buffer[..<2] == [2, 3])
            try client.endSending()
            #expect(try Self.word(server.receive(into: &buffer)) == "end")
            #expect(try server.send([9]) == 1)
            #expect(try Self.word(client.receive(into: &buffer)) == "1 bytes")
        }
    }

    private static func word(_ reception: consuming UnixSocket.Reception) -> String {
        switch reception {
        case .bytes(let count): "\(count) bytes"
        case .nothing: "nothing"
        case .end: "end"
        }
    }

    @Test("A full socket takes nothing more and blocks nobody")
    func full() throws {
        let folder = try TemporaryFolder()
        try connected(folder) { client, server in
            let part = [UInt8](repeating: 7, count: 64 * 1024)[...]
            var sent = 0
            while case let count = try client.send(part), count > 0 { sent += count }
            #expect(sent > 0)
            #expect(try !client.wait(toWrite: true, for: .zero))
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            var received = 0
            while received < sent, case .bytes(let count) = try server.receive(into: &buffer) { received += count }
            #expect(received == sent)
            #expect(try client.wait(toWrite: true, for: .seconds(5)))
        }
    }

    @Test("Sending to a peer that is gone is an error, not the end of the process")
    func hangUp() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let folder = try TemporaryFolder()
            try SocketTests().connected(folder) { client, server in
                _ = consume server
                #expect(failureOf { _ = try client.send([1]) }?.isHangUp == true)
            }
        }
    }

    @Test("A socket has its mode before anybody can connect, whatever the umask")
    func mode() async {
        await #expect(processExitsWith: .success) {
            umask(0o777)
            let folder = try TemporaryFolder()
            chmod(folder.path, 0o700)
            let opened = try folder.open()
            // Interrupted before anybody can connect.
            FaultPlan.arm([
                FaultPlan(nth: 1, action: .fail(.inputOutput), only: .listen),
                FaultPlan(nth: 1, action: .fail(.inputOutput), only: .unlinkat),
            ])
            let failed = failureOf { _ = try UnixListener(at: folder.address("s"), mode: 0o660) }
            FaultPlan.disarm()
            #expect(failed == .inputOutput)
            #expect(try opened.status(of: aName("s")).permissions == 0o660)
            #expect(failureOf { _ = try UnixSocket.connect(to: folder.address("s")) } == .connectionRefused)
        }
    }

    @Test("What a link in a socket's place leads to keeps its mode")
    func linkInPlace() throws {
        let folder = try TemporaryFolder()
        try folder.write("private")
        chmod("\(folder.path)/private", 0o600)
        #expect(symlink("private", "\(folder.path)/s") == 0)
        try UnixListener.setMode(0o666, of: folder.bytePath("s"))
        #expect(try folder.open().status(of: aName("private")).permissions == 0o600)
    }

    @Test("Where nobody can listen no name is left behind")
    func nothingLeft() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            for call in [SystemCall.listen, .fchmodat] {
                FaultPlan.arm(FaultPlan(nth: 1, action: .fail(.inputOutput), only: call))
                #expect(failureOf { _ = try UnixListener(at: folder.address("s"), mode: 0o660) } == .inputOutput)
                FaultPlan.disarm()
                #expect(failureOf { _ = try folder.open().status(of: aName("s")) } == .noEntry)
            }
        }
    }

    @Test("A socket that nobody listens on any more refuses connections, and its name is still taken")
    func stale() throws {
        let folder = try TemporaryFolder()
        let address = try folder.address("s")
        do { _ = try UnixListener(at: address, mode: 0o600) }
        #expect(failureOf { _ = try UnixSocket.connect(to: address) } == .connectionRefused)
        #expect(failureOf { _ = try UnixListener(at: address, mode: 0o600) } == .addressInUse)
        try folder.open().removeFile(aName("s"))
        let listener = try UnixListener(at: address, mode: 0o600)
        #expect(try listener.accept() == nil)
    }

    @Test("A path of 107 bytes is an address that the kernel takes; a longer one and an empty one are none")
    func longPath() throws {
        let longest = BytePath("@\(String(repeating: "p", count: 100))\(UInt64.random(in: 100_000..<1_000_000))")
        let address = try #require(SocketAddress(longest))
        #expect(failureOf { _ = try UnixListener(at: address, mode: 0o600) } == nil)
        #expect(SocketAddress(BytePath("\(longest)p")) == nil)
        #expect(SocketAddress(BytePath("")) == nil)
    }

    @Test("A datagram arrives whole, at a path and in the abstract namespace", arguments: [false, true])
    func datagram(_ isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let path = isAbstract ? "@" + folder.path : folder.path + "/d"
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let text = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: isAbstract ? [0] + text.dropFirst() : text) }
        let length = socklen_t(2 + text.count + (isAbstract ? 0 : 1))
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
        }
        try #require(bound == 0)
        let message: [UInt8] = Array("STATUS=a\nb".utf8) + [0, 0xFF]
        try Datagram.send(message, to: try #require(SocketAddress(BytePath(path))))
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = recv(number, &buffer, buffer.count, 0)
        #expect(Array(buffer.prefix(max(0, count))) == message)
        #expect(failureOf { try Datagram.send([1], to: folder.address("none")) } == .noEntry)
    }
}
