import InboxDetection
import UniformTypeIdentifiers

extension ConfiguredTypes {
    /// Puts the declarations in force for the whole process, in place of those declared before, and makes a detector
    /// that knows them and their magic.
    ///
    /// - Parameter places: where the MIME database is.
    /// - Throws: where a declaration breaks a fatal rule; all is as it was then. A configuration without problems has no
    ///   such declaration.
    public func declare(places: MIMEDatabasePlaces) throws(UTTypeDeclarationError) -> Detector {
        try UTType.declare(declarations)
        let signatures = magic.compactMap { magic in
            UTType(magic.identifier).map { OwnSignature(type: $0, alternatives: magic.alternatives) }
        }
        return Detector(places: places, ownSignatures: signatures)
    }
}

extension Configuration {
    /// Every own declaration, in the order of precedence.
    public var types: [UTTypeDeclaration] { ownTypes.declarations }

    /// Which bytes the documents of some own types have.
    public var magic: [TypeMagic] { ownTypes.magic }
}
