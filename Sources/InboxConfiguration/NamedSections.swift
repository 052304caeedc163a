/// The sections of one kind, such as `[Notice NAME]`, while they are gathered. Sections with the same name are combined.
protocol NamedSections {
    /// Finds the section of a name, or begins it.
    /// - Returns: its number, for ``assign(_:toSectionAt:)``.
    mutating func begin(_ argument: [UInt8]?, at origin: ConfigurationOrigin) throws(ValueProblem) -> Int

    /// Takes one assignment; without a section its key and value are checked all the same.
    /// - Returns: false where no such key is known.
    mutating func assign(_ entry: ParsedEntry, toSectionAt index: Int?) throws(ValueProblem) -> Bool
}
