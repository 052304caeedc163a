import InboxLinux
import UniformTypeIdentifiers

extension Detector {
    /// Detects the type of a folder: a package's or a bundle's type by its extension (`.rtfd`, `.framework`), else
    /// `public.folder`.
    package func detectFolder(_ name: FileName) -> UTType {
        guard let tag = NameTag(name) else { return .folder }
        // A framework is a bundle and no package, and in parts it is none either.
        for family in [UTType.package, .bundle] {
            if let type = UTType.declared(filenameExtension: tag.bytes.span, conformingTo: family) { return type }
        }
        let lowered = tag.lowered
        guard Self.documentsAsFolders.contains(where: { lowered.elementsEqual($0.utf8) }) else { return .folder }
        let text = String(decoding: lowered, as: UTF8.self)
        return UTType(tag: text, tagClass: .filenameExtension, conformingTo: .package) ?? .package
    }

    /// Documents that are declared as files and that older programs, or the same ones at will, save as folders.
    private static let documentsAsFolders = ["pages", "numbers", "key", "kth"]
}
