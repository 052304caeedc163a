import InboxLinux
import UniformTypeIdentifiers

extension Detector {
    /// Returns whether a folder of this name is one document.
    package func isPackage(_ name: FileName) -> Bool { detectFolder(name) != .folder }

    /// Detects the type of something that is not a regular file, and is never opened for this.
    package func detect(unopened name: FileName, _ kind: FileStatus.Kind) -> Detection {
        switch kind {
        case .directory:
            let type = detectFolder(name)
            return Detection(
                type: type, mime: type.preferredMIMEType, evidence: type == .folder ? .none : .name,
                mismatch: false, unread: false)
        case .symlink:
            return Detection(
                type: .symbolicLink, mime: UTType.symbolicLink.preferredMIMEType, evidence: .none, mismatch: false,
                unread: false)
        case .regular, .special: return detect(unreadable: name)
        }
    }
}
