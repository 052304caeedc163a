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

/// A kind that the name may mean.
struct NamedKind: Sendable {
    let kind: Kind
    /// Files of this kind are text.
    let isText: Bool
    /// A file without the kind's signature is not of this kind.
    let isMandatory: Bool
    /// Bytes that are neither a signature nor text contradict the kind.
    let isContradictable: Bool
    /// The name only hints at the kind, so that no content contradicts it: `a.old`, `python3.6`, `key.pem`.
    let isVague: Bool
    /// Text contradicts the kind: a picture, a sound, an archive, or another format whose files are never text.
    let isBinary: Bool
    /// Texts of other programs have the same extension, which is no contradiction: `Point.msg`, `kernel.app`.
    var isShared = false
    /// Only a list of names has its extension, where nobody looked at other uses: `configure.ac`, `index.tpl`.
    var isListed: Bool { kind.type.isDynamic && kind.format == nil && kind.mime == nil }
    /// An archive without the parts of a document contradicts the kind.
    let isStrict: Bool
    /// The kind has the extension by the table of formats alone: then it counts only if the content agrees.
    var isClaim = false
    /// Nothing but its name is known: the kind is no format of the table, and has no declared type or one of the
    /// configuration's own, which does not say what its files are made of.
    var isUnstudied = false
    /// The mark that every text of this kind has; nil if there is none, or it is not known.
    var required: RequiredMark?
    /// The carriers that the kind may be written in.
    var carriers: CarrierSet

    /// Text of this kind must be markup or objects, so that plain lines are something else.
    var isStructured: Bool { carriers.contains(.xml) || carriers.contains(.json) }
}

/// A kind that the content shows.
struct FoundKind: Sendable {
    let kind: Kind
    /// Set where only that was found which other formats are written in.
    let carrier: Carrier?
    /// The number of bytes that were compared and found equal.
    let fixed: Int
}

/// The finding from the content.
enum ContentFinding: Sendable {
    /// It could not be read.
    case unread
    /// There is none.
    case empty
    /// Bytes that no rule knows; the guess, by a weak rule, counts only where the name is unknown or agrees.
    case unknown(guess: FoundKind?)
    /// Bytes that no rule knows, of which the first ones rule out every kind that the name may mean.
    case excluded
    /// Text; the guess counts only where the name is unknown.
    case text(guess: FoundKind?)
    /// Text without what every kind that the name may mean must have; and what it reads like.
    case foreign(FoundKind?)
    /// Text that reads like a format, without a signature that would prove it.
    case likely(FoundKind)
    /// A signature.
    case signature(FoundKind)
}
