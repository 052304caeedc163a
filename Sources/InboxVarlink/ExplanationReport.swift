/// What `Explain` answers (sections 3.2 and 5 of the contract).
public struct ExplanationReport: Codable, Hashable, Sendable {
    /// The path, as text by section 5 of the contract.
    public var path: String
    /// The type's identifier.
    public var type: String
    /// The type's MIME type, where one is known.
    public var mime: String?
    /// What the type was concluded from: `content`, `name`, `name+content`, `none`.
    public var evidence: String
    /// Whether name and content disagree.
    public var mismatch: Bool
    /// Whether the content could not be read.
    public var unread: Bool
    /// Every supertype, a type before all its own supertypes.
    public var conformsTo: [String]
    /// Where it would go, if it were filed now.
    public var destination: String?
    /// How it stands in the Inbox; absent for what is not in one.
    public var arrival: ArrivalReport?

    /// A report of these facts.
    public init(
        path: String, type: String, mime: String?, evidence: String, mismatch: Bool, unread: Bool, conformsTo: [String],
        destination: String?, arrival: ArrivalReport?
    ) {
        self.path = path
        self.type = type
        self.mime = mime
        self.evidence = evidence
        self.mismatch = mismatch
        self.unread = unread
        self.conformsTo = conformsTo
        self.destination = destination
        self.arrival = arrival
    }
}
