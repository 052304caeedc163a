import InboxConfiguration
import InboxLinux

/// The name that `Name=` makes for a document.
enum MadeName {
    /// The name, with the document's own extension.
    case name(FileName)
    /// The document keeps its name, for this reason.
    case unchanged(String)

    /// Bytes that stay free for a number on conflict.
    private static let room = 12

    /// Expands a template for a document.
    init(_ template: NameTemplate, _ values: inout TemplateValues, ignoring: (FileName) -> Bool) {
        var bytes: [UInt8] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): bytes += literal
            case .value(let alternatives):
                guard let value = values.value(alternatives, arrivalCounts: false) else {
                    let words = alternatives.map(\.description).joined(separator: "|")
                    self = .unchanged("{\(words)} has no value")
                    return
                }
                bytes += value.bytes
            }
        }
        let ending = NumberedName.parts(of: values.document.name).ending
        // A name that a template has made is never hidden.
        var stem = bytes[...].drop { $0 == UInt8(ascii: ".") }
        let room = FileName.longest - ending.count
        if stem.count > room {
            let short = room - Self.room
            stem =
                String(validating: stem, as: UTF8.self).map { CleanedValue.cut($0, to: short)[...] }
                ?? NumberedName.truncated(stem, to: short)[...]
        }
        guard stem.contains(where: { $0 != UInt8(ascii: " ") }), let name = FileName(Array(stem) + Array(ending)) else {
            self = .unchanged("nothing is left of it")
            return
        }
        guard !ignoring(name) else {
            self = .unchanged("\(EscapedBytes.printable(name.bytes.prefix(80))) matches Ignore=")
            return
        }
        self = .name(name)
    }
}
