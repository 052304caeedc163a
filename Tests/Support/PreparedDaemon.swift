import Glibc

/// Programs of which `inboxd` is a script that does something before it becomes the daemon.
package final class PreparedDaemon {
    /// Where they are: for ``Stage/init(settings:below:inboxOn:programs:)``.
    package let folder: TestPath

    /// - Parameter script: what is done before, in the shell's words; its last ones may be a program that starts another.
    package init(_ script: String) throws {
        folder = try TestRun.current.makeFolder()
        try Disk.check("chmod", folder, folder.withCString { chmod($0, 0o755) })
        let daemon = folder / "inboxd"
        let text = "#!/bin/sh\n\(script) \(try BuiltPrograms.named("inboxd")) \"$@\"\n"
        try Disk.put(Array(text.utf8), at: daemon)
        try Disk.check("chmod", daemon, daemon.withCString { chmod($0, 0o755) })
        try Disk.makeLink(folder / "inboxctl", to: BuiltPrograms.named("inboxctl"))
    }

    deinit {
        // What cannot be removed stays for whoever looks; the test's own verdict is not touched by it.
        try? Disk.removeTree(folder)
    }
}
