import Glibc
import InboxLinux

/// The order of system calls that a debug `inboxd` wrote down: `BEGIN END CALL SUBJECT RESULT THREAD` a line.
package struct CallTrace: Sendable {
    package enum Result: Equatable, Sendable {
        case ok
        case failed(Int32)
        /// A fault plan took its place.
        case struck
    }

    package struct Call: CustomStringConvertible, Sendable {
        /// Grows with every beginning and end of a call, in whatever thread.
        package let begin: Int
        package let end: Int
        package let name: String
        package let subject: String
        package let result: Result
        /// Which thread called.
        package let thread: Int

        /// A call between these moments.
        package init(begin: Int, end: Int, name: String, subject: String, result: Result, thread: Int) {
            (self.begin, self.end) = (begin, end)
            (self.name, self.subject) = (name, subject)
            (self.result, self.thread) = (result, thread)
        }

        /// Calls that leave everything on the disk as it was; a sync too, as long as the machine runs.
        private static let questions: Set = [
            "accept4", "bind", "capget", "close", "connect", "dup", "epoll_create1", "epoll_ctl", "epoll_wait",
            "eventfd",
            "faccessat", "fcntl(F_OFD_SETLK)", "fcntl(F_SETLEASE)", "fdatasync", "fgetxattr", "flistxattr", "fstat",
            "fstatfs", "fstatvfs", "fsync", "getdents64", "getrlimit", "getsockopt", "inotify_add_watch",
            "inotify_init1", "inotify_rm_watch", "ioctl", "listen", "lseek", "lseek(SEEK_END)", "openat2", "pidfd_open",
            "pipe2", "poll",
            "pread", "pthread_create", "pthread_sigmask", "read", "readlinkat", "recvmsg", "sendmsg", "setrlimit",
            "shutdown", "signalfd", "socket", "statx", "sync_file_range", "timerfd_create",
            "timerfd_settime", "waitid",
        ]

        /// Whether it may change what is on the disk. Of files opened by name those of the daemon may be new.
        package var isChange: Bool {
            if name == "openat" { return mentions("/state/") || mentions("/.inboxd-") }
            return !Self.questions.contains(name)
        }

        /// Whether this is a part of its subject.
        package func mentions(_ part: String) -> Bool {
            subject.withCString { subject in part.withCString { strstr(subject, $0) != nil } }
        }

        package var description: String { "\(name) \(subject) = \(result)" }

        /// Whether it had ended before the other one began.
        package func isBefore(_ other: Call) -> Bool { end < other.begin }
    }

    /// In the order of their beginnings.
    package let calls: [Call]

    package init(calls: [Call]) {
        self.calls = calls
    }

    package init(reading path: TestPath) throws { try self.init(bytes: (try? Disk.read(path)) ?? []) }

    package init(_ text: String) throws { try self.init(bytes: Array(text.utf8)) }

    /// Thousands of traces are read, each with thousands of lines: Glibc searches faster than what is built for debugging.
    private init(bytes: [UInt8]) throws {
        calls = try bytes.withUnsafeBytes { bytes in
            try Self.parts(of: bytes, at: UInt8(ascii: "\n")).filter { !$0.isEmpty }.map { try Call(line: $0) }
        }.sorted { $0.begin < $1.begin }
    }

    /// What lies between these characters.
    fileprivate static func parts(of bytes: UnsafeRawBufferPointer, at separator: UInt8) -> [UnsafeRawBufferPointer] {
        var parts: [UnsafeRawBufferPointer] = []
        var rest = bytes
        while let next = rest.firstOffset(of: separator) {
            parts.append(UnsafeRawBufferPointer(rebasing: rest[..<next]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(next + 1)...])
        }
        return parts + [rest]
    }

    /// The calls of that name that happened to a subject that ends so.
    package func happened(_ name: String, _ subject: String = "") -> [Call] {
        calls.filter { $0.name == name && $0.result == .ok && $0.subject.hasSuffix(subject) }
    }

    /// The number, counted from 1, of the first call of recovery: the history is opened.
    package var firstOfRecovery: Int { number(of: { $0.subject.hasSuffix("/history.jsonl") }) }

    /// The number of the first call that looks into the Inbox: all before it is the same on every way.
    package var firstOnInbox: Int { number(of: { $0.name == "getdents64" }) }

    /// The number of the first call of a copy: the identifier of the staging folder is drawn, or that folder is made.
    package var firstOfCopying: Int {
        number(of: { call in
            (call.name == "write" && call.subject.hasSuffix("/instance"))
                || (call.name == "mkdirat" && call.mentions("/.inboxd-"))
        })
    }

    private func number(of isIt: (Call) -> Bool) -> Int { (calls.firstIndex(where: isIt) ?? 0) + 1 }

    /// The number of a call shortly after recovery, which clears the journal and then removes its staging folders; other
    /// threads call meanwhile.
    package var endOfRecovery: Int {
        let cleared = calls[firstOfRecovery...].firstIndex {
            $0.name == "ftruncate" && $0.subject.hasSuffix("/journal")
        }
        return (cleared ?? calls.count) + 12
    }
}

extension CallTrace.Call {
    /// The call that a line of a trace is about.
    fileprivate init(line: UnsafeRawBufferPointer) throws {
        let fields = CallTrace.parts(of: line, at: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 6, let begin = Int(fields[0]), let end = Int(fields[1]), let thread = Int(fields[5])
        else {
            throw Failure("not a line of a trace: \(fields)")
        }
        let result: CallTrace.Result? =
            switch fields[4] {
            case "ok": .ok
            case "struck": .struck
            default: Int32(fields[4]).map { .failed($0) }
            }
        guard let result else { throw Failure("not a line of a trace: \(fields)") }
        self.init(begin: begin, end: end, name: fields[2], subject: fields[3], result: result, thread: thread)
    }
}
