import Glibc

/// A folder for one test on another filesystem than the test's own, found without any rights: shared memory where the
/// test plays on a disk, `TMPDIR` or the build folder where it plays in memory.
package struct OtherFilesystem: Sendable {
    package let path: TestPath

    /// Makes the folder on another filesystem than `folder` is on; nil for `TMPDIR`.
    package init(than folder: TestPath? = nil) throws {
        guard let place = OtherFilesystem.place(than: folder) else { throw Failure("there is one filesystem only") }
        path = try TestRun.current.makeFolder(in: place)
    }

    /// Whether there is one beside that of `TMPDIR`.
    package static var isThere: Bool { place(than: nil) != nil }

    /// A folder on another filesystem that may be written; nil where there is none.
    package static func place(than folder: TestPath?) -> TestPath? {
        let temporary = TestRun.temporary
        let built = try? BuiltPrograms.named("inboxd").parent
        guard let own = device(of: folder ?? temporary) else { return nil }
        return ["/dev/shm", temporary, built].compactMap { $0 }.first { place in
            let isWritable = place.withCString { access($0, W_OK) } == 0
            return isWritable && device(of: place).map { $0 != own } ?? false
        }
    }

    private static func device(of path: TestPath) -> dev_t? {
        var reported = stat()
        return path.withCString { stat($0, &reported) } == 0 ? reported.st_dev : nil
    }
}
