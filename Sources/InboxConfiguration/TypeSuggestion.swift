import UniformTypeIdentifiers

/// Says which type somebody meant who wrote what is no identifier: an extension, a MIME type, a slip, a list with commas.
package enum TypeSuggestion {
    /// Returns what follows the words that a word of `ContentTypes=` is unknown; empty where there is no advice.
    /// - Parameters:
    ///   - text: the word.
    ///   - names: the known identifiers, in the order of preference.
    static func advice(on text: String, among names: [String]) -> String {
        let advice = advice(on: text)
        guard advice.isEmpty else { return advice }
        return nearest(to: text, among: names).map { "; did you mean \($0)?" }
            ?? nearest(to: text, among: names, limit: .max).map { "; the nearest known one is \($0)" } ?? ""
    }

    /// Returns the same of what cannot be an identifier, whichever are known.
    static func advice(on text: String) -> String {
        if text.contains(",") { return "; separate types with spaces, not with commas" }
        return type(meantBy: text).map { "; did you mean \($0)?" } ?? ""
    }

    /// The types of all images and the like, by the words that MIME types begin with.
    private static let families = [
        "image": "public.image", "audio": "public.audio", "video": "public.movie", "text": "public.text",
    ]

    /// Returns the identifier of the declared type with this MIME type or extension (`pdf`, `.pdf`, `*.pdf`), or of the
    /// types of a family (`image`, `image/*`).
    package static func type(meantBy text: String) -> String? {
        let family = text.lowercased()
        if let known = families[family.hasSuffix("/*") ? String(family.dropLast(2)) : family] { return known }
        var tag = text[...]
        if tag.hasPrefix("*.") { tag = tag.dropFirst() }
        if tag.hasPrefix(".") { tag = tag.dropFirst() }
        let type = text.contains("/") ? UTType(mimeType: text) : UTType(filenameExtension: String(tag))
        return type.flatMap { $0.isDynamic ? nil : $0.identifier }
    }
}
