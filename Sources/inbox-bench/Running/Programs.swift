import Glibc
import InboxConfiguration

/// The programs under test, which are beside this one, and their peers, which are there or not.
struct Programs {
    let inboxd: String
    let inboxctl: String

    /// Fails where one of those under test is missing.
    init() throws(CommandFailure) {
        let folder = Self.ownFolder
        func beside(_ name: String) throws(CommandFailure) -> String {
            let path = "\(folder)/\(name)"
            guard access(path, X_OK) == 0 else { throw .failed("no \(path): build it in the same way") }
            return path
        }
        inboxd = try beside("inboxd")
        inboxctl = try beside("inboxctl")
    }

    /// The folder of this program.
    static let ownFolder: String = {
        let own = ownPath
        return own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
    }()

    /// This program.
    static let ownPath: String = {
        guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(path) }
        return String(cString: path)
    }()

    /// Returns whether a program is in `PATH`.
    func has(_ name: String) -> Bool {
        let folders = (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Returns whether the Python in `PATH` has a module.
    func hasPython(module: String) -> Bool {
        has("python3") && (try? Child.run(["python3", "-c", "import \(module)"])) != nil
    }
}
