import InboxLinux
import UniformTypeIdentifiers

extension Configuration {
    /// A notice for each `{title}` and `{author}`, and each date that only the content may give, which the document type's
    /// documents never have.
    var absentPlaceholders: [ConfigurationProblem] { ownTypes.documentTypes.flatMap(\.absentPlaceholders) }
}

extension ConfiguredDocumentType {
    /// The likelihood that documents of a type say something of themselves.
    private enum Telling: Comparable {
        case never, seldom, often

        /// Types whose documents have titles and authors: they say so in a place of their format.
        private static let telling: [UTType] = [
            .compositeContent, .spreadsheet, .presentation, .audiovisualContent, .emailMessage, .html,
        ]

        init(_ type: UTType) {
            func touches(_ other: UTType) -> Bool { type.conforms(to: other) || other.conforms(to: type) }
            self = Self.telling.contains(where: touches) ? .often : touches(.image) ? .seldom : .never
        }
    }

    fileprivate var absentPlaceholders: [ConfigurationProblem] {
        let identifiers = settings.contentTypes.map { String(decoding: $0, as: UTF8.self) }
        let types = identifiers.compactMap { UTType($0) }
        // Of a type that is declared in a file nothing is known here.
        guard !types.isEmpty, types.count == identifiers.count, let telling = types.map(Telling.init).max(),
            telling < .often
        else { return [] }
        let templates: [(key: String, pieces: [TemplatePiece])] = [
            ("Destination", settings.destination.components.flatMap(\.self)), ("Name", settings.name?.pieces ?? []),
        ]
        return templates.flatMap { key, pieces in
            pieces.compactMap { piece in
                notice(key, piece, telling, identifiers).map {
                    ConfigurationProblem(origins[key]?.last ?? origin, "\(key): \($0)")
                }
            }
        }
    }

    private func notice(
        _ key: String, _ piece: TemplatePiece, _ telling: Telling, _ identifiers: [String]
    ) -> String? {
        let missing = piece.alternatives.first { alternative in
            guard case .placeholder(let placeholder) = alternative.source else { return false }
            return [.title, .author].contains(placeholder)
                || placeholder.isDate && isDatedByContent && telling == .never
        }
        guard let missing else { return nil }
        let words = identifiers.map { EscapedBytes.printable($0.utf8.prefix(80)) }.joined(separator: " ")
        let effect = key == "Name" ? "so that the document keeps its name" : "so that it is left out"
        let isLast = missing == piece.alternatives.last
        switch telling {
        case .never:
            return "no document of ContentTypes=\(words) has {\(missing)}" + (isLast ? ", \(effect)" : "")
        case .seldom where isLast:
            return "a picture has {\(missing)} only in its XMP, which few have; else \(key) "
                + "\(key == "Name" ? "does not apply" : "leaves it out"): give another value, {\(missing)|name}"
        default: return nil
        }
    }

    private var isDatedByContent: Bool { settings.dates == [.content] }
}
