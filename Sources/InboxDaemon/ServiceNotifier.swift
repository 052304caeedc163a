import InboxLinux

/// Reports the service's state to systemd: sd_notify(3). Without `NOTIFY_SOCKET` nothing is sent.
struct ServiceNotifier {
    private let socket: SocketAddress?
    /// The signs of life that the manager expects; nil where it expects none.
    private var watchdog: Heartbeat?
    /// The requests for more time while the service ends; nil before that.
    private var extensions: Heartbeat?
    private var status = ""
    /// When the next line for `systemctl status` may be sent.
    private var nextStatus = Instant(nanoseconds: 0)
    /// There may be a new status to send at that time.
    private var isStatusDue = false
    /// The messages for which the manager had no room, in order: the loop does not wait for it.
    private var unsent: [String] = []
    /// When that is tried again.
    private var nextTry = Instant(nanoseconds: 0)
    /// The number of messages that are kept: the newest, even if reloads are requested without end.
    private static let mostUnsent = 16

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` from the environment.
    init() {
        self.init(
            socket: Process.environment("NOTIFY_SOCKET").flatMap(BytePath.init(bytes:)).flatMap { SocketAddress($0) },
            watchdog: Heartbeat(
                watchdog: Process.environment("WATCHDOG_USEC"), process: Process.environment("WATCHDOG_PID"),
                own: Process.current))
    }

    /// Sends to this socket, and the signs of life that are wanted.
    init(socket: SocketAddress?, watchdog: Heartbeat?) {
        self.socket = socket
        self.watchdog = socket == nil ? nil : watchdog
    }

    /// The service is up, or a reload is done.
    mutating func ready() { send("READY=1") }

    /// A reload begins.
    mutating func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(Instant.now().nanoseconds / 1000)") }

    /// The end has begun; from now on ``beat(at:)`` asks for more time as long as the event loop turns.
    mutating func stopping() {
        guard extensions == nil else { return }
        send("STOPPING=1")
        if socket != nil { extensions = Heartbeat(every: .seconds(5)) }
    }

    /// Sends what is due: called by every turn of the event loop, so that a loop that hangs is noticed, while a worker
    /// that hangs on a dead mount withholds nothing.
    mutating func beat(at now: Instant) {
        if !unsent.isEmpty, nextTry <= now {
            unsent = Array(unsent.drop { trySending($0) })
            nextTry = now + .milliseconds(100)
        }
        if watchdog?.isDue(at: now) == true { _ = trySending("WATCHDOG=1") }
        // 20 s from now: four requests have to get lost before the manager gives up a service that is still working.
        if extensions?.isDue(at: now) == true { _ = trySending("EXTEND_TIMEOUT_USEC=20000000") }
    }

    /// When the event loop has to turn next for ``beat(at:)`` or ``report(at:_:)``.
    var nextBeat: Instant {
        min(
            watchdog?.next ?? .never, extensions?.next ?? .never, isStatusDue ? nextStatus : .never,
            unsent.isEmpty ? .never : nextTry)
    }

    /// One line for `systemctl status`, when it differs from the last one, and one a second at most: each wakes the manager.
    /// Controls are escaped: a newline would begin a field of its own, such as `STOPPING=1`.
    mutating func report(at now: Instant, _ text: () -> String) {
        guard socket != nil else { return }
        isStatusDue = now < nextStatus
        guard !isStatusDue else { return }
        // The text is composed at most once a second too.
        nextStatus = now + .seconds(1)
        let text = text()
        guard text != status else { return }
        isStatusDue = !trySending("STATUS=\(EscapedBytes.hidingControls(text))")
        if !isStatusDue { status = text }
    }

    private mutating func send(_ message: String) {
        if unsent.isEmpty, trySending(message) { return }
        unsent = unsent.suffix(Self.mostUnsent - 1) + [message]
    }

    /// Sends a message. Returns true if the manager has it or will never have it: sd_notify(3) expects no answer, and
    /// a manager that does not listen is not a failure of the service.
    private func trySending(_ message: String) -> Bool {
        guard let socket else { return true }
        do throws(SyscallError) { try Datagram.send(Array(message.utf8), to: socket) } catch {
            return error.errno != .again
        }
        return true
    }
}

/// Something that is sent again and again, and when it is due next.
struct Heartbeat {
    private let interval: Duration
    /// When it is due; at once in the beginning.
    private(set) var next = Instant(nanoseconds: .min)

    /// Sends in this interval.
    init(every interval: Duration) {
        self.interval = interval
    }

    /// Sends in a third of the time of sd_watchdog_enabled(3), so that one late turn of the loop does no harm.
    ///
    /// - Returns: nil where the manager expects nothing, or expects it of another process.
    init?(watchdog microseconds: [UInt8]?, process: [UInt8]?, own: Int32) {
        func number(_ bytes: [UInt8]) -> Int64? { Int64(String(decoding: bytes, as: UTF8.self)) }
        guard let microseconds = microseconds.flatMap(number), microseconds > 0 else { return nil }
        if let process, number(process) != Int64(own) { return nil }
        self.init(every: .microseconds(max(1, microseconds / 3)))
    }

    /// Returns true if a message is due; the next one is then due an interval from now.
    mutating func isDue(at now: Instant) -> Bool {
        guard next <= now else { return false }
        next = now + interval
        return true
    }
}
