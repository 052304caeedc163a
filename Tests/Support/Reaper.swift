import Glibc

/// A process that outlives the run of the tests by a moment: it waits for the end of a pipe, which the kernel closes
/// when the run has ended, and clears up.
struct Reaper {
    /// Reads the folders that are to go, a line each. Then, until none is left, it kills the programs with the run's
    /// identifier in their environment; detaches loop devices whose images lie in the folders, and removes these.
    private static let script = """
        trap '' INT TERM HUP QUIT PIPE
        set -f
        IFS='
        '
        folders=
        while read -r folder; do folders="$folders
        $folder"; done
        set +f
        clean=0 tries=0
        while [ $clean -lt 2 ] && [ $tries -lt 200 ]; do
            clean=$((clean + 1)) tries=$((tries + 1))
            for found in $(grep -lsaF "$1" /proc/[0-9]*/environ); do
                found=${found#/proc/}
                kill -KILL "${found%/environ}" && clean=0
            done
            [ $clean -gt 0 ] || sleep 0.02
        done
        for folder in $folders; do
            for image in $(grep -lsF "$folder/" /sys/block/loop*/loop/backing_file); do
                image=${image#/sys/block/}
                losetup --detach "/dev/${image%%/*}"
            done
            chmod -R u+rwX "$folder"
            rm -rf --one-file-system "$folder"
        done
        """

    private let processID: pid_t
    private let input: Int32

    /// - Parameter run: the identifier of the run.
    init(of run: String) throws {
        var ends: [Int32] = [-1, -1]
        // No program that is started meanwhile may get the writing end: its end would have to be waited for as well.
        try Program.starting.withLock { _ in
            try Disk.check("pipe", "a pipe", pipe(&ends))
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        for descriptor: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        // A process group of its own: Ctrl-C at a terminal does not reach it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let arguments = ["/bin/sh", "-c", Self.script, "reaper", "\(TestRun.variable)=\(run)"]
        var argv = arguments.map { strdup($0) }
        var envp = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin")]
        defer { for pointer in argv + envp { free(pointer) } }
        argv.append(nil)
        envp.append(nil)
        var child: pid_t = 0
        let code = posix_spawn(&child, "/bin/sh", &actions, &attributes, argv, envp)
        guard code == 0 else {
            close(ends[1])
            throw DiskError(call: "posix_spawn", path: "/bin/sh", code: code)
        }
        processID = child
        input = ends[1]
    }

    /// The folder goes when the run has ended.
    func remove(_ folder: TestPath) {
        // Without the reaper it stays until the next run.
        try? Disk.write(folder.bytes + [0x0A], to: input, "the reaper")
    }

    /// Clears up at once, for a run that was interrupted.
    func end(removing folder: TestPath) {
        remove(folder)
        close(input)
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
    }
}
