import Glibc
import InboxTestSupport

/// A GlusterFS volume of one brick, with its servers in the network of ``Namespace``: each mount of it is a client of its
/// own, as on another machine.
final class GlusterVolume {
    static let means = Means.needed(
        .fuse, .program("glusterd"), .program("gluster"), .program("glusterfs"), .program("ip"))

    private static let name: TestPath = "documents"
    private static let logs: TestPath = "/var/log/glusterfs"
    /// glusterd(8) takes no loopback address for a brick's.
    private static let address: TestPath = "10.77.0.1"

    private let mounts: Mounts
    private let folder: TestPath
    private let server: Program
    private var clients: [Program] = []
    private var brick: pid_t?
    /// Whether a test has killed the server of its files, so that clients have lost it for a while.
    private var wasKilled = false

    /// Makes and starts a volume that keeps its files in a filesystem in memory.
    init(in folder: TestPath, _ mounts: Mounts) async throws {
        self.mounts = mounts
        self.folder = folder / "gluster"
        for name: TestPath in ["work", "run"] { try Disk.makeFolders(self.folder / name) }
        // Its programs know of no other place for their logs.
        try mounts.memory(at: Self.logs)
        try mounts.memory(at: folder / "bricks", "size=256m")
        try Tool.run("ip", "link", "set", "lo", "up")
        try Tool.run("ip", "address", "replace", Self.address, "dev", "lo")
        let places = [("working-directory", "work"), ("glusterd-sockfile", "socket"), ("run-directory", "run")]
        let options = places.flatMap { option, name -> [TestPath] in
            ["--xlator-option", TestPath("management.\(option)=\(folder)/gluster/\(name)")]
        }
        server = try Tool.start(
            "glusterd", ["--no-daemon", TestPath("--pid-file=\(folder)/gluster/pid")] + options,
            log: self.folder / "log")
        try await eventually {
            if let exit = server.exit { throw Failure("glusterd ended: \(exit)") }
            do { try command("volume", "list") } catch { return "\(error)" }
            return nil
        }
        let brick = TestPath("\(Self.address):\(folder / "bricks/1")")
        try command("volume", "create", Self.name, brick, "force")
        try startBrick()
    }

    /// Mounts it for one more client.
    func mount(at point: TestPath) throws {
        let client = try mounts.serve(
            "glusterfs",
            [
                "--no-daemon", TestPath("--volfile-server=\(Self.address)"), TestPath("--volfile-id=\(Self.name)"),
                point,
            ],
            at: point)
        clients.append(client)
    }

    /// Starts the server of its files, again where it was killed.
    func startBrick() throws {
        try command("volume", "start", Self.name, "force")
        guard let file = try processFile(), let process = pid_t(Disk.text(file).filter(\.isNumber)) else {
            throw Failure("the brick has no process")
        }
        brick = process
    }

    /// Kills the server of its files: clients get ENOTCONN until it is back.
    func killBrick() async throws {
        guard let process = brick else { return }
        brick = nil
        wasKilled = true
        kill(process, SIGKILL)
        try await eventually(every: .milliseconds(5)) {
            Self.runs(process) ? "the brick still runs" : nil
        }
        // glusterd takes a process that nobody has waited for yet for one that runs.
        if let file = try processFile() { try Disk.remove(file) }
    }

    /// What of GlusterFS itself has failed though no test asked for it, which says nothing about a daemon; nil where all
    /// of it works.
    var fault: String? {
        if let exit = server.exit { return "glusterd has ended: \(exit)" }
        for client in clients {
            if let exit = client.exit { return "a client has ended: \(exit)" }
        }
        if let brick, !Self.runs(brick) { return "the server of the files has ended" }
        guard !wasKilled, let names = try? Disk.names(in: Self.logs) else { return nil }
        for name in names {
            let lines = Disk.text(Self.logs / name).split(separator: "\n")
            if let line = lines.first(where: { $0.contains("disconnected from \(Self.name)-client") }) {
                return "a client has lost its server: \(line)"
            }
        }
        return nil
    }

    private static func runs(_ process: pid_t) -> Bool {
        let state = Disk.text(TestPath("/proc/\(process)/stat")).split(separator: " ").dropFirst(2).first
        return state != nil && state != "Z"
    }

    private func processFile() throws -> TestPath? {
        let folder = folder / "run/vols" / Self.name
        return try Disk.names(in: folder).first { "\($0)".hasSuffix(".pid") }.map { folder / $0 }
    }

    /// Ends its servers. Its clients end with the mounts.
    func close() async throws {
        server.signal(SIGKILL)
        _ = try await server.ended()
        try await killBrick()
    }

    @discardableResult
    private func command(_ words: TestPath...) throws -> String {
        try Tool.run("gluster", ["--mode=script", TestPath("--glusterd-sock=\(folder)/socket")] + words)
    }
}
