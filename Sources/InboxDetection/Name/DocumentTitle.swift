/// Names of texts whose end looks like an extension.
enum DocumentTitle {
    /// A usual text in some language: `README.ES`.
    case inLanguage
    /// Capitals throughout, as titles of texts have them: `POSIX.STD`.
    case inCapitals

    init?(_ name: ArraySlice<UInt8>) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        let (stem, end) = (name[..<dot], name[(dot + 1)...])
        guard stem.allSatisfy({ ASCII.lower($0) == $0 ? !ASCII.isLetter($0) : true }),
            stem.contains(where: ASCII.isLetter)
        else { return nil }
        let isLoud = end.allSatisfy { !ASCII.isLetter($0) || ASCII.lower($0) != $0 }
        if Self.titles.contains(where: { Self.equal(stem, $0) }) {
            if Self.languages.contains(where: { Self.equal(end, $0) }) { self = .inLanguage; return }
            if isLoud, Self.ambiguous.contains(where: { Self.equal(end, $0) }) { self = .inLanguage; return }
        }
        guard isLoud else { return nil }
        self = .inCapitals
    }

    /// Returns whether the bytes are a word in small letters, in any case.
    private static func equal(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount
            && bytes.withUnsafeBytes { Bytes($0).hasIgnoringCase(word) }
    }

    private static let titles: [StaticString] = [
        "readme", "install", "copying", "license", "licence", "news", "changes", "changelog", "todo", "authors", "faq",
        "about", "manual", "help", "howto", "thanks", "credits", "notes", "release", "copyright",
    ]

    private static let languages: [StaticString] = [
        "es", "it", "de", "fr", "pt", "nl", "ja", "ko", "zh", "ru", "cs", "sv", "da", "fi", "hu", "tr", "el", "uk",
        "ro",
        "bg", "ca", "eu", "gl", "cn", "tw", "br", "jp", "en", "sk", "sl", "hr", "lt", "lv", "et",
    ]

    /// Languages whose signs are usual extensions in small letters.
    private static let ambiguous: [StaticString] = ["pl", "no", "id", "is", "hi", "sr", "vi", "th", "he", "ar", "fa"]
}
