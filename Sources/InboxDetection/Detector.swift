import InboxLinux
import UniformTypeIdentifiers

public final class Detector: Sendable {
    public init() {}
    public func detect(_ name: FileName) -> Detection {
        let ext = name.bytes.split(separator: UInt8(ascii: ".")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let type = UTType(filenameExtension: ext) ?? .data
        return Detection(type: type, mime: type.preferredMIMEType, evidence: .name, mismatch: false, unread: true)
    }
    public func detect(_ name: FileName, reading file: borrowing FileDescriptor) -> Detection { detect(name) }
}
