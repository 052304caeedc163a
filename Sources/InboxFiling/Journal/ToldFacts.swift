import InboxLinux
import InboxProperties

/// The properties of a document as far as they were asked for, and its origin, as they are recorded.
package struct ToldFacts: Sendable, Hashable {
    /// The name that a template has made; nil where the document kept its own.
    package var name: FileName?
    /// Its date, title and author.
    package var properties: DocumentProperties
    /// The address that it came from, without what may be a password; nil where none is known.
    package var origin: String?
    /// The application that made it or delivered it; nil where none is known.
    package var application: String?
    /// The SHA-256 of its content when it was filed, where its handler may change that; else nil.
    package var sum: [UInt8]?

    /// Facts of these values.
    package init(
        name: FileName? = nil, properties: DocumentProperties = DocumentProperties(), origin: String? = nil,
        application: String? = nil
    ) {
        self.name = name
        self.properties = properties
        self.origin = origin
        self.application = application
    }

    /// The name, as text by section 5 of the contract.
    package var nameText: String? { name.flatMap { BytePath(bytes: Array($0.bytes))?.escapedText } }

    /// Those that are there, as text, in the order of the history.
    package var members: [(key: StaticString, value: String)] {
        // Most documents have none.
        var members: [(key: StaticString, value: String)] = []
        if let nameText { members.append(("name", nameText)) }
        if let date = properties.date { members.append(("date", date.text)) }
        if let source = properties.dateSource { members.append(("dateFrom", source.rawValue)) }
        if let title = properties.title { members.append(("title", title)) }
        if let author = properties.author { members.append(("author", author)) }
        if let origin { members.append(("origin", origin)) }
        if let application { members.append(("application", application)) }
        if let sum { members.append(("sha256", SHA256.text(of: sum))) }
        return members
    }
}
