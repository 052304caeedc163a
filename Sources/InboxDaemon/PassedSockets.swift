import InboxLinux

/// The descriptors that systemd passed for socket activation, by their names: sd_listen_fds(3).
struct PassedSockets {
    /// Which of them is the control socket.
    enum Choice: Equatable {
        /// Nothing was passed: the daemon makes its own.
        case none
        /// This descriptor. The remark, where there is one, says that its name is not the documented one.
        case descriptor(Int32, remark: String?)
        /// Several were passed and none has the documented name; the text explains what to set.
        case ambiguous(String)
    }

    /// The name that the socket unit should give: `FileDescriptorName=`.
    private static let wanted = "control"
    /// The first passed descriptor: `SD_LISTEN_FDS_START`.
    private static let first: Int32 = 3

    /// The names, in the order of the descriptors; empty where there is none.
    private let names: [String]

    /// Reads `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`.
    static func ofThisProcess() -> PassedSockets {
        func variable(_ name: String) -> String? {
            Process.environment(name).map { String(decoding: $0, as: UTF8.self) }
        }
        return PassedSockets(
            process: variable("LISTEN_PID"), count: variable("LISTEN_FDS"), names: variable("LISTEN_FDNAMES"),
            own: Process.current)
    }

    /// Takes the values of the variables; sockets for another process are none.
    init(process: String?, count: String?, names: String?, own: Int32) {
        guard process.flatMap(Int32.init) == own, let count = count.flatMap(Int.init), (1...64).contains(count) else {
            self.names = []
            return
        }
        let given = (names ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        self.names = (0..<count).map { $0 < given.count ? given[$0] : "" }
    }

    /// The one named `control`, or a single one whatever its name.
    var choice: Choice {
        let matching = names.indices.filter { names[$0] == Self.wanted }
        if matching.count == 1 { return .descriptor(Self.first + Int32(matching[0]), remark: nil) }
        if matching.count > 1 {
            return .ambiguous("\(matching.count) sockets are named control: leave one ListenStream= in the socket unit")
        }
        switch names.count {
        case 0: return .none
        case 1:
            let name = names[0].isEmpty ? "has no name" : "is named \(EscapedBytes.printable(Array(names[0].utf8)))"
            return .descriptor(
                Self.first,
                remark: "the socket passed by systemd \(name) and is used as the control socket: "
                    + "set FileDescriptorName=control in the socket unit")
        default:
            return .ambiguous(
                "none of the \(names.count) passed sockets is named control: "
                    + "set FileDescriptorName=control in the unit of the control socket")
        }
    }
}
