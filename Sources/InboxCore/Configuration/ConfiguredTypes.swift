import UniformTypeIdentifiers

/// The own types of a configuration: what `[Type]` sections and the property lists of `[Types]` declare.
public struct ConfiguredTypes: Sendable, Equatable {
    /// Every declaration: those of the sections in their order, then those of the property lists, by folder and name.
    public let declarations: [UTTypeDeclaration]
    /// Which bytes the documents of some of them have, in the order of the sections.
    public let magic: [TypeMagic]
    /// The sections, for printing.
    public let sections: [ConfiguredType]
    /// The folders of property lists: absolute, normalised.
    public let folders: TypesSettings

    let foldersBase: TypesSettings
    let foldersOrigins: [String: [ConfigurationOrigin]]
}

/// What came of reading the own types alone.
public struct LoadedTypes: Sendable {
    /// The types; nil where there is any problem, in whichever section of the configuration.
    public let types: ConfiguredTypes?
    /// Everything that is wrong, in the order of reading.
    public let problems: [ConfigurationProblem]
    /// What has a defined outcome, such as a supertype that nobody declares.
    public let notices: [ConfigurationProblem]
}
