import Glibc
import InboxTestSupport
import Testing

/// What a test needs of the machine, beside this package.
enum Means {
    /// Root, and a mount namespace of its own.
    case mounts
    /// A loop device.
    case loops
    /// A program, by its name.
    case program(String)
    /// A filesystem that the kernel knows.
    case filesystem(String)
    /// The FUSE device.
    case fuse

    /// Why it cannot be had; nil where it can.
    private var obstacle: String? {
        switch self {
        case .mounts: geteuid() == 0 ? Namespace.obstacle : "mounting takes root"
        case .loops: access("/dev/loop-control", R_OK | W_OK) == 0 ? nil : "there are no loop devices"
        case .fuse: access("/dev/fuse", R_OK | W_OK) == 0 ? nil : "there is no /dev/fuse"
        case .program(let name): Tool.path(of: name) == nil ? "\(name) is not installed" : nil
        case .filesystem(let name):
            Disk.text("/proc/filesystems").split(whereSeparator: \.isWhitespace).contains(Substring(name))
                ? nil : "the kernel knows no \(name)"
        }
    }

    /// A trait that skips the test where one of these is missing, and says which.
    static func needed(_ means: Means...) -> ConditionTrait {
        let missing = ([.mounts] + means).lazy.compactMap(\.obstacle).first
        return .enabled(if: missing == nil, Comment(rawValue: missing ?? ""))
    }

    static func loop(_ filesystem: String) -> ConditionTrait {
        needed(.loops, .filesystem(filesystem), .program("mkfs.\(filesystem)"), .program("losetup"))
    }
}

/// Programs of the system, run to their end on this thread, so that they see its mounts.
enum Tool {
    private static let folders: [TestPath] = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

    static func path(of name: String) -> TestPath? {
        folders.map { $0 / TestPath(name) }.first { $0.withCString { access($0, X_OK) } == 0 }
    }

    /// Runs it; what it wrote is the failure's reason where it says that it failed.
    @discardableResult
    static func run(_ name: String, _ arguments: TestPath...) throws -> String {
        try run(name, arguments)
    }

    @discardableResult
    static func run(_ name: String, _ arguments: [TestPath]) throws -> String {
        guard let path = path(of: name) else { throw Failure("\(name) is not installed") }
        let scratch = try TestRun.current.makeFolder()
        defer { try? Disk.removeTree(scratch) }
        let output = scratch / "output"
        let program = try Program(path, arguments, environment: environment, output: output, errors: output)
        while program.exit == nil { pause(.milliseconds(2)) }
        let text = Disk.text(output)
        guard program.exit == .status(0) else { throw Failure("\(name) \(arguments): \(text)") }
        return text
    }

    /// Starts one that stays.
    static func start(_ name: String, _ arguments: [TestPath], log: TestPath) throws -> Program {
        guard let path = path(of: name) else { throw Failure("\(name) is not installed") }
        return try Program(path, arguments, environment: environment, output: log, errors: log)
    }

    private static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]
}
