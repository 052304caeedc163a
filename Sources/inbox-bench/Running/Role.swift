import Glibc
import InboxLinux
import InboxVarlink

/// The role of this program in a process of its own, beside the one that measures: `inbox-bench --as ROLE …`.
enum Role {
    /// Writes so many documents into a folder as fast as it can, then prints how many nanoseconds that took.
    case writer(folder: String, count: Int)
    /// The floor of a daemon; prints a line when it watches, and ends when so many documents are filed.
    case watcher(BareWatching)
    /// Asks a daemon for the list of its arrivals so many times, one list after another.
    case lister(socket: String, count: Int)

    /// Nil where the words ask for none.
    init?(_ words: some Sequence<[UInt8]>) {
        let words = words.map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 4, words[0] == "--as", let count = Int(words[words.count - 1]) else { return nil }
        switch (words[1], words.count) {
        case ("writer", 4): self = .writer(folder: words[2], count: count)
        case ("lister", 4): self = .lister(socket: words[2], count: count)
        case ("watcher", 5): self = .watcher(BareWatching(inbox: words[2], documents: words[3], count: count))
        default: return nil
        }
    }

    /// The command line that asks for it.
    var words: [String] {
        switch self {
        case .writer(let folder, let count): [Programs.ownPath, "--as", "writer", folder, "\(count)"]
        case .lister(let socket, let count): [Programs.ownPath, "--as", "lister", socket, "\(count)"]
        case .watcher(let watching):
            [Programs.ownPath, "--as", "watcher", watching.inbox, watching.documents, "\(watching.count)"]
        }
    }

    /// Does it; the exit status.
    func play() -> Int32 {
        do {
            switch self {
            case .writer(let folder, let count):
                let spent = try once {
                    try Documents.make(count, in: folder)
                    return count
                }
                write("\(Int(spent))\n")
            case .lister(let socket, let count): try Self.list(count, at: socket)
            case .watcher(let watching): try watching.run { write("watching\n") }
            }
            return 0
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func list(_ count: Int, at socket: String) throws(ClientError) {
        var client = try Client(path: BytePath(socket), timeout: .seconds(60))
        for _ in 0..<count { try client.call("io.inboxd.Inbox.ListArrivals") { _ in true } }
    }
}
