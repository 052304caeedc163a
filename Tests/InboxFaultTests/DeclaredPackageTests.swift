import Glibc
import InboxTestSupport
import Testing

@Suite("A folder that a reload makes a package")
struct DeclaredPackageTests {
    @Test("Travels whole though a try to file something in it was under way, which found a writer")
    func underWay() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage()
            defer { stage.close() }
            let barrier = try Barrier(at: stage.root / "barrier")
            defer { barrier.open() }
            stage.variables = [
                "INBOXD_FAULT=fcntl(F_SETLEASE)@/a.txt:1:WAIT=\(barrier.path)", "INBOXD_PACKAGE_QUIET=0",
            ]
            let configuration = stage.root / "inboxd.conf"
            try Disk.put(Array("[Inbox]\nSettle=0\n".utf8), at: configuration)
            try await stage.start(["--config", configuration])
            let scene = stage.inbox / "whole.scene"
            try Disk.makeFolder(scene)
            let writer = (scene / "a.txt").withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
            try #require(writer >= 0)
            var isOpen = true
            defer { if isOpen { close(writer) } }
            #expect(write(writer, "a", 1) == 1)
            try await barrier.reached()
            let type = "[Type com.example.scene]\nConformsTo=com.apple.package\nExtensions=scene\n"
            try Disk.put(Array("[Inbox]\nSettle=0\n\(type)".utf8), at: configuration)
            let reload = try await stage.control(["reload"])
            #expect(reload.exit == .status(0), "\(reload.errors)")
            barrier.open()
            try await stage.expectListed("whole.scene", state: "waiting", reasons: ["writing", "settling"])
            close(writer)
            isOpen = false
            try await stage.expectCounters(["filed": 1, "waiting": 0])
            #expect(Disk.text(stage.documents / "whole.scene/a.txt") == "a")
            #expect(try stage.history().compactMap { $0["destination"]?.string } == ["\(stage.documents)/whole.scene"])
        }
    }
}
