import Glibc
import InboxTestSupport
import Testing

/// A compiler of C, which the Swift toolchain brings along.
private enum Compiler {
    static let path: TestPath? = {
        let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
        let programs = folders.flatMap { folder in ["clang", "cc", "gcc"].map { TestPath("\(folder)/\($0)") } }
        return programs.first { $0.withCString { access($0, X_OK) } == 0 }
    }()
}

/// NFS, as far as a library can imitate it that is loaded before the C library: fstatfs(2) names it, and a request for a
/// lease fails with EAGAIN, since the server has granted no delegation.
@Suite(
    "Leases on a server's filesystem", .enabled(if: Compiler.path != nil, "there is no C compiler"))
struct RemoteLeaseTests {
    /// Files beneath $REMOTE are on NFS; each request for a lease of one adds a byte to $ASKED.
    private static let library = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <sys/vfs.h>
        #include <unistd.h>

        static int is_remote(int descriptor) {
            char link[64], path[4096];
            const char *remote = getenv("REMOTE");
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            ssize_t length = readlink(link, path, sizeof path - 1);
            return remote && length > 0 && !strncmp(path, remote, strlen(remote));
        }

        int fstatfs(int descriptor, struct statfs *status) {
            int result = syscall(SYS_fstatfs, descriptor, status);
            if (!result && is_remote(descriptor)) status->f_type = 0x6969;
            return result;
        }

        static int refuse(void) {
            int asked = open(getenv("ASKED"), O_WRONLY | O_CREAT | O_APPEND, 0600);
            if (asked >= 0 && write(asked, "x", 1) == 1) close(asked);
            errno = EAGAIN;
            return -1;
        }

        int fcntl(int descriptor, int command, ...) {
            va_list list;
            va_start(list, command);
            long argument = va_arg(list, long);
            va_end(list);
            if (command == F_SETLEASE && argument == F_RDLCK && is_remote(descriptor)) return refuse();
            return syscall(SYS_fcntl, descriptor, command, argument);
        }

        int fcntl64(int descriptor, int command, ...) __attribute__((alias("fcntl")));
        """

    /// Puts this folder on such a filesystem for every daemon of the stage.
    private func imitate(at folder: TestPath, for stage: Stage) async throws {
        let (source, library) = (stage.root / "nfs.c", stage.root / "nfs.so")
        try Disk.put(Array(Self.library.utf8), at: source)
        let compiler = try #require(Compiler.path)
        let run = try await stage.run(compiler, ["-shared", "-fPIC", "-w", "-o", library, source])
        try #require(run.exit == .status(0), "\(run.errors)")
        stage.variables += ["LD_PRELOAD=\(library)", "REMOTE=\(folder)", "ASKED=\(stage.root)/asked"]
    }

    @Test("Nothing is asked for a lease, whose refusal would look like a writer, and everything is filed")
    func filed() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0", "Inbox.OnConflict=skip-identical"])
            defer { stage.close() }
            try await imitate(at: stage.documents, for: stage)
            try await stage.start()
            try Disk.put([1], at: stage.inbox / "a.txt")
            try Disk.makeFolders(stage.inbox / "note.rtfd")
            try Disk.put([2], at: stage.inbox / "note.rtfd/TXT.rtf")
            try await stage.expectCounters(["waiting": 0, "filed": 2])
            #expect(try Disk.read(stage.documents / "a.txt") == [1])
            #expect(try Disk.read(stage.documents / "note.rtfd/TXT.rtf") == [2])
            try await stage.expectRecord([("proof", "quiet-time")])
            // Its twin is on the server too.
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await stage.expectCounters(["waiting": 0, "filed": 2, "duplicates": 1])
            #expect(!Disk.exists(stage.root / "asked"), "the server was asked")
        }
    }

    @Test(
        "What was copied from it before a kill is removed after it",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func recovered() async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(before: "unlinkat@a.txt", at: ["1"])
            try await imitate(at: across.inbox, for: across.stage)
            try await across.start()
            try across.moveIn([1], as: "a.txt")
            try await across.barrier.reached()
            let daemon = try #require(across.stage.daemon)
            daemon.signal(SIGKILL)
            #expect(try await daemon.ended() == .signal(SIGKILL))
            try Disk.remove(across.barrier.path)
            try await across.start()
            // The run that was killed may still have its lock, and whether its staging folder is left nobody but it knows.
            try await across.stage.runControl(["retry"])
            try await across.expect(["a.txt": [1]])
            #expect(!Disk.exists(across.stage.root / "asked"), "the server was asked")
        }
    }
}
