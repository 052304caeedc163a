import InboxConfiguration
import InboxLinux

extension RoutingRules {
    /// Returns, in words, the verdicts of a document's checks so far, and which of them runs before it is filed; nil
    /// if none is in force.
    /// - Parameters:
    ///   - documentType: the name of the document type that gets it, as far as that is known.
    ///   - verdicts: the verdicts on it so far.
    package func checkWords(
        of inbox: BytePath, _ documentType: String?, after verdicts: CheckVerdicts? = nil
    ) -> String? {
        let own = documentType.flatMap { name in
            choice.documentTypes.first { $0.configured.name == name }?.check
        }
        let words = [check(of: inbox), own].compactMap(\.self).map { check -> String in
            switch verdicts?.ruling(by: check) {
            case nil: return "\(check.command.program) decides before it is filed"
            case .rejected(let words): return "\(check.command.program) has rejected it: \(words)"
            case .accepted(let facts):
                let list = facts.sorted { $0.key < $1.key }.map { "\($0.key)=\(EscapedBytes.printable($0.value.utf8))" }
                return "\(check.command.program) has accepted it"
                    + (list.isEmpty ? "" : " (\(list.joined(separator: ", ")))")
            }
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }
}
