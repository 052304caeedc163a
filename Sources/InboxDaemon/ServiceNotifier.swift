import InboxLinux

/// Tells systemd how the service stands: sd_notify(3). Without `NOTIFY_SOCKET` nobody is told.
struct ServiceNotifier {
    private let socket: [UInt8]?
    private var status = ""

    init() {
        socket = Process.environment("NOTIFY_SOCKET")
    }

    /// The service is up, or a reload is done.
    func ready() { send("READY=1") }

    /// A reload begins.
    func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(Instant.now().nanoseconds / 1000)") }

    /// The end has begun.
    func stopping() { send("STOPPING=1") }

    /// One line for `systemctl status`, when it is another than before. It holds numbers and no names: a newline in it
    /// would begin a field of its own.
    mutating func tell(_ text: String) {
        guard socket != nil, text != status else { return }
        status = text
        send("STATUS=\(text.replacingNewlines)")
    }

    private func send(_ message: String) {
        guard let socket else { return }
        do throws(SyscallError) { try Datagram.send(Array(message.utf8), toSocketAt: socket) } catch {
            // sd_notify(3) calls for no answer: a manager that does not listen is none of the service's failures.
        }
    }
}

extension String {
    fileprivate var replacingNewlines: String {
        String(map { $0.isNewline ? " " : $0 })
    }
}
