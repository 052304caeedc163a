import InboxConfiguration
import UniformTypeIdentifiers

/// The values that can be typed for an argument, as far as a shell can complete it.
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
    /// Identifiers of documents that were filed lately.
    case filed

    /// The identifiers of the built-in types, which are written into the scripts.
    static var typeNames: [String] { UTType.allBuiltIn.map(\.identifier).sorted() }

    /// A command that prints the identifiers of the documents that were filed last, a line each.
    static let filedCommand =
        #"inboxctl history --json --limit=30 2>/dev/null | sed -n '/"event":"filed"/s/.*"id":"\([0-9a-z]*\)".*/\1/p'"#

    /// Reads it off what the usage text calls the argument.
    init(called name: String) {
        let bare = name.filter { !"[]…".contains($0) }
        switch bare {
        case "FILE", "PATH": self = .files
        case "DIR": self = .folders
        case "UTI", "A B": self = .types
        case "VERB": self = .verbs
        case "ID": self = .filed
        case "PATH|ID": self = .files
        default: self = bare.contains("|") ? .words(bare.split(separator: "|").map(String.init)) : .nothing
        }
    }
}

extension Option {
    /// The kind of the option's argument; nil if it takes none.
    var argumentKind: ArgumentKind? { argument.map(ArgumentKind.init(called:)) }
}

extension Verb {
    /// The kind of the operands.
    var operandKind: ArgumentKind { ArgumentKind(called: operands) }

    /// Every option that the verb takes.
    var allOptions: [Option] { options + .common }
}
