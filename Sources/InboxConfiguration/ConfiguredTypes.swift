import UniformTypeIdentifiers

/// The own types of a configuration: what `[Type]` sections and the property lists of `[Types]` declare, with the
/// document types.
package struct ConfiguredTypes: Sendable, Equatable {
    /// Every declaration: those of the sections in their order, then those of the property lists, by folder and name.
    package let declarations: [UTTypeDeclaration]
    /// Which bytes the documents of some of them have, in the order of the sections.
    package let magic: [TypeMagic]
    /// The sections, for printing.
    package let sections: [ConfiguredType]
    /// The folders of property lists: absolute, normalised.
    package let folders: TypesSettings

    /// The document types: those of the sections in their order, then those of the property lists, by folder and name.
    package internal(set) var documentTypes: [ConfiguredDocumentType]

    let foldersBase: TypesSettings
    let foldersOrigins: [String: [ConfigurationOrigin]]
}

/// The result of reading the own types alone.
package struct LoadedTypes: Sendable {
    /// The types; nil where there is any problem, in whichever section of the configuration.
    package let types: ConfiguredTypes?
    /// Everything that is wrong, in the order of reading.
    package let problems: [ConfigurationProblem]
    /// The notices: conditions with a defined outcome, such as a supertype that nobody declares.
    package let notices: [ConfigurationProblem]
}

extension Configuration {
    /// Every own declaration, in the order of precedence.
    package var types: [UTTypeDeclaration] { ownTypes.declarations }

    /// The document types, in the order in which they win; their destinations are resolved.
    package var documentTypes: [ConfiguredDocumentType] { ownTypes.documentTypes }

    /// Which bytes the documents of some own types have.
    package var magic: [TypeMagic] { ownTypes.magic }
}
