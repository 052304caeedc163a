/// An option that a command takes.
package struct Option: Hashable, Sendable {
    /// The long name, without its dashes.
    package let name: String
    /// The short one, where there is one.
    package let short: Character?
    /// What the argument is called in the usage text; nil where the option takes none.
    package let argument: String?
    /// What an argument is called that may be left out, and is given after an equals sign alone.
    package let optionalArgument: String?
    /// What it does, for the usage text.
    package let help: String

    /// An option of these names.
    package init(
        name: String, short: Character? = nil, argument: String? = nil, optionalArgument: String? = nil, help: String
    ) {
        self.optionalArgument = optionalArgument
        self.name = name
        self.short = short
        self.argument = argument
        self.help = help
    }

    /// As the usage text shows it: `-h, --help` or `--socket=PATH`.
    package var synopsis: String {
        (short.map { "-\($0), " } ?? "") + "--" + name + (argument.map { "=" + $0 } ?? "")
            + (optionalArgument.map { "[=" + $0 + "]" } ?? "")
    }
}
