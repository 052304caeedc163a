extension UTType {
    /// Puts a program's own declarations in force beside the built-in ones, in place of those declared before.
    ///
    /// A new immutable catalogue is made and swapped in, safe from any thread: a lookup sees the old one or the new
    /// one, never a mixture. Values that were made before stay valid; declarations that are not in `declarations` any
    /// more are gone for lookups. An empty list leaves the built-in types alone.
    ///
    /// For an identifier, an extension and a MIME type alike, own exported declarations go before the built-in ones,
    /// and these before own imported ones; among each, the first. Importing an identifier that exists adds its new
    /// tags after the existing ones.
    ///
    /// - Parameter declarations: All own declarations, at most 10,000.
    /// - Returns: The problems with a defined outcome: unknown supertypes, circles, tags claimed twice and the like.
    /// - Throws: ``UTTypeDeclarationError`` for a malformed identifier, for exporting one that begins with `public.`
    ///   or that is built in, and for declaring one that begins with `dyn.`; the catalogue stays as it was.
    @discardableResult
    public static func declare(
        _ declarations: [UTTypeDeclaration]
    ) throws(UTTypeDeclarationError) -> [UTTypeDeclarationProblem] {
        guard !declarations.isEmpty else {
            Catalogue.replaceCurrent(by: nil)
            return []
        }
        let (catalogue, problems) = OwnDeclarations.resolve(declarations)
        guard let catalogue else { throw UTTypeDeclarationError(problems: problems) }
        Catalogue.replaceCurrent(by: catalogue)
        return problems
    }

    /// Everything that ``declare(_:)`` would find wrong, fatal or not; nothing is put in force.
    public static func problems(in declarations: [UTTypeDeclaration]) -> [UTTypeDeclarationProblem] {
        OwnDeclarations.resolve(declarations).problems
    }

    /// A declared tag as it is kept: MIME types without parameters and blanks, all others as they were written.
    static func declaredForm(_ tag: String, of tagClass: UTTagClass) -> String {
        tagClass == .mimeType ? normalized(tag, of: .mimeType) : tag
    }
}

extension UTTypeDeclaration {
    /// Returns why a tag cannot be declared, or nil if it can: `is empty` and the like, to follow the tag in a
    /// message.
    ///
    /// A file-name extension has no dot before it, no `/` and no NUL; a MIME type has two parts around one `/`. Tags
    /// of other classes only must not be empty.
    public static func syntaxError(inTag tag: String, of tagClass: UTTagClass) -> String? {
        if tag.isEmpty { return "is an empty tag" }
        if tagClass == .filenameExtension {
            if tag.utf8.first == UInt8(ascii: ".") { return "is no extension: the dot does not belong to it" }
            if tag.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) {
                return "is no extension: no name can have it"
            }
        }
        if tagClass == .mimeType {
            let parts = UTType.normalized(tag, of: .mimeType).utf8.split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            if parts.count != 2 || parts.contains(where: \.isEmpty) { return "is no MIME type" }
        }
        return nil
    }
}
