import InboxConfiguration

extension [Option] {
    /// The options that every command takes.
    static let common: [Option] = [
        Option(name: "socket", argument: "PATH", help: "talk to the daemon at this socket"),
        Option(name: "instance", argument: "NAME", help: "talk to the system's inboxd@NAME"),
        Option(name: "json", help: "print JSON, one object a line"),
        Option(name: "help", short: "h", help: "print this text"),
        Option(name: "version", help: "print the version"),
    ]
}
