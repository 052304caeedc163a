import Glibc

/// The floor of a check: a program is started and waited for, and that is all.
enum BareStarting {
    static let name = "posix_spawn and waitpid of that program alone"
    static let program = "/bin/true"

    /// Nanoseconds a run, of so many after another.
    static func run(_ count: Int) throws -> Double {
        let arguments = [strdup(program), nil]
        defer { free(arguments[0]) }
        let environment: [UnsafeMutablePointer<CChar>?] = [nil]
        return try once {
            for _ in 0..<count {
                var (process, status): (pid_t, Int32) = (0, 0)
                let code = posix_spawn(&process, program, nil, nil, arguments, environment)
                guard code == 0 else { throw BenchmarkFailure("posix_spawn: \(String(cString: strerror(code)))") }
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                guard status == 0 else { throw BenchmarkFailure("\(program) has ended with \(status)") }
            }
            return count
        } / Double(count)
    }
}
