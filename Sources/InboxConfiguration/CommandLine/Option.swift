/// An option that a command takes.
package struct Option: Hashable, Sendable {
    /// The long name, without its dashes.
    package let name: String
    /// The short one, where there is one.
    package let short: Character?
    /// The name of the argument in the usage text; nil if the option takes none.
    package let argument: String?
    /// The name of an optional argument, which is given only after an equals sign.
    package let optionalArgument: String?
    /// The description for the usage text.
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
