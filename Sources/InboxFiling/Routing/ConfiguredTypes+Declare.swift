import InboxConfiguration
import InboxDetection
import UniformTypeIdentifiers

extension ConfiguredTypes {
    /// Puts the declarations in force for the whole process, in place of those declared before, and makes a detector
    /// that knows them and their magic.
    ///
    /// - Parameter places: where the MIME database is.
    /// - Throws: where a declaration breaks a fatal rule; all is as it was then. A configuration without problems has no
    ///   such declaration.
    package func declare(places: MIMEDatabasePlaces) throws(UTTypeDeclarationError) -> Detector {
        try UTType.declare(declarations)
        let signatures = magic.compactMap { magic in
            UTType(magic.identifier).map { OwnSignature(type: $0, alternatives: magic.alternatives.map(Self.parts)) }
        }
        return Detector(places: places, ownSignatures: signatures)
    }

    private static func parts(_ alternative: [TypeMagic.Part]) -> [OwnSignature.Part] {
        alternative.map { OwnSignature.Part(offset: $0.offset, bytes: $0.bytes) }
    }
}
