import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxDaemon

@Suite("The name of the control socket")
struct ControlSocketTests {
    @Test("It gets the mode of another configuration, unless something else has that name since")
    func mode() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        func mode() throws -> UInt32 { try folder.open().status(of: aName("socket")).permissions }
        var socket = try ControlSocket.open(at: folder.address("socket"), mode: 0o600)
        #expect(try mode() == 0o600)
        try socket.adopt(mode: 0o660)
        #expect(try mode() == 0o660)
        #expect(chmod(path, 0o640) == 0)
        try socket.adopt(mode: 0o660)
        #expect(try mode() == 0o640, "what did not change is left to whoever has changed it by hand")
        #expect(unlink(folder.path + "/socket") == 0)
        try folder.write("socket", "")
        #expect(chmod(path, 0o640) == 0)
        try socket.adopt(mode: 0o666)
        #expect(try mode() == 0o640)
    }
}
