import UniformTypeIdentifiers

/// A type with its MIME type, as the decision weighs them.
struct Kind: Sendable {
    let type: UTType
    /// The MIME type's number among the known names; nil where it has none there.
    let mime: Int32?
    /// The MIME type where it has no number.
    let spelling: String?
    /// The built-in format, if it is one.
    let format: FormatID?
}

/// A kind that the name speaks for.
struct NamedKind: Sendable {
    let kind: Kind
    /// Whether its files are text.
    let isText: Bool
    /// Whether a file without its signature is not of this kind.
    let isMandatory: Bool
    /// Whether bytes that are neither a signature nor text contradict it.
    let isContradictable: Bool
    /// Whether the name only hints at the kind, so that no content contradicts it: `a.old`, `python3.6`, `key.pem`.
    let isVague: Bool
    /// What it is written in.
    let carrier: Carrier?
}

/// A kind that the content speaks for.
struct FoundKind: Sendable {
    let kind: Kind
    /// Set where only that was found which other formats are written in.
    let carrier: Carrier?
    /// How many bytes were compared and found equal.
    let fixed: Int
}

/// What the content says.
enum ContentFinding: Sendable {
    /// It could not be read.
    case unread
    /// There is none.
    case empty
    /// Bytes that no rule knows; the guess, by a weak rule, counts only where the name says nothing or the same.
    case unknown(guess: FoundKind?)
    /// Text; the guess counts only where the name says nothing.
    case text(guess: FoundKind?)
    /// Text that reads like a format, without a signature that would prove it.
    case likely(FoundKind)
    /// A signature.
    case signature(FoundKind)
}
