import InboxConfiguration

/// What can be typed for an argument, as far as a shell can complete it.
enum ArgumentKind: Equatable {
    /// Nothing that a shell knows.
    case nothing
    /// Paths of files.
    case files
    /// Paths of folders.
    case folders
    /// Identifiers of types.
    case types
    /// One of these words.
    case words([String])
    /// A verb of this program.
    case verbs

    /// Reads it off what the usage text calls the argument.
    init(called name: String) {
        let bare = name.filter { !"[]…".contains($0) }
        switch bare {
        case "FILE", "PATH": self = .files
        case "DIR": self = .folders
        case "UTI", "A B": self = .types
        case "VERB": self = .verbs
        default: self = bare.contains("|") ? .words(bare.split(separator: "|").map(String.init)) : .nothing
        }
    }
}

extension Option {
    /// What follows the option; nil where it takes no argument.
    var argumentKind: ArgumentKind? { argument.map(ArgumentKind.init(called:)) }
}

extension Verb {
    /// What the operands are.
    var operandKind: ArgumentKind { ArgumentKind(called: operands) }

    /// Every option that the verb takes.
    var allOptions: [Option] { options + .common }
}
