/// A problem with a declaration: the file and entry, the rule that it breaks, and what follows.
public struct UTTypeDeclarationProblem: Sendable, Hashable, CustomStringConvertible {
    /// The rule that was broken.
    public enum Rule: Sendable, Hashable, CaseIterable {
        /// An identifier has characters or a form that identifiers cannot have.
        case identifierSyntax
        /// An identifier that begins with `public.` is exported, or one with `dyn.` declared: they belong to the
        /// system.
        case reservedIdentifier
        /// A built-in identifier is exported.
        case builtInIdentifier
        /// There are more declarations than a catalogue takes.
        case tooManyDeclarations
        /// Two declarations export one identifier; the first counts.
        case duplicateIdentifier
        /// A supertype is neither built in nor declared; it is left out.
        case unknownSupertype
        /// A type with tags conforms to nothing, so that no file is found to be of it.
        case noSupertype
        /// Types conform to each other in a circle; the supertype that closes it is left out.
        case conformanceCycle
        /// A tag belongs to more than one type; the exported one counts, then the built-in, then the first.
        case contestedTag
        /// A tag cannot be part of a file name or is no MIME type; it is left out.
        case malformedTag
        /// An entry of a property list has not the form that it must have; it is left out.
        case malformedEntry

        /// Nothing is declared if this rule is broken; otherwise the message explains what counts.
        public var isFatal: Bool {
            switch self {
            case .identifierSyntax, .reservedIdentifier, .builtInIdentifier, .tooManyDeclarations: true
            default: false
            }
        }
    }

    /// The place of the declaration: its ``UTTypeDeclaration/origin``.
    public let origin: String?

    /// The identifier that is declared, as far as there is one.
    public let identifier: String?

    /// The rule that was broken.
    public let rule: Rule

    /// The problem and what follows, without origin and identifier.
    public let message: String

    /// A problem with these parts.
    public init(origin: String?, identifier: String?, rule: Rule, message: String) {
        self.origin = origin
        self.identifier = identifier
        self.rule = rule
        self.message = message
    }

    /// One line: `origin: identifier: message`.
    public var description: String {
        [origin, identifier, message].compactMap(\.self).joined(separator: ": ")
    }
}

/// Thrown where declarations cannot be put in force; the catalogue is as it was.
public struct UTTypeDeclarationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Everything that is wrong, fatal or not, in the order of the declarations; at least one is fatal.
    public let problems: [UTTypeDeclarationProblem]

    /// The first fatal problem on one line.
    public var description: String {
        (problems.first(where: \.rule.isFatal) ?? problems.first)?.description ?? "no declarations were taken"
    }
}
