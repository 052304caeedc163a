import InboxConfiguration
import InboxDetection
import InboxLinux

/// The names by which document types say that files belong to their documents: `Companions=`.
///
/// Nobody has read a document when a file beside it is met: it counts as one of the document type that its name, its folder and
/// the type that its name stands for give it to.
package struct CompanionNames: Sendable {
    private let templates: [(template: MarkerTemplate, documentType: String)]
    private let choice: DocumentTypeChoice?
    private let detector: Detector?

    /// None.
    package init() { (templates, choice, detector) = ([], nil, nil) }

    /// Those of the document types of these rules.
    package init(_ rules: RoutingRules, _ detector: Detector) {
        templates = rules.choice.documentTypes.flatMap { type in
            let settings = type.configured.settings
            return settings.companions.compactMap { word -> (template: MarkerTemplate, documentType: String)? in
                do throws(ValueProblem) { return (try MarkerTemplate(word: word), type.configured.name) } catch {
                    // The configuration has only words that are templates.
                    return nil
                }
            }
        }
        (choice, self.detector) = (rules.choice, detector)
    }

    /// There are none.
    package var isEmpty: Bool { templates.isEmpty }

    /// Returns whether a file of this name may belong to a document.
    package func mayBelong(_ name: FileName) -> Bool { templates.contains { $0.template.fits(name) } }

    /// Returns the names of the files that may belong to a document of this name.
    package func members(of document: FileName) -> [FileName] {
        templates.compactMap { row in
            let part = row.template.subject == .name ? document.bytes : MemberName.stem(of: document)
            return FileName(row.template.prefix + part + row.template.suffix)
        }
    }

    /// Returns the names of the documents that a file of this name may belong to.
    /// - Parameter extensions: those that documents have.
    package func documents(of member: FileName, _ extensions: some Sequence<[UInt8]>) -> [FileName] {
        templates.flatMap { row -> [FileName] in
            guard let part = row.template.part(of: member) else { return [] }
            if row.template.subject == .name { return FileName(part).map { [$0] } ?? [] }
            return extensions.compactMap { FileName(Array(part) + ($0.isEmpty ? [] : [UInt8(ascii: ".")] + $0)) }
        }
    }

    /// Returns whether a file belongs to a document by what the document type says that gets it.
    package func has(_ member: FileName, of document: FileName, in inbox: BytePath, _ folder: [FileName]) -> Bool {
        guard let choice, let detector else { return false }
        let routed = RoutedDocument(
            detection: detector.detect(unopened: document, .regular), name: document, in: inbox, folder: folder,
            modified: .now())
        guard let winner = choice.winner(for: routed)?.configured.name else { return false }
        return templates.contains { template, documentType in
            let part = template.subject == .name ? document.bytes : MemberName.stem(of: document)
            return documentType == winner && template.part(of: member)?.elementsEqual(part) == true
        }
    }
}
