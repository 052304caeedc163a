import Glibc

/// Writes to standard output, at once.
func write(_ text: String) {
    emit(text, to: STDOUT_FILENO)
}

/// Writes a line to standard error.
func complain(_ text: String) {
    emit("inbox-bench: \(text)\n", to: STDERR_FILENO)
}

private func emit(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            // Nobody reads any more: then nobody misses the rest.
            guard count > 0 else { return }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}

/// Lets time pass.
func pause(microseconds: UInt32) {
    usleep(microseconds)
}

/// A call that fails with -1, and says why in `errno`.
@discardableResult
func check(_ call: String, _ path: String, _ result: Int32) throws -> Int32 {
    guard result >= 0 else { throw BenchmarkFailure("\(call) \(path): \(String(cString: strerror(errno)))") }
    return result
}

/// Makes a folder.
func makeFolder(_ path: String) throws {
    try check("mkdir", path, mkdir(path, 0o755))
}

/// Moves a file or folder to a name that is free.
func move(_ path: String, to target: String) throws {
    try check("rename", path, rename(path, target))
}

/// A small file's text; nil where it cannot be read.
func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
        let count = read(descriptor, &part, part.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += part[..<count]
    }
}

/// The value of an environment variable.
func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// The number of processors of this machine.
var processors: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

/// The number of processes that wanted to run in the last minute, from proc(5).
var load: String { (text(of: "/proc/loadavg") ?? "").split(separator: " ").first.map(String.init) ?? "unknown" }

/// The number of this process.
var ownProcess: Int32 { getpid() }

/// The resident memory of another process, from proc(5): `VmRSS`, `RssAnon` or `VmHWM`, in bytes.
func memory(_ key: String, of process: Int32) throws -> Double {
    let lines = text(of: "/proc/\(process)/status")?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix("\(key):") }),
        let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) }
        )
    else { throw BenchmarkFailure("no \(key) of process \(process)") }
    return kilobytes * 1024
}

/// The processor time that another process has used, in clock ticks (hundredths of a second): proc(5), `utime` and `stime`.
func processorTicks(of process: Int32) throws -> Int {
    // The name, in parentheses, may hold anything; the state is the first field after it.
    let fields = text(of: "/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
        throw BenchmarkFailure("no processor time of process \(process)")
    }
    return user + system
}

/// Writes everything that waits to the disks: sync(2).
func syncAll() {
    sync()
}
