/// A type that no catalogue declares: a dynamic one, or one that the program names as its own without declaring it.
final class LooseType: Sendable {
    /// A tag with its class.
    struct Tag: Sendable {
        let tagClass: UTTagClass
        let value: String
    }

    let identifier: String
    /// The identifier in lower case.
    let key: [UInt8]
    let isDynamic: Bool
    let parents: [UTType]
    let tags: [Tag]

    init(identifier: String, isDynamic: Bool, parents: [UTType], tags: [Tag]) {
        self.identifier = identifier
        key = ASCII.key(of: identifier)
        self.isDynamic = isDynamic
        self.parents = parents
        self.tags = tags
    }
}
