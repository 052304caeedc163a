extension String {
    /// The lines of a journal or of notes without their sums, as earlier versions wrote them: for tests that change what they
    /// say.
    package var withoutSums: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.firstRange(of: #","sum":"#).map { line[..<$0.lowerBound] + "}" } ?? String(line)
        }.joined(separator: "\n")
    }
}
