extension [Option] {
    /// The options of `inboxd`, which the completion scripts of inboxctl know too.
    package static let daemon: [Option] = [
        Option(name: "config", argument: "FILE", help: "read this file instead of the standard places"),
        Option(name: "documents", argument: "DIR", help: "the Documents folder"),
        Option(name: "inbox", argument: "DIR", help: "an Inbox, relative to Documents; may be repeated"),
        Option(name: "state", argument: "DIR", help: "where the history is kept"),
        Option(name: "socket", argument: "PATH", help: "where the control socket is"),
        Option(name: "set", argument: "SECTION.KEY=VALUE", help: "override one setting, such as Inbox.Settle=0"),
        Option(name: "once", help: "file what is there, then end: 75 where something is left"),
        Option(name: "dry-run", help: "say what would be filed where, and touch nothing; with paths: of those"),
        Option(name: "json", help: "with --dry-run: one JSON object a line"),
        Option(
            name: "check", help: "read the configuration and print problems and notices: 78 where there is a problem"),
        Option(name: "print-config", help: "print the configuration in force, and where each line came from"),
        Option(name: "log-level", argument: "LEVEL", help: "error, warning, notice, info (the default) or debug"),
        Option(name: "help", short: "h", help: "print this text"),
        Option(name: "version", help: "print the version"),
    ]
}
