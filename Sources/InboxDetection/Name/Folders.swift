import InboxLinux
import UniformTypeIdentifiers

extension Detector {
    /// What a folder is: a package's type by its extension (`.rtfd`, `.app`), else `public.folder`.
    public func detectFolder(_ name: FileName) -> UTType {
        guard let tag = NameTag(name),
            let type = UTType.declared(filenameExtension: tag.bytes.span, conformingTo: .package)
        else { return .folder }
        return type
    }
}
