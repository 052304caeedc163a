/// An option that a command takes.
public struct Option: Hashable, Sendable {
    /// The long name, without its dashes.
    public let name: String
    /// The short one, where there is one.
    public let short: Character?
    /// What the argument is called in the usage text; nil where the option takes none.
    public let argument: String?
    /// What it does, for the usage text.
    public let help: String

    /// An option of these names.
    public init(name: String, short: Character? = nil, argument: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.argument = argument
        self.help = help
    }

    /// As the usage text shows it: `-h, --help` or `--socket=PATH`.
    public var synopsis: String {
        (short.map { "-\($0), " } ?? "") + "--" + name + (argument.map { "=" + $0 } ?? "")
    }
}
