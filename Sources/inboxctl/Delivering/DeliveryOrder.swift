import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// The options of `put` that apply to every file.
struct DeliveryOrder {
    /// The name that the document should have, as it was typed; nil for the file's own.
    let name: FileName?
    /// The type that the options name.
    let type: UTType?
    /// Keys and values that travel with the document.
    let annotations: [String: String]
    /// The application that they come from; nil where nobody says.
    let application: String?
    /// The file is removed once it is delivered.
    let moves: Bool

    init(_ invocation: Invocation) throws(CommandFailure) {
        let arguments = invocation.arguments
        if let typed = arguments.value("name") {
            guard let name = FileName(typed), name.count <= FileName.longest else {
                throw .usage("--name: \"\(printable(typed))\" cannot be the name of a file")
            }
            self.name = name
        } else {
            name = nil
        }
        if let identifier = arguments.value("type") {
            _ = try invocation.detector()
            type = try UTType(named: identifier)
        } else {
            type = nil
        }
        var annotations: [String: String] = [:]
        for typed in arguments.values("annotate") {
            let text = try Arguments.text(typed, of: "option \"--annotate\"")
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, Annotations.isKey(parts[0]) else {
                throw .usage(
                    "--annotate needs KEY=VALUE, with a key of up to \(Annotations.longestKey) letters, digits "
                        + "and \"_\", not \"\(printable(typed))\"")
            }
            guard parts[1].utf8.count <= Annotations.longestValue else {
                throw .usage("--annotate: the value of \(parts[0]) is over 4 KiB")
            }
            annotations[parts[0]] = parts[1]
        }
        self.annotations = annotations
        application = try arguments.text("application")
        if let application, !DocumentAttributes.isText(application) {
            throw .usage("--application: \"\(printable(application.utf8))\" cannot be the name of one")
        }
        moves = arguments.has("move")
    }

    /// The name for a file, with an extension where the type has one.
    func name(for file: FileName) -> FileName { Delivery.name(name ?? file, of: type) }
}
