import Glibc

/// Where the programs under test are.
package enum BuiltPrograms {
    package static func named(_ name: TestPath) throws -> TestPath {
        let folders = candidates
        for folder in folders where folder.bytes.count > 1 {
            let path = folder / name
            if Disk.kind(path) == .file, path.withCString({ access($0, X_OK) }) == 0 { return path }
        }
        throw Failure("\(name) is not built; looked in \(folders.map(\.description).joined(separator: ", "))")
    }

    /// `INBOX_TEST_PROGRAMS`, then the folders above the running test, then the package's debug build.
    private static var candidates: [TestPath] {
        var folders: [TestPath] = []
        if let chosen = getenv("INBOX_TEST_PROGRAMS") { folders.append(TestPath(String(cString: chosen))) }
        if var folder = try? Disk.linkTarget("/proc/self/exe").parent {
            for _ in 0..<4 {
                folders.append(folder)
                folder = folder.parent
            }
        }
        folders.append(packageRoot / ".build/debug")
        return folders
    }

    /// The checkout, from where this file was compiled.
    package static var packageRoot: TestPath {
        TestPath(#filePath).parent.parent.parent
    }
}
