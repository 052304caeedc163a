/// An option that a command takes.
struct Option: Hashable, Sendable {
    /// The long name, without its dashes.
    let name: String
    /// The short one, where there is one.
    var short: Character?
    /// What the argument is called in the usage text; nil where the option takes none.
    var argument: String?
    /// What it does, for the usage text.
    let help: String

    /// As the usage text shows it: `-h, --help` or `--socket=PATH`.
    var synopsis: String {
        (short.map { "-\($0), " } ?? "") + "--" + name + (argument.map { "=" + $0 } ?? "")
    }
}

extension [Option] {
    /// What every command takes.
    static let common: [Option] = [
        Option(name: "socket", argument: "PATH", help: "talk to the daemon at this socket"),
        Option(name: "instance", argument: "NAME", help: "talk to the system's inboxd@NAME"),
        Option(name: "json", help: "print JSON, one object a line"),
        Option(name: "help", short: "h", help: "print this text"),
        Option(name: "version", help: "print the version"),
    ]
}
