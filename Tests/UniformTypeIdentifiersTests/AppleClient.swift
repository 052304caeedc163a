// Code as it is written against Apple's framework, and nothing that only this library has: it must compile unchanged.
// Only the import of FoundationEssentials is Linux's own, for the coders; on Apple's systems it says `Foundation`.
import FoundationEssentials
import UniformTypeIdentifiers

extension UTType {
    static let recipe = UTType(exportedAs: "com.example.recipe", conformingTo: .json)
    static var sketch: UTType { UTType(importedAs: "com.example.sketch") }
}

enum ImportError: Error, Equatable {
    case unsupported(UTType)
    case unknown(String)
}

struct Attachment: Codable, Hashable, Sendable {
    var name: String
    var contentType: UTType
    var tagClass: UTTagClass = .filenameExtension
}

struct DocumentImporter {
    static let readableContentTypes: [UTType] = [.plainText, .rtf, .html, .pdf, .image, .movie, .recipe]

    let folder: URL

    func contentType(of url: URL) throws -> UTType {
        guard let type = UTType(filenameExtension: url.pathExtension) else {
            throw ImportError.unknown(url.lastPathComponent)
        }
        guard Self.readableContentTypes.contains(where: { type.conforms(to: $0) }) else {
            throw ImportError.unsupported(type)
        }
        return type
    }

    func symbolName(for type: UTType) -> String {
        switch type {
        case .pdf: "doc.richtext"
        case _ where type.conforms(to: .image): "photo"
        case _ where type.conforms(to: .movie): "film"
        case let type where type.isSubtype(of: .text): "doc.text"
        case _ where type.isDynamic: "questionmark"
        default: "doc"
        }
    }

    func destination(for name: String, as type: UTType) -> URL {
        folder.appendingPathComponent(name, conformingTo: type)
    }

    func exported(_ url: URL, as type: UTType) -> URL {
        var copy = url.deletingPathExtension()
        copy.appendPathExtension(for: type)
        return copy
    }

    func acceptHeader() -> String {
        Self.readableContentTypes.compactMap(\.preferredMIMEType).joined(separator: ", ")
    }

    func menuTitle(for type: UTType) -> String {
        type.localizedDescription ?? type.preferredFilenameExtension?.uppercased() ?? type.identifier
    }

    func attachment(named name: String, mimeType: String) throws -> Attachment {
        guard let type = UTType(mimeType: mimeType, conformingTo: .content) else {
            throw ImportError.unknown(mimeType)
        }
        return Attachment(name: name, contentType: type)
    }

    func grouped(_ types: Set<UTType>) -> [String: [UTType]] {
        Dictionary(grouping: types.sorted { $0.identifier < $1.identifier }) { symbolName(for: $0) }
    }

    func details(of type: UTType) -> [String] {
        var lines = ["\(type)", "\(type.supertypes.count) supertypes"]
        lines += (type.tags[.filenameExtension] ?? []).map { ".\($0)" }
        if let version = type.version { lines.append("version \(version)") }
        if let reference = type.referenceURL { lines.append(reference.absoluteString) }
        if type.isPublic { lines.append("public") }
        if type.isDeclared { lines.append("declared") }
        return lines
    }

    func candidates(forExtension tag: String) -> [UTType] {
        UTType.types(tag: tag, tagClass: .filenameExtension, conformingTo: nil)
    }

    func ownTag(_ tag: String) -> UTType? {
        UTType(tag: tag, tagClass: UTTagClass(rawValue: "com.example.tag"), conformingTo: nil)
    }

    func roundTrip(_ attachment: Attachment) throws -> Attachment {
        try JSONDecoder().decode(Attachment.self, from: JSONEncoder().encode(attachment))
    }
}
